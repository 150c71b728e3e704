package dev.laurel.producer;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands of users to the topics of direct producers, from which Laurel takes them into its log:
 *
 * <pre>{@code
 * try (LaurelProducer laurel = LaurelProducer.connect(Map.of("bootstrap.servers", "127.0.0.1:9092"))) {
 *     laurel.send(UserCommand.identify(User.of("swimmer-12").name("Ida")).build());
 *     laurel.send(UserCommand.event(User.of("swimmer-12"), "laps-swum", new BigDecimal("12"))
 *             .idempotencyKey("swim-8843").build());
 * }
 * }</pre>
 *
 * <p>The commands of a user keep their order. Kafka's client repeats what is not acknowledged, without doubling it. A program that
 * may be restarted between a command and its acknowledgement gives events an idempotency key and sends them again.
 *
 * <p>Thread-safe. Close it, so that what was sent is acknowledged.
 */
public final class LaurelProducer implements AutoCloseable {

    /** The topic in which users of all tenants count. */
    public static final String TOPIC = "laurel.direct";

    private static final Map<String, Object> FIXED = Map.of(
            ProducerConfig.ACKS_CONFIG,
            "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
            ByteArraySerializer.class,
            ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
            ByteArraySerializer.class);

    private final Producer<byte[], byte[]> producer;
    private final @Nullable String owner;
    private final String topic;

    /** @param owner the only tenant whose users are changed; null: the tenant is given with each command, if there are any */
    LaurelProducer(Producer<byte[], byte[]> producer, @Nullable String owner) {
        this.producer = producer;
        this.owner = owner;
        this.topic = owner == null ? TOPIC : topicOf(owner);
    }

    /**
     * Connects a producer to the topic for all users. Its login needs the right to write {@value #TOPIC}.
     *
     * @param config settings of Kafka's producer, at least {@code bootstrap.servers}; acknowledgements and serializers are given
     * @throws IllegalArgumentException if a setting is one of those
     */
    public static LaurelProducer connect(Map<String, ?> config) {
        return new LaurelProducer(kafkaProducer(config), null);
    }

    /**
     * Connects a producer to the topic of one tenant. Its login needs the right to write {@link #topicOf that topic}, and no other.
     *
     * @param config see {@link #connect(Map)}
     * @param tenant customer id of the tenant
     */
    public static LaurelProducer connect(Map<String, ?> config, String tenant) {
        return new LaurelProducer(kafkaProducer(config), tenant);
    }

    private static Producer<byte[], byte[]> kafkaProducer(Map<String, ?> config) {
        return new KafkaProducer<>(settings(config));
    }

    static Map<String, Object> settings(Map<String, ?> config) {
        var all = new HashMap<String, Object>(config);
        FIXED.forEach((name, value) -> {
            Object given = all.put(name, value);
            if (given != null && !given.toString().equals(value.toString())) {
                throw new IllegalArgumentException(name + " must be " + value + ", leave it out");
            }
        });
        return all;
    }

    /**
     * The topic of a tenant, in which only its users count. In the name, every UTF-8 byte of the customer id that is not a letter or
     * digit of ASCII, {@code .} or {@code -} is {@code _} with two hexadecimal digits.
     */
    public static String topicOf(String tenant) {
        var name = new StringBuilder(TOPIC).append('.');
        for (byte b : tenant.getBytes(UTF_8)) {
            boolean isPlain =
                    b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '.' || b == '-';
            if (isPlain) {
                name.append((char) b);
            } else {
                name.append('_').append(HexFormat.of().toHexDigits(b));
            }
        }
        return name.toString();
    }

    /**
     * Sends a command of a user of the producer's tenant, or of an instance without tenants, or of the first tenant. Blocks while Kafka's
     * client has no room for more.
     *
     * @return completes with the place of the record when all copies of the topic have it, or with the failure; a failure to reach
     *         Kafka comes after two minutes, and then the record may or may not be there
     */
    public CompletableFuture<RecordMetadata> send(UserCommand command) {
        return write(encoded(command.user()), command);
    }

    /**
     * Sends a command of a user of this tenant.
     *
     * @param tenant customer id
     * @throws IllegalArgumentException if this is the producer of another tenant
     */
    public CompletableFuture<RecordMetadata> send(String tenant, UserCommand command) {
        if (tenant.isEmpty() || owner != null && !owner.equals(tenant)) {
            throw new IllegalArgumentException(
                    "tenant is '" + tenant + "', must be " + (owner == null ? "a customer id" : "'" + owner + "'"));
        }
        return write(encoded(tenant) + "/" + encoded(command.user()), command);
    }

    private CompletableFuture<RecordMetadata> write(String key, UserCommand command) {
        var place = new CompletableFuture<RecordMetadata>();
        Long timeMs = command.time() == null ? null : command.time().toEpochMilli();
        producer.send(
                new ProducerRecord<>(topic, null, timeMs, key.getBytes(UTF_8), command.json()), (metadata, failure) -> {
                    if (failure == null) {
                        place.complete(metadata);
                    } else {
                        place.completeExceptionally(failure);
                    }
                });
        return place;
    }

    private static String encoded(String part) {
        return part.replace("%", "%25").replace("/", "%2F");
    }

    /** Waits until everything that was sent is acknowledged or has failed. */
    public void flush() {
        producer.flush();
    }

    /** Waits like {@link #flush}, and closes the connections. */
    @Override
    public void close() {
        producer.close();
    }

    /** Closes after this time at the latest; what is not acknowledged by then fails. */
    public void close(Duration timeout) {
        producer.close(timeout);
    }
}
