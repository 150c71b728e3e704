package dev.laurel.deploy.roles;

import dev.laurel.gateway.Gateway;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.topic.AccessTable;
import java.util.Map;

/** A gateway: the writes. */
public final class GatewayRole implements Role {

    private final RoleProcess process;
    private final AccessTable access;
    private final Gateway gateway;
    private final ApiKey startKey;

    private GatewayRole(RoleProcess process, AccessTable access, Gateway gateway, ApiKey startKey) {
        this.process = process;
        this.access = access;
        this.gateway = gateway;
        this.startKey = startKey;
    }

    /**
     * @param startKey the admin key that the process was started with
     * @param settings of {@link GatewayConfig}, but for where Kafka is
     * @return when it is connected
     */
    public static GatewayRole start(RoleProcess process, FollowedTables tables, ApiKey startKey,
            Map<String, Object> settings) {
        Map<String, Object> values = process.kafka().withSettings(settings);
        var gateway = process.parts().add(Gateway.start(GatewayConfig.of(values), tables.rulesets(), tables.access(),
                tables.generations(), process.clock(), process.tracing(), process.metrics(),
                process.fault()::complete));
        return new GatewayRole(process, tables.access(), gateway, startKey);
    }

    /** Waits until the admin key is known, as an admin key like any other; at the very first start, a node has to run for that. */
    @Override
    public void awaitReady() throws InterruptedException {
        process.await("gateway", patience -> gateway.awaitStartKey(startKey, patience),
                () -> "no node has made the admin key known: is one running?");
    }

    @Override
    public boolean isReady() {
        return access.book().isKnownStartKey(startKey.hash());
    }

    /** Whether the admin key opens anything: it may have been revoked, rotated or deleted since it was first given. */
    public boolean isStartKeyValid() {
        return access.book().holderOf(startKey.text()) != null;
    }

    @Override
    public Routes routes() {
        return gateway.routes();
    }
}
