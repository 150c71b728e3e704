package dev.laurel.deploy.roles;

import dev.laurel.gateway.Gateway;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.http.Routes;
import java.util.HashMap;
import java.util.Map;

/** A gateway: the writes. */
public final class GatewayRole {

    private final Gateway gateway;

    private GatewayRole(Gateway gateway) {
        this.gateway = gateway;
    }

    /**
     * @param settings of {@link GatewayConfig}, but for where Kafka is
     * @return when it is connected
     */
    public static GatewayRole start(RoleProcess process, FollowedTables tables, Map<String, Object> settings) {
        var values = new HashMap<String, Object>(settings);
        values.put(GatewayConfig.BOOTSTRAP_SERVERS, process.kafka().bootstrapServers());
        return new GatewayRole(process.parts().add(Gateway.start(GatewayConfig.of(values), tables.rulesets(),
                tables.access(), process.clock(), process.metrics(), process.fault()::complete)));
    }

    /**
     * Waits until the admin key that the process was started with is known; a node must run somewhere.
     *
     * @return whether it opens anything: it may have been revoked, rotated or deleted since it was first given
     */
    public boolean awaitStartKey(ApiKey key) throws InterruptedException {
        return gateway.awaitStartKey(key, RoleProcess.TABLE_TIMEOUT);
    }

    public Routes routes() {
        return gateway.routes();
    }
}
