package dev.laurel.query;

import dev.laurel.processors.Boards;
import dev.laurel.processors.Ledger;
import dev.laurel.processors.delivery.Lookups;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.http.AccessReadRoutes;
import dev.laurel.query.http.AskRoutes;
import dev.laurel.query.http.AccountReadRoutes;
import dev.laurel.query.http.ExportRoutes;
import dev.laurel.query.http.LeaderboardReadRoutes;
import dev.laurel.query.http.ObjectReadRoutes;
import dev.laurel.query.http.OwnedReadRoutes;
import dev.laurel.query.http.PeerRelay;
import dev.laurel.query.http.PointsReadRoutes;
import dev.laurel.query.http.PreviewRoutes;
import dev.laurel.query.http.Relay;
import dev.laurel.query.http.RulesetReadRoutes;
import dev.laurel.query.http.SecretRoutes;
import dev.laurel.query.http.SettingsReadRoutes;
import dev.laurel.query.http.UserDirectoryRoutes;
import dev.laurel.query.http.UserReadRoutes;
import dev.laurel.query.http.WrappedRoutes;
import dev.laurel.query.locate.BoardPartitions;
import dev.laurel.query.locate.Owners;
import dev.laurel.query.locate.Ownership;
import dev.laurel.query.locate.Partitions;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.PeerMeters;
import dev.laurel.query.peer.PeerNodes;
import dev.laurel.query.peer.Peers;
import dev.laurel.query.question.Here;
import dev.laurel.query.question.Nodes;
import dev.laurel.query.question.PresentUsers;
import dev.laurel.query.read.AccessReads;
import dev.laurel.query.read.AchievementReads;
import dev.laurel.query.read.ConfigReads;
import dev.laurel.query.read.DeliveryLookups;
import dev.laurel.query.read.LeaderboardReads;
import dev.laurel.query.read.MessagePreviews;
import dev.laurel.query.read.OwnedReads;
import dev.laurel.query.read.PointsReads;
import dev.laurel.query.read.RulesetReads;
import dev.laurel.query.read.StreakReads;
import dev.laurel.query.read.UserDirectory;
import dev.laurel.query.read.UserExports;
import dev.laurel.query.read.UserReads;
import dev.laurel.query.read.WrappedReads;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.metrics.Metrics;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.trace.Tracing;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The read side of a node: interactive queries on the stores of its ledger and its leaderboards, and on those of other nodes
 * by way of them. Nothing here knows whether there are other nodes but what is made in the constructor.
 */
public final class QueryService implements AutoCloseable {

    private final Partitions partitions;
    private final BoardPartitions boardPartitions;
    private final Here here;
    private final UserReads reads;
    private final LeaderboardReads leaderboardReads;
    private final Rulesets rulesets;
    private final AccessView access;
    private final RulesetVersions ledgerRulesets;
    private final InstantSource clock;
    private final Nodes nodes;
    private final Relay relay;

    /** Null, as is {@code client}, if there are no other nodes. */
    private final Ownership ownership;
    private final PeerClient client;

    /** Of the only node. @param clock what reads take for now */
    public QueryService(Ledger ledger, Boards boards, Rulesets rulesets, AccessView access, InstantSource clock) {
        this(ledger, boards, rulesets, access, clock, null, new PeerMeters(new Metrics()), Tracing.NONE);
    }

    /**
     * @param clock what reads take for now
     * @param peers null: there are no other nodes
     * @param meters count what is asked of other nodes; stay the caller's to close
     * @param tracing follows it
     */
    public QueryService(Ledger ledger, Boards boards, Rulesets rulesets, AccessView access, InstantSource clock,
            Peers peers, PeerMeters meters, Tracing tracing) {
        this.partitions = new Partitions(ledger);
        this.boardPartitions = new BoardPartitions(boards.layout(), boards::isCurrent,
                boards::reads);
        this.rulesets = rulesets;
        this.access = access;
        this.ledgerRulesets = ledger.rulesets();
        this.clock = clock;
        this.here = new Here(partitions, boardPartitions, ledgerRulesets, clock);
        if (peers == null) {
            this.ownership = null;
            this.client = null;
            this.nodes = here;
            this.relay = Relay.NONE;
        } else {
            this.ownership = new Ownership(peers.advertised(),
                    new Owners.Source(ledger::members, Topics.COMMANDS.name(),
                            () -> ledger.layout().partitions()),
                    new Owners.Source(boards::members, Topics.SCORES.name(),
                            () -> boards.layout().partitions()))
                    .start();
            this.client = new PeerClient(peers.key(), peers.tls(), meters, tracing);
            this.nodes = new PeerNodes(here, ownership, client);
            this.relay = new PeerRelay(ownership, client, peers.maxLag());
        }
        this.reads = new UserReads(new PresentUsers(partitions, ledgerRulesets, clock), nodes, ledgerRulesets);
        this.leaderboardReads = new LeaderboardReads(boardPartitions, nodes, ledgerRulesets, reads::today, clock);
    }

    /** The routes to mount on a {@code HttpServer}; with peers, one that has their key. */
    public Routes routes() {
        var configReads = new ConfigReads(rulesets, access, clock, nodes);
        var parts = new ArrayList<Routes>(List.of(new UserReadRoutes(reads, relay),
                new PointsReadRoutes(new PointsReads(nodes, ledgerRulesets, clock)),
                new AccountReadRoutes(new AchievementReads(nodes, ledgerRulesets),
                        new StreakReads(nodes, ledgerRulesets)),
                new UserDirectoryRoutes(new UserDirectory(nodes)), new LeaderboardReadRoutes(leaderboardReads, relay),
                new WrappedRoutes(new WrappedReads(reads, nodes, ledgerRulesets, clock), relay),
                new ObjectReadRoutes(configReads), new SettingsReadRoutes(configReads),
                new OwnedReadRoutes(new OwnedReads(nodes, configReads, clock)),
                new ExportRoutes(new UserExports(partitions, ledgerRulesets, leaderboardReads, clock), relay),
                new SecretRoutes(configReads),
                new PreviewRoutes(new MessagePreviews(partitions, ledgerRulesets, clock), relay),
                new AccessReadRoutes(new AccessReads(access), rulesets),
                new RulesetReadRoutes(new RulesetReads(rulesets, clock))));
        if (ownership != null) {
            parts.add(AskRoutes.ofNode(here, nodes));
        }
        return routes -> parts.forEach(part -> part.mount(routes));
    }

    /** The reads without HTTP, for callers in the same process. */
    public UserReads reads() {
        return reads;
    }

    /** What delivery in the same process asks for. */
    public Lookups lookups() {
        return new DeliveryLookups(nodes, ledgerRulesets);
    }

    /** Ends the calls of other nodes. What is read here can still be. */
    @Override
    public void close() {
        if (ownership != null) {
            ownership.close();
            client.close();
        }
    }
}
