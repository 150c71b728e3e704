package dev.laurel.platform.kafka;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Access to Kafka for commands: admin clients, their responses, and the small compacted topics. Every failure is a
 * {@link CommandFailed} whose message an operator can act on. Blocks the caller.
 */
public final class KafkaClients {

    private static final int TIMEOUT_MS = 15_000;
    private static final int CONNECT_TIMEOUT_MS = 3_000;
    private static final Duration TABLE_TIMEOUT = Duration.ofSeconds(15);

    private KafkaClients() {}

    /** Creates an admin client after checking that at least one broker accepts connections. */
    public static Admin admin(KafkaAccess kafka) {
        expectReachable(kafka.bootstrapServers());
        return admin(kafka, Map.of(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 3));
    }

    /** Creates an admin client with these settings, without connecting. */
    public static Admin admin(KafkaAccess kafka, Map<String, ?> settings) {
        try {
            return Clients.admin(kafka.with(settings));
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
        try {
            return response.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new CommandFailed("Kafka refused: " + textOf(Objects.requireNonNullElse(e.getCause(), e)), e);
        } catch (TimeoutException e) {
            throw new CommandFailed("Kafka did not answer within " + TIMEOUT_MS / 1000 + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while talking to Kafka", e);
        }
    }

    /** Describes an existing topic. */
    public static TopicDescription describe(Admin admin, String topic) {
        return get(admin.describeTopics(List.of(topic)).allTopicNames()).values().iterator().next();
    }

    /** Returns all partitions of a topic in order. */
    public static List<TopicPartition> partitions(String topic, int count) {
        return IntStream.range(0, count).mapToObj(partition -> new TopicPartition(topic, partition)).toList();
    }

    /** Returns an offset of each of these partitions, all of which must have a leader. */
    public static Map<TopicPartition, Long> offsets(Admin admin, Collection<TopicPartition> partitions,
            OffsetSpec which, IsolationLevel isolation) {
        var specs = partitions.stream().collect(Collectors.toMap(Function.identity(), _ -> which));
        var offsets = new HashMap<TopicPartition, Long>();
        get(admin.listOffsets(specs, new ListOffsetsOptions(isolation)).all())
                .forEach((partition, found) -> offsets.put(partition, found.offset()));
        return offsets;
    }

    /** Reads the generations once; the topic must exist. */
    public static <R> R readGenerations(KafkaAccess kafka, Function<GenerationTable, R> query) {
        return read(kafka, Topics.GENERATIONS.name(),
                onFault -> new GenerationTable(kafka.clientProperties(), onFault), query);
    }

    /** Reads keys and tenants once; the topic must exist. */
    public static <R> R readAccess(KafkaAccess kafka, Function<AccessTable, R> query) {
        return read(kafka, Topics.ACCESS.name(), onFault -> new AccessTable(kafka.clientProperties(), onFault), query);
    }

    private static <T extends TopicTable<?, ?>, R> R read(KafkaAccess kafka, String topic,
            Function<Consumer<Throwable>, T> tables, Function<T, R> query) {
        var fault = new AtomicReference<@Nullable Throwable>();
        try (T table = tables.apply(fault::set)) {
            table.start();
            table.awaitCaughtUp(TABLE_TIMEOUT);
            return query.apply(table);
        } catch (IllegalStateException e) {
            Throwable cause = fault.get() == null ? e : fault.get();
            throw new CommandFailed("Kafka at " + kafka.bootstrapServers() + " refuses to read " + topic + ": "
                    + cause.getMessage(), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while reading " + topic, e);
        }
    }
}
