package dev.laurel.query.http;

import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.kafka.RejectionReads;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.analytics.AnalyticsReads;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.read.AuditReads;
import dev.laurel.query.read.ConfigReads;
import dev.laurel.query.read.LeaderboardReads;
import dev.laurel.query.read.MessagePreviews;
import dev.laurel.query.read.OwnedReads;
import dev.laurel.query.read.PresentCounts;
import dev.laurel.query.read.TenantReads;
import dev.laurel.query.read.UserExports;
import dev.laurel.query.read.UserLists;
import dev.laurel.query.read.UserReads;
import dev.laurel.query.read.UserTimelines;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** All read routes of a node. */
public final class ReadRoutes implements Routes {

    private final Routes resources;

    /**
     * @param node its clock gives the present time to all reads
     * @param nodes all nodes, for reads that need more than one partition
     * @param relay forwards requests about a partition of another node to that node
     * @param clientProperties settings of the Kafka clients
     */
    public ReadRoutes(LocalNode node, Nodes nodes, PresentCounts counts, Rulesets rulesets, AccessView access,
            Relay relay,
            Map<String, Object> clientProperties) {
        RulesetVersions compiled = node.users().rulesets();
        InstantSource clock = node.users().clock();
        var audit = new AuditReads(clientProperties);
        var users = new UserReads(node.users(), nodes, counts);
        var leaderboards = new LeaderboardReads(node, nodes, counts, users::today);
        var configuration = new ConfigReads(rulesets, access, clock);
        var owned = new OwnedReads(nodes, configuration, clock);
        this.resources = Routes.of(List.of(
                new UserReadRoutes(users, relay),
                new NotificationPageRoutes(users, relay, rulesets, access),
                new TenantReadRoutes(new TenantReads(nodes, counts, compiled, clock), new UserLists(nodes)),
                new TimelineRoutes(new UserTimelines(node.users()), relay),
                new LeaderboardReadRoutes(leaderboards, relay),
                new ConfigReadRoutes(configuration, rulesets, counts),
                new OwnedReadRoutes(owned),
                new ExportRoutes(new UserExports(node.users(), leaderboards), relay),
                new PreviewRoutes(new MessagePreviews(node.users().partitions(), compiled, clock), relay),
                new AccessReadRoutes(configuration, rulesets, owned),
                new RulesetReadRoutes(configuration),
                new AuditRoutes(audit, access),
                new RejectionRoutes(new RejectionReads(clientProperties), audit, access),
                new LiveRoutes(clientProperties),
                new AnalyticsRoutes(new AnalyticsReads(node, nodes))));
    }

    /**
     * Returns the reads of the ruleset, of the audit log and of rejections, and the page of notifications without choices, for a process
     * without stores.
     */
    public static Routes withoutStores(Rulesets rulesets, AccessView access, InstantSource clock,
            Map<String, Object> clientProperties) {
        var audit = new AuditReads(clientProperties);
        return Routes.of(List.of(new NotificationPageRoutes(null, Relay.NONE, rulesets, access),
                new RulesetReadRoutes(new ConfigReads(rulesets, access, clock)),
                new AuditRoutes(audit, access),
                new RejectionRoutes(new RejectionReads(clientProperties), audit, access)));
    }

    @Override
    public void mount(RouteTable routes) {
        resources.mount(routes);
    }

    @Override
    public void beginStop() {
        resources.beginStop();
    }
}
