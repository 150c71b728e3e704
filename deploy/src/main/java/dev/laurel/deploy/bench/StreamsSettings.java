package dev.laurel.deploy.bench;

import dev.laurel.processors.LedgerConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.StreamsConfig;

/** The Kafka Streams properties that all subjects of a run share: those the ledger application runs with. */
final class StreamsSettings {

    /** What each subject has for itself. */
    private static final List<String> OWN = List.of(StreamsConfig.APPLICATION_ID_CONFIG,
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, StreamsConfig.STATE_DIR_CONFIG);

    private StreamsSettings() {}

    static Map<String, Object> ofLedger() {
        var ledger = new LedgerConfig(
                Map.of(LedgerConfig.BOOTSTRAP_SERVERS, "set-by-each:1", LedgerConfig.STATE_DIR, "set-by-each"));
        var settings = new HashMap<String, Object>();
        ledger.streamsProperties().forEach((name, value) -> settings.put((String) name, value));
        OWN.forEach(settings::remove);
        return settings;
    }
}
