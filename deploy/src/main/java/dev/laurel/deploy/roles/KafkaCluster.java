package dev.laurel.deploy.roles;

import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;

/**
 * The Kafka that the roles of a process run against.
 *
 * @param bootstrapServers host:port, several by commas
 */
public record KafkaCluster(String bootstrapServers) {

    /** What every client is told to get there. */
    public Map<String, Object> client() {
        return Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    }

    public Admin admin() {
        return Admin.create(client());
    }
}
