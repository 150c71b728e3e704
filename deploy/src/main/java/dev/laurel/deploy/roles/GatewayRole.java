package dev.laurel.deploy.roles;

import dev.laurel.gateway.Gateway;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.gateway.http.GatewayRoutes;
import dev.laurel.gateway.http.Replays;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.query.http.QueryService;
import dev.laurel.schemas.access.ApiKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The gateway role: accepts writes. */
final class GatewayRole implements Role {

    private final RoleProcess process;
    private final AccessTable access;
    private final Gateway gateway;
    private final ApiKey startKey;
    private final List<Routes> routes = new ArrayList<>();

    /**
     * Returns when the gateway is connected.
     *
     * @param startKey admin key that the process was started with
     * @param isAlone whether no other gateway of the instance runs
     * @param replays replays that this process offers; null: none
     */
    GatewayRole(
            RoleProcess process,
            FollowedTables tables,
            ApiKey startKey,
            boolean isAlone,
            GatewayConfig.Limits limits,
            @Nullable Replays replays) {
        this.process = process;
        this.access = tables.access();
        this.startKey = startKey;
        var config = new GatewayConfig(process.kafka(), process.shown().ensureId(), isAlone, limits);
        var followed = new Gateway.Tables(tables.rulesets(), access, tables.generations());
        gateway = process.parts()
                .add(Gateway.start(
                        config,
                        followed,
                        new Gateway.Surroundings(
                                process.clock(),
                                process.tracing(),
                                process.tails(),
                                process.metrics(),
                                process.fault()::complete)));
        process.gateway().use(gateway);
        tables.signedUses().noteBy(gateway::noteUse);
        process.shown().addRole("gateway");
        GatewayRoutes gatewayRoutes = GatewayRoutes.of(gateway, config, followed, process.clock());
        routes.add(gatewayRoutes);
        routes.add(gatewayRoutes.ofReplays(replays));
    }

    /**
     * Returns this role for a process without a node, which also answers reads of the ruleset and of the audit log, so that tools need a
     * single address.
     */
    GatewayRole withoutNode(FollowedTables tables) {
        routes.add(QueryService.withoutStores(
                tables.rulesets(), access, process.clock(), process.kafka().clientProperties()));
        return this;
    }

    /** Waits until the admin key is known. At the first start, a running node must publish it. */
    @Override
    public void awaitReady() throws InterruptedException {
        process.await(
                "gateway",
                timeout -> gateway.awaitStartKey(startKey, timeout),
                () -> "no node has published the admin key; is one running?");
    }

    @Override
    public boolean isReady() {
        return access.index().isKnownStartKey(startKey.hash());
    }

    /** Returns whether the admin key is valid; it may have been revoked, rotated or deleted since the first start. */
    boolean isStartKeyValid() {
        return access.index().holderOf(startKey.text()) != null;
    }

    @Override
    public Routes routes() {
        return config -> routes.forEach(each -> each.mount(config));
    }
}
