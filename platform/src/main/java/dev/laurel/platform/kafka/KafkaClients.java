package dev.laurel.platform.kafka;

import dev.laurel.platform.command.CommandFailed;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/**
 * Makes the consumers, the producers of bytes and the admin clients of all processes. A consumer reads bytes of committed records,
 * commits no offsets, creates no topic, and fails at an offset that does not exist, unless its settings say otherwise. What takes a {@link
 * KafkaAccess} or returns what brokers answer is for commands: it blocks, and each failure is a {@link CommandFailed} whose message an
 * operator can act on.
 */
public final class KafkaClients {

    /** How long a process waits for what Kafka usually does within a second: long enough for brokers that take over from others. */
    public static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** How long a consumer waits for records at once, unless it is woken up. */
    public static final Duration POLL = Duration.ofSeconds(1);

    /** How long a client that is closed waits for what it has sent. */
    public static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private static final Map<String, Object> CONSUMER = Map.of(
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false,
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            false,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            "none",
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed");

    private static final int API_TIMEOUT_MS = 15_000;
    private static final int CONNECT_TIMEOUT_MS = 3_000;

    private KafkaClients() {}

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

    /** @param clientConfig settings of all clients @param own settings of this one, which take precedence */
    public static Producer<byte[], byte[]> producer(Map<String, ?> clientConfig, Map<String, ?> own) {
        var settings = new HashMap<String, Object>(clientConfig);
        settings.putAll(own);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Creates an admin client after checking that at least one broker accepts connections. */
    public static Admin admin(KafkaAccess kafka) {
        expectReachable(kafka.bootstrapServers());
        return admin(
                kafka,
                Map.of(
                        AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                        API_TIMEOUT_MS,
                        AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        API_TIMEOUT_MS / 3));
    }

    /** Creates an admin client with these settings, without connecting. */
    public static Admin admin(KafkaAccess kafka, Map<String, ?> settings) {
        try {
            return admin(kafka.with(settings));
        } catch (KafkaException e) {
            throw unusable(kafka, e);
        }
    }

    /**
     * Checks that one of these addresses accepts connections. Kafka's own clients retry forever and log every attempt, which
     * hides a mistyped address.
     */
    public static void expectReachable(String bootstrapServers) {
        String reason = "no address is given";
        for (String address : bootstrapServers.split(",")) {
            String host = Utils.getHost(address.strip());
            Integer port = Utils.getPort(address.strip());
            if (host == null || port == null) {
                throw new CommandFailed("'" + address + "' is not of the form host:port");
            }
            try (var socket = new Socket()) {
                socket.connect(new InetSocketAddress(host, port), CONNECT_TIMEOUT_MS);
                return;
            } catch (IOException | IllegalArgumentException e) {
                reason = textOf(e);
            }
        }
        throw new CommandFailed("cannot reach Kafka at " + bootstrapServers + " (" + reason + "); is it running?");
    }

    /** Describes why no client could be created. The innermost cause names the wrong file or setting. */
    public static CommandFailed unusable(KafkaAccess kafka, KafkaException e) {
        Throwable reason = e;
        while (reason.getCause() != null) {
            reason = reason.getCause();
        }
        return new CommandFailed("cannot talk to Kafka at " + kafka.bootstrapServers() + ": " + textOf(reason), e);
    }

    private static String textOf(Throwable thrown) {
        return Objects.requireNonNullElse(thrown.getMessage(), thrown.toString());
    }

    /** Waits for a response of the cluster. */
    public static <T> T get(KafkaFuture<T> response) {
        return get(response, Duration.ofMillis(API_TIMEOUT_MS));
    }

    static <T> T get(KafkaFuture<T> response, Duration timeout) {
        return get(response, timeout, "Kafka refused");
    }

    /** Waits for what Kafka does. @param problem begins the message of a refusal */
    public static <T> T get(Future<T> response, Duration timeout, String problem) {
        try {
            return response.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new CommandFailed(problem + ": " + textOf(Objects.requireNonNullElse(e.getCause(), e)), e);
        } catch (TimeoutException e) {
            throw new CommandFailed("Kafka did not answer within " + timeout.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while talking to Kafka", e);
        }
    }

    /** The names of the topics that exist. */
    public static Set<String> topics(Admin admin) {
        return get(admin.listTopics().names());
    }

    /** Describes an existing topic. */
    public static TopicDescription describe(Admin admin, String topic) {
        return get(admin.describeTopics(List.of(topic)).allTopicNames())
                .values()
                .iterator()
                .next();
    }

    /** Returns the settings of topics or of brokers by their names, those of a broker by its id. */
    public static Map<String, Config> settings(Admin admin, ConfigResource.Type type, Collection<String> names) {
        List<ConfigResource> resources =
                names.stream().map(name -> new ConfigResource(type, name)).toList();
        var settings = new HashMap<String, Config>();
        get(admin.describeConfigs(resources).all()).forEach((resource, found) -> settings.put(resource.name(), found));
        return settings;
    }

    /** Returns all partitions of a topic in order. */
    public static List<TopicPartition> partitions(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    /** Returns an offset of each of these partitions, all of which must have a leader. */
    public static Map<TopicPartition, Long> offsets(
            Admin admin, Collection<TopicPartition> partitions, OffsetSpec which, IsolationLevel isolation) {
        var specs = partitions.stream().collect(Collectors.toMap(Function.identity(), _ -> which));
        var offsets = new HashMap<TopicPartition, Long>();
        get(admin.listOffsets(specs, new ListOffsetsOptions(isolation)).all())
                .forEach((partition, found) -> offsets.put(partition, found.offset()));
        return offsets;
    }
}
