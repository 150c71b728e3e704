package dev.laurel.bench;

import dev.laurel.deploy.cli.KafkaClients;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The reference: the cost of Kafka Streams, RocksDB and an HTTP server on this machine for the work of the ledger
 * without its logic. {@link BareTopology} describes the work, {@link BareFront} the HTTP server.
 */
final class BarePipeline implements Subject {
    private static final String APPLICATION_ID = "bare-pipeline";
    private static final int COMMAND_BYTES = 250;
    private static final long START_TIMEOUT_S = 60;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

    private final Subject.Environment environment;
    private final Path stateDirectory;
    private final LongAdder processed = new LongAdder();
    private final AtomicReference<@Nullable Throwable> fault = new AtomicReference<>();
    private final KafkaStreams streams;
    /** Stores by partition. */
    private final List<ReadOnlyKeyValueStore<byte[], byte[]>> users = new ArrayList<>();
    private final BareFront front;

    private BarePipeline(Subject.Environment environment) {
        this.environment = environment;
        stateDirectory = environment.directory().resolve("bare-state");
        createTopics();
        streams = new KafkaStreams(BareTopology.build(processed), properties());
        BareFront started = null;
        try {
            startStreams();
            for (int partition = 0; partition < environment.partitions(); partition++) {
                users.add(streams.store(StoreQueryParameters.fromNameAndType(BareTopology.USERS_STORE,
                        QueryableStoreTypes.<byte[], byte[]>keyValueStore()).withPartition(partition)));
            }
            started = new BareFront(environment.bootstrapServers(), this::readUser);
        } finally {
            if (started == null) {
                streams.close(CLOSE_TIMEOUT);
            }
        }
        front = started;
    }

    public static BarePipeline start(Subject.Environment environment) {
        return new BarePipeline(environment);
    }

    private void createTopics() {
        try (var admin = Admin.create(
                Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) environment.bootstrapServers()))) {
            short once = 1;
            KafkaClients.get(admin.createTopics(
                    List.of(new NewTopic(BareTopology.COMMANDS_TOPIC, environment.partitions(), once),
                            new NewTopic(BareTopology.EFFECTS_TOPIC, environment.partitions(), once),
                            new NewTopic(BareTopology.REPLIES_TOPIC, 1, once)))
                    .all());
        }
    }

    private Properties properties() {
        var properties = new Properties();
        properties.putAll(environment.streamsSettings());
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION_ID);
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, environment.bootstrapServers());
        properties.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
        return properties;
    }

    private void startStreams() {
        var running = new CountDownLatch(1);
        streams.setStateListener((now, before) -> {
            if (now == KafkaStreams.State.RUNNING || now == KafkaStreams.State.ERROR) {
                running.countDown();
            }
        });
        streams.setUncaughtExceptionHandler(thrown -> {
            fault.compareAndSet(null, thrown);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.start();
        try {
            if (!running.await(START_TIMEOUT_S, TimeUnit.SECONDS)) {
                throw new IllegalStateException("The bare pipeline is not running after " + START_TIMEOUT_S + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while starting", e);
        }
        processed();
    }

    /** Computes the partition like Kafka's default partitioner, so that one store is read. */
    private byte[] readUser(byte[] key) {
        return users.get(Utils.toPositive(Utils.murmur2(key)) % environment.partitions()).get(key);
    }

    @Override
    public String name() {
        return "bare";
    }

    @Override
    public String applicationId() {
        return APPLICATION_ID;
    }

    @Override
    public String effectsTopic() {
        return BareTopology.EFFECTS_TOPIC;
    }

    @Override
    public ProducerRecord<byte[], byte[]> event(long event, String user, long atMs) {
        return new ProducerRecord<>(BareTopology.COMMANDS_TOPIC, null, atMs, user.getBytes(StandardCharsets.US_ASCII),
                body(event));
    }

    @Override
    public String userOf(long event) {
        return environment.users().nameOf(event);
    }

    @Override
    public long processed() {
        Throwable thrown = fault.get();
        if (thrown != null) {
            throw new IllegalStateException("The bare pipeline has failed", thrown);
        }
        return processed.sum();
    }

    @Override
    public KafkaStreams streams() {
        return streams;
    }

    @Override
    public InetSocketAddress httpAddress() {
        return front.address();
    }

    @Override
    public byte[] eventRequest(long event) {
        String body = new String(body(event), StandardCharsets.US_ASCII);
        return ("POST /bare/" + userOf(event) + " HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public byte[] readRequest(long user) {
        return ("GET /bare/user-" + user + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public List<Path> directories() {
        return List.of(stateDirectory);
    }

    @Override
    public void close() {
        front.close();
        streams.close(CLOSE_TIMEOUT);
    }

    /** Returns a body of the size of a metric event in JSON, which is not parsed. */
    private static byte[] body(long event) {
        String start = "{\"event\":" + event + ",\"filler\":\"";
        return (start + "x".repeat(COMMAND_BYTES - start.length() - 2) + "\"}").getBytes(StandardCharsets.US_ASCII);
    }
}
