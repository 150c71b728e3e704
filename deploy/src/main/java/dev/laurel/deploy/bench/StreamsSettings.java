package dev.laurel.deploy.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** The Kafka Streams properties that all subjects of a run share. */
final class StreamsSettings {

    private StreamsSettings() {}

    static Map<String, Object> forLatencyAndRate() {
        var settings = new LinkedHashMap<String, Object>();
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 500);
        settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, 1);
        settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 1);
        settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
        // Streams' own default under exactly-once is 100 ms, which every reply would wait for.
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 1);
        // The first records after a commit are refused while the broker still writes its markers; Kafka's 100 ms between
        // attempts would be a pause of the whole pipeline twice a second.
        settings.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 5);
        return settings;
    }
}
