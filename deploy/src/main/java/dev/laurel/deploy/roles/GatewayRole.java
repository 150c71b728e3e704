package dev.laurel.deploy.roles;

import dev.laurel.gateway.Gateway;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.gateway.http.GatewayRoutes;
import dev.laurel.gateway.http.Replays;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.query.http.QueryService;
import dev.laurel.schemas.access.ApiKey;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The gateway role: accepts writes. */
public final class GatewayRole implements Role {

    private final RoleProcess process;
    private final AccessTable access;
    private final Gateway gateway;
    private final ApiKey startKey;
    private final Routes routes;

    private GatewayRole(RoleProcess process, AccessTable access, Gateway gateway, ApiKey startKey, Routes routes) {
        this.process = process;
        this.access = access;
        this.gateway = gateway;
        this.startKey = startKey;
        this.routes = routes;
    }

    /**
     * Returns when the gateway is connected.
     *
     * @param startKey admin key that the process was started with
     * @param settings settings of {@link GatewayConfig} without those of Kafka
     * @param replays replays that this process offers; null: none
     */
    public static GatewayRole start(RoleProcess process, FollowedTables tables, ApiKey startKey,
            Map<String, Object> settings, @Nullable Replays replays) {
        Map<String, Object> values = process.withKafka(settings);
        values.putIfAbsent(GatewayConfig.INSTANCE_ID, process.shown().ensureId());
        GatewayConfig config = GatewayConfig.of(values);
        var followed = new Gateway.Tables(tables.rulesets(), tables.access(), tables.generations());
        var gateway = process.parts().add(Gateway.start(config, followed,
                new Gateway.Surroundings(process.clock(), process.tracing(), process.tails(), process.metrics(),
                        process.fault()::complete)));
        process.gateway().use(gateway);
        tables.noteSignedUsesBy(gateway::noteUse);
        process.shown().addRole("gateway");
        GatewayRoutes routes = GatewayRoutes.of(gateway, config, followed, process.clock());
        return new GatewayRole(process, tables.access(), gateway, startKey,
                Routes.of(List.of(routes, routes.ofReplays(replays))));
    }

    /**
     * Returns the role of a process without a node, which also answers reads of the ruleset and of the audit log, so that tools need a single
     * address.
     */
    GatewayRole withoutNode(FollowedTables tables) {
        Routes reads = QueryService.withoutStores(tables.rulesets(), tables.access(), process.clock(),
                process.kafka().clientProperties());
        return new GatewayRole(process, access, gateway, startKey, Routes.of(List.of(routes, reads)));
    }

    /** Waits until the admin key is known. At the first start, a running node must publish it. */
    @Override
    public void awaitReady() throws InterruptedException {
        process.await("gateway", timeout -> gateway.awaitStartKey(startKey, timeout),
                () -> "no node has published the admin key; is one running?");
    }

    @Override
    public boolean isReady() {
        return access.index().isKnownStartKey(startKey.hash());
    }

    /** Returns whether the admin key is valid; it may have been revoked, rotated or deleted since the first start. */
    public boolean isStartKeyValid() {
        return access.index().holderOf(startKey.text()) != null;
    }

    @Override
    public Routes routes() {
        return routes;
    }
}
