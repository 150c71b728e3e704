package dev.laurel.processors.runtime;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.metrics.Metrics;
import dev.laurel.processors.stream.StartupCatchUp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamsApplicationTest {

    private static final StartupCatchUp.Source NOTHING = new StartupCatchUp.Source() {
        @Override
        public CompletionStage<Reach> reach(int partition) {
            return CompletableFuture.completedFuture(new Reach(0, 0));
        }

        @Override
        public CompletionStage<?> appendMark(int partition) {
            throw new IllegalStateException("nothing to catch up with");
        }
    };

    @TempDir
    private Path state;

    private Path store;

    /** An application that never connects. */
    private static final class Offline extends KafkaStreams {

        /** Whether all tasks are closed in time. */
        private boolean isClosing = true;

        Offline(Topology topology, Properties properties) {
            super(topology, properties);
        }

        @Override
        public void start() {
            // A test looks only at what precedes this.
        }

        @Override
        public boolean close(org.apache.kafka.streams.CloseOptions options) {
            super.close(Duration.ofSeconds(10));
            return isClosing;
        }
    }

    @BeforeEach
    void writeStore() throws Exception {
        store = Files.createDirectories(state.resolve("swimmers/0_0/rocksdb/users"))
                .resolve("CURRENT");
        Files.createFile(store);
    }

    private Properties properties(String guarantee) {
        var properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "swimmers");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, state.toString());
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
        return properties;
    }

    private Offline streams(String guarantee) {
        var topology = new StreamsBuilder();
        topology.table("swum", Consumed.with(Serdes.String(), Serdes.String()), Materialized.as("users"));
        return new Offline(topology.build(), properties(guarantee));
    }

    private static StreamsApplication start(KafkaStreams streams, Properties properties) {
        var application = new StreamsApplication(
                "swimmers",
                streams,
                properties,
                1,
                new StartupCatchUp(NOTHING),
                StreamsMeters.tags("swimmers"),
                new Metrics().scope(),
                _ -> {});
        application.start();
        return application;
    }

    /** @param isClosing false: the process ends before all tasks are closed */
    private void runAndStop(boolean isClosing) {
        Offline streams = streams(StreamsConfig.EXACTLY_ONCE_V2);
        streams.isClosing = isClosing;
        start(streams, properties(StreamsConfig.EXACTLY_ONCE_V2)).close();
    }

    private void runAndKill(String guarantee) {
        Offline streams = streams(guarantee);
        start(streams, properties(guarantee));
        streams.close(Duration.ofSeconds(10)); // only releases the state directory
    }

    @Test
    void shouldRemoveTheStoresOfAKilledProcessBeforeItJoins() {
        runAndKill(StreamsConfig.EXACTLY_ONCE_V2);
        assertTrue(Files.exists(store), "nothing was killed before");

        runAndStop(true);

        assertFalse(Files.exists(store));
    }

    @Test
    void shouldRemoveTheStoresOfAProcessThatDidNotCloseThem() {
        runAndStop(false);

        runAndStop(true);

        assertFalse(Files.exists(store));
    }

    @Test
    void shouldKeepTheStoresOfAStoppedProcess() {
        runAndStop(true);

        runAndStop(true);

        assertTrue(Files.exists(store));
    }

    @Test
    void shouldKeepTheStoresOfAKilledProcessWithoutTransactions() {
        runAndKill(StreamsConfig.AT_LEAST_ONCE);

        runAndKill(StreamsConfig.AT_LEAST_ONCE);

        assertTrue(Files.exists(store));
    }
}
