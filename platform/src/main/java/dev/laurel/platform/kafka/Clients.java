package dev.laurel.platform.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Makes the consumers and the admin clients of all processes. A consumer reads bytes of committed records, commits no offsets, creates no
 * topic, and fails at an offset that does not exist, unless its settings say otherwise.
 */
public final class Clients {

    private static final Map<String, Object> CONSUMER = Map.of(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none",
            ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");

    private Clients() {}

    public static Admin admin(Map<String, Object> settings) {
        return Admin.create(settings);
    }

    /** @param clientConfig settings of all clients @param own settings of this one, which take precedence */
    public static KafkaConsumer<byte[], byte[]> consumer(Map<String, ?> clientConfig, Map<String, ?> own) {
        var settings = new HashMap<>(CONSUMER);
        settings.putAll(clientConfig);
        settings.putAll(own);
        return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
