package dev.laurel.deploy.roles;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.schemas.topic.KafkaAccess;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/**
 * The Kafka that the roles of a process run against.
 *
 * @param access how it is reached
 */
public record KafkaCluster(KafkaAccess access) {

    /** Without encryption and without a password: an embedded broker. */
    public KafkaCluster(String bootstrapServers) {
        this(KafkaAccess.at(bootstrapServers));
    }

    public String bootstrapServers() {
        return access.bootstrapServers();
    }

    /** What every client is told to get there. */
    public Map<String, Object> client() {
        return access.clientProperties();
    }

    /** Settings of a role: the given ones, and how to get there. The map is the caller's. */
    Map<String, Object> withSettings(Map<String, ?> given) {
        Map<String, Object> all = access.settings();
        given.forEach(all::putIfAbsent);
        return all;
    }

    /** @throws CommandFailed if it cannot be talked to in the way that was said */
    public Admin admin() {
        try {
            return Admin.create(client());
        } catch (KafkaException e) {
            throw KafkaOptions.unusable(access, e);
        }
    }
}
