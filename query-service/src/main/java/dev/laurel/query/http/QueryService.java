package dev.laurel.query.http;

import dev.laurel.delivery.throttle.NodeReads;
import dev.laurel.platform.access.SessionKey;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.kafka.RejectionReads;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.processors.runtime.CounterFollower;
import dev.laurel.processors.runtime.Leaderboards;
import dev.laurel.processors.runtime.Ledger;
import dev.laurel.query.analytics.AnalyticsReads;
import dev.laurel.query.http.Relay.PeerRelay;
import dev.laurel.query.locate.LeaderboardPartitions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.OwnerTracker;
import dev.laurel.query.locate.OwnerTracker.PartitionOwners;
import dev.laurel.query.locate.UserPartitions;
import dev.laurel.query.partition.CurrentUsers;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.PeerClient.PeerMeters;
import dev.laurel.query.peer.PeerClient.PeerSettings;
import dev.laurel.query.peer.PeerNodes;
import dev.laurel.query.read.AuditReads;
import dev.laurel.query.read.ConfigReads;
import dev.laurel.query.read.CurrentCounts;
import dev.laurel.query.read.DeliveryLookups;
import dev.laurel.query.read.LeaderboardReads;
import dev.laurel.query.read.MessagePreviews;
import dev.laurel.query.read.TenantReads;
import dev.laurel.query.read.UserExports;
import dev.laurel.query.read.UserLists;
import dev.laurel.query.read.UserReads;
import dev.laurel.query.read.UserResourceReads;
import dev.laurel.query.read.UserTimelines;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.ObjectBody;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The read side of a node. It answers from the stores of its ledger and its boards, and asks other nodes for the rest. Only its
 * constructor distinguishes a single node from one of several.
 */
public final class QueryService implements AutoCloseable {

    private final LocalNode node;
    private final Nodes nodes;
    private final CurrentCounts counts;
    private final Rulesets rulesets;
    private final AccessView access;
    private final Relay relay;
    private final Map<String, Object> clientProperties;

    /** Null, as is {@code client}, for a single node. */
    private final @Nullable PartitionOwners owners;

    private final @Nullable PeerClient client;

    /**
     * @param delivery the counters of delivery
     * @param clientProperties settings of the Kafka clients
     * @param clock gives the present time to all reads
     * @param peers null for a single node
     * @param meters count the calls to other nodes; the caller closes them
     * @param tracing traces these calls
     */
    public QueryService(
            Ledger ledger,
            Leaderboards boards,
            CounterFollower delivery,
            Rulesets rulesets,
            AccessView access,
            Map<String, Object> clientProperties,
            InstantSource clock,
            @Nullable PeerSettings peers,
            PeerMeters meters,
            Tracing tracing) {
        this.rulesets = rulesets;
        this.access = access;
        this.clientProperties = clientProperties;
        this.node = new LocalNode(
                new CurrentUsers(new UserPartitions(ledger), ledger.rulesets(), clock),
                new LeaderboardPartitions(boards.layout(), boards::isCurrent, boards::reads),
                ledger::counters,
                delivery::read);
        this.counts = new CurrentCounts(node);
        if (peers == null) {
            this.owners = null;
            this.client = null;
            this.nodes = node;
            this.relay = Relay.NONE;
        } else {
            this.owners = new PartitionOwners(
                    peers.advertised(),
                    new OwnerTracker(
                                    ledger::members,
                                    Topics.COMMANDS.name(),
                                    () -> ledger.layout().partitions())
                            .start(),
                    new OwnerTracker(
                                    boards::members,
                                    Topics.SCORES.name(),
                                    () -> boards.layout().partitions())
                            .start());
            this.client = new PeerClient(peers.key(), peers.tls(), peers.maxCalls(), meters, tracing);
            this.nodes = new PeerNodes(node, owners, client);
            this.relay = new PeerRelay(owners, client, peers.maxLag());
        }
    }

    /** The routes to mount on an {@code HttpServer}; with peers, the server must know the peer key. */
    public Routes routes() {
        CurrentUsers present = node.users();
        var users = new UserReads(present, nodes, counts);
        var leaderboards = new LeaderboardReads(
                node,
                nodes,
                counts,
                users::today,
                () -> SessionKey.ofNames(LeaderboardReads.PSEUDONYMS, access.index()));
        var configuration = new ConfigReads(rulesets, access, present.clock());
        var owned = new UserResourceReads(nodes, configuration, present.clock());
        var routes = new ArrayList<Routes>(List.of(
                new UserReadRoutes(users, relay),
                new NotificationPageRoutes(users, relay, rulesets, access),
                new TenantReadRoutes(
                        new TenantReads(nodes, counts, present.rulesets(), present.clock()), new UserLists(nodes)),
                new TimelineRoutes(new UserTimelines(present), relay),
                new LeaderboardReadRoutes(leaderboards, relay),
                new ConfigReadRoutes(configuration, rulesets, counts, owned),
                new ExportRoutes(new UserExports(present, leaderboards), relay),
                new PreviewRoutes(
                        new MessagePreviews(present.partitions(), present.rulesets(), present.clock()), relay),
                new AccessReadRoutes(configuration, rulesets, owned),
                new LiveRoutes(clientProperties),
                new AnalyticsRoutes(new AnalyticsReads(node, nodes))));
        routes.addAll(ofTopics(configuration, access, clientProperties));
        if (owners != null) {
            routes.add(PeerRequestRoutes.ofNode(node, nodes));
        }
        return Routes.of(routes);
    }

    /**
     * The reads of the ruleset, of the audit log and of rejections, and the page of notifications without choices, for a process without
     * stores.
     */
    public static Routes withoutStores(
            Rulesets rulesets, AccessView access, InstantSource clock, Map<String, Object> clientProperties) {
        var routes = new ArrayList<>(ofTopics(new ConfigReads(rulesets, access, clock), access, clientProperties));
        routes.add(new NotificationPageRoutes(null, Relay.NONE, rulesets, access));
        return Routes.of(routes);
    }

    /** What is read from topics, without stores. */
    private static List<Routes> ofTopics(
            ConfigReads configuration, AccessView access, Map<String, Object> clientProperties) {
        var audit = new AuditReads(clientProperties);
        return List.of(
                new RulesetReadRoutes(configuration),
                new AuditRoutes(audit, access),
                new RejectionRoutes(new RejectionReads(clientProperties), audit, access));
    }

    /**
     * Adds the number of completions to achievements.
     *
     * @throws NotReadyException if they cannot be counted now
     */
    public List<ObjectBody> counted(TenantId tenant, List<ObjectBody> achievements) {
        // The achievements of the edit that was answered last must be known.
        Ruleset newest = new ConfigReads(rulesets, access, node.users().clock()).newest(tenant);
        return counts.addTo(tenant, newest.achievements(), achievements);
    }

    /** The reads that delivery in the same process needs. */
    public NodeReads lookups() {
        return new DeliveryLookups(nodes, node.users().rulesets());
    }

    /** Ends the calls to other nodes. The stores of this node can still be read. */
    @Override
    public void close() {
        if (owners != null) {
            owners.close();
        }
        if (client != null) {
            client.close();
        }
    }
}
