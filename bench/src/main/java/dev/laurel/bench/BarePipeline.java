package dev.laurel.bench;

import dev.laurel.bench.OneProcess.Subject;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.schemas.topic.Generation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * The reference: what Kafka Streams and RocksDB cost on this machine for the work of the ledger without its logic, with the settings of
 * the ledger. Its topology has the shape of the ledger's, on bytes: every event reads and writes one store, every tenth writes a second
 * and a third, every third emits an effect. The sizes are those of a user with a few achievements.
 */
final class BarePipeline implements AutoCloseable {
    private static final String NAME = "bare";
    private static final String COMMANDS = "bare-commands";
    private static final String EFFECTS = "bare-effects";
    private static final String USERS = "bare-users";
    private static final String DAYS = "bare-days";
    private static final String LEDGER = "bare-ledger";
    private static final String PROCESS = "process";
    private static final int COMMAND_BYTES = 250;
    private static final int STATE_BYTES = 600;
    private static final int DAY_BYTES = 100;
    private static final int LEDGER_BYTES = 200;
    private static final int EFFECT_BYTES = 300;
    private static final long CHECK_NANOS = 50_000_000;
    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    private final KafkaStreams streams;

    /** Returns when it processes events. */
    BarePipeline(String bootstrapServers, int partitions, Path state) {
        createTopics(bootstrapServers, partitions);
        Properties properties = LedgerConfig.of(StreamsSettings.alone(
                        KafkaAccess.at(bootstrapServers),
                        state,
                        Math.min(partitions, Runtime.getRuntime().availableProcessors()),
                        BoundedRocksDb.DEFAULT_MEMORY_BYTES))
                .streamsProperties(Generation.FIRST);
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, NAME);
        streams = new KafkaStreams(topology(), properties);
        try {
            start();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static void createTopics(String bootstrapServers, int partitions) {
        try (var admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) bootstrapServers))) {
            short once = 1;
            KafkaClients.get(admin.createTopics(
                            List.of(new NewTopic(COMMANDS, partitions, once), new NewTopic(EFFECTS, partitions, once)))
                    .all());
        }
    }

    private void start() {
        streams.setUncaughtExceptionHandler(thrown -> {
            fault.compareAndSet(null, thrown);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.start();
        long deadlineNanos = System.nanoTime() + START_TIMEOUT.toNanos();
        while (streams.state() != KafkaStreams.State.RUNNING) {
            check();
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException("The bare pipeline is not running after " + START_TIMEOUT);
            }
            LockSupport.parkNanos(CHECK_NANOS);
        }
    }

    private void check() {
        Throwable thrown = fault.get();
        if (thrown != null) {
            throw new IllegalStateException("The bare pipeline has failed", thrown);
        }
    }

    Subject subject() {
        return new Subject(NAME, NAME, COMMANDS, EFFECTS, streams, BarePipeline::event, this::check);
    }

    /** Returns a record of the size of an event in JSON, which is not parsed. */
    private static ProducerRecord<byte[], byte[]> event(long event, String user) {
        String start = "{\"event\":" + event + ",\"filler\":\"";
        String body = start + "x".repeat(COMMAND_BYTES - start.length() - 2) + "\"}";
        return new ProducerRecord<>(
                COMMANDS, user.getBytes(StandardCharsets.US_ASCII), body.getBytes(StandardCharsets.US_ASCII));
    }

    private static Topology topology() {
        var topology = new Topology();
        topology.addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), COMMANDS);
        topology.addProcessor(PROCESS, BareProcessor::new, "source");
        List.of(USERS, DAYS, LEDGER).forEach(store -> topology.addStateStore(store(store), PROCESS));
        topology.addSink("effects", EFFECTS, new ByteArraySerializer(), new ByteArraySerializer(), PROCESS);
        return topology;
    }

    /** Without a record cache: each change is a write of RocksDB and a record of a changelog. */
    private static StoreBuilder<KeyValueStore<byte[], byte[]>> store(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.ByteArray(), Serdes.ByteArray())
                .withLoggingEnabled(Map.of())
                .withCachingDisabled();
    }

    @SuppressWarnings("NullAway.Init") // init sets the context and the stores
    private static final class BareProcessor implements Processor<byte[], byte[], byte[], byte[]> {
        private final byte[] noise = new byte[STATE_BYTES];
        private ProcessorContext<byte[], byte[]> context;
        private KeyValueStore<byte[], byte[]> users;
        private KeyValueStore<byte[], byte[]> days;
        private KeyValueStore<byte[], byte[]> ledger;

        BareProcessor() {
            // Random bytes, which compression cannot reduce.
            new Random(42).nextBytes(noise);
        }

        @Override
        public void init(ProcessorContext<byte[], byte[]> context) {
            this.context = context;
            users = context.getStateStore(USERS);
            days = context.getStateStore(DAYS);
            ledger = context.getStateStore(LEDGER);
        }

        @Override
        public void process(Record<byte[], byte[]> event) {
            byte[] before = users.get(event.key());
            byte[] state = Arrays.copyOf(before == null ? noise : before, STATE_BYTES);
            ByteBuffer buffer = ByteBuffer.wrap(state);
            long sequence = before == null ? 0 : buffer.getLong(0) + 1;
            buffer.putLong(0, sequence);
            users.put(event.key(), state);
            if (sequence % 10 == 3) {
                days.put(event.key(), Arrays.copyOf(state, DAY_BYTES));
            }
            if (sequence % 10 == 7) {
                ledger.put(ledgerKey(event.key(), sequence), Arrays.copyOf(state, LEDGER_BYTES));
            }
            if (sequence % 3 == 0) {
                context.forward(new Record<>(event.key(), Arrays.copyOf(state, EFFECT_BYTES), event.timestamp()));
            }
        }

        /** Returns a new key for each event, because a ledger grows. */
        private static byte[] ledgerKey(byte[] user, long sequence) {
            return ByteBuffer.allocate(user.length + Long.BYTES)
                    .put(user)
                    .putLong(sequence)
                    .array();
        }
    }

    @Override
    public void close() {
        streams.close(CLOSE_TIMEOUT);
    }
}
