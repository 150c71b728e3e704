package dev.laurel.gateway;

import dev.laurel.gateway.clock.TestClock;
import dev.laurel.gateway.http.GatewayRoutes;
import dev.laurel.gateway.publish.KafkaPublisher;
import dev.laurel.gateway.publish.TargetLog;
import dev.laurel.gateway.publish.TargetLogFollower;
import dev.laurel.gateway.reply.LeaderboardCircuitBreaker;
import dev.laurel.gateway.reply.ReplyConsumer;
import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.gateway.reply.Waiters;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The write side of the HTTP interface: it checks a request, puts it into the log and waits for the reply. It has no state of its
 * own: when it dies, waiting clients lose their reply, and no event is lost.
 *
 * <p>After a fault (replies can no longer be read, or the producer has failed) every new request gets 503 and waiting ones get 202.
 * The gateway calls {@code onFault} once; the owner should then end the process.
 */
public final class Gateway implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLIENT_STOP_TIMEOUT = Duration.ofSeconds(5);

    /** Commands that wait longer for a wider log are turned away. */
    private static final Duration HOLD_TIMEOUT = Duration.ofSeconds(9);
    private static final int MAX_BLOCK_MS = 5_000;
    private static final int FETCH_MAX_WAIT_MS = 100;

    /** Null if the log is never replaced. */
    private final @Nullable TargetLogFollower follower;
    private final KafkaPublisher publisher;
    private final ReplyConsumer replies;
    private final RequestReplyClient client;
    private final Waiters waiters;
    private final StartKeyRegistration startKeys;
    private final Routes routes;
    private final MeterScope meters;

    private Gateway(@Nullable TargetLogFollower follower, KafkaPublisher publisher, ReplyConsumer replies,
            RequestReplyClient client,
            Waiters waiters,
            StartKeyRegistration startKeys, Routes routes, MeterScope meters) {
        this.follower = follower;
        this.publisher = publisher;
        this.replies = replies;
        this.client = client;
        this.waiters = waiters;
        this.startKeys = startKeys;
        this.routes = routes;
        this.meters = meters;
    }

    /** Starts a gateway without tracing, with its own metrics, for a log that is never replaced. */
    public static Gateway start(GatewayConfig config, Rulesets rulesets, AccessView access, InstantSource clock,
            Consumer<Throwable> onFault) {
        return start(config, rulesets, access, null, clock, Tracing.NONE, new Metrics(), onFault);
    }

    /**
     * Connects to Kafka. When this method returns, the gateway accepts requests.
     *
     * @param rulesets already followed; the caller closes it, as well as {@code access}
     * @param generations determine the log that commands go to; already followed, closed by the caller. Null for the first log
     * @param clock gives the time of receipt; a {@link TestClock} can be moved over HTTP
     * @param tracing traces requests into the log, and replies back
     * @param metrics of this process
     * @param onFault called once when the gateway has failed, on a thread of its Kafka clients; it must not call {@link #close}
     */
    public static Gateway start(GatewayConfig config, Rulesets rulesets, AccessView access,
            @Nullable GenerationTable generations, InstantSource clock, Tracing tracing, Metrics metrics,
            Consumer<Throwable> onFault) {
        var consumer = replyConsumer(config);
        Producer<byte[], byte[]> producer = null;
        try {
            producer = producer(config);
            // Fetches metadata now, so that a missing topic or an unreachable broker fails the start, not the first request.
            var log = new TargetLog(
                    generations == null ? Topics.COMMANDS.name() : generations.inForce().log(), HOLD_TIMEOUT);
            producer.partitionsFor(log.name());
            producer.partitionsFor(Topics.RULESET_EDITS.name());
            producer.partitionsFor(Topics.OUTBOX.name());
            int partition = config.replyPartition(
                    consumer.partitionsFor(Topics.REPLIES.name(), START_TIMEOUT).size());
            var fault = new Fault(onFault);
            var publisher = new KafkaPublisher(producer, partition, clock, config.stall(), tracing, log, fault);
            var waiters = new Waiters();
            var breaker = new LeaderboardCircuitBreaker(System::nanoTime);
            var client = new RequestReplyClient(publisher, waiters, config.maxInFlight(), config.replyTimeout(),
                    breaker);
            fault.client = client;
            var replies = new ReplyConsumer(consumer, partition, waiters, tracing, fault);
            replies.start(START_TIMEOUT);
            TargetLogFollower follower = generations == null
                    ? null
                    : new TargetLogFollower(log, generations, config.client(Map.of()), fault).start();
            MeterScope meters = metrics.scope();
            GatewayMeters.register(meters, client, waiters, breaker, publisher, replies);
            return new Gateway(follower, publisher, replies, client, waiters, new StartKeyRegistration(client, access),
                    new GatewayRoutes(client, rulesets, access, clock, config.replyTimeout()), meters);
        } catch (RuntimeException e) {
            consumer.close();
            if (producer != null) {
                producer.close(Duration.ZERO);
            }
            throw e;
        }
    }

    private static Producer<byte[], byte[]> producer(GatewayConfig config) {
        return new KafkaProducer<>(config.client(Map.of(ProducerConfig.ACKS_CONFIG, "all",
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true, ProducerConfig.LINGER_MS_CONFIG, 0,
                ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MS)), new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static KafkaConsumer<byte[], byte[]> replyConsumer(GatewayConfig config) {
        return new KafkaConsumer<>(config.client(Map.of(ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                config.isStrict() ? "read_committed" : "read_uncommitted", ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false, ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false,
                // If the position no longer exists (replies are kept for an hour), requests wait for the newest replies.
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest", ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1,
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MS)), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** The routes to mount on an {@code HttpServer}. */
    public Routes routes() {
        return routes;
    }

    /**
     * Registers the admin key that this process was started with, as an admin key like any other, and waits until this gateway
     * knows it. A key that was revoked, rotated or deleted after its first registration stays so.
     *
     * @return false if it is not known in time
     * @throws IllegalStateException if it is refused, with the reason
     */
    public boolean awaitStartKey(ApiKey key, Duration timeout) throws InterruptedException {
        return startKeys.register(key, timeout);
    }

    /** The number of requests that are not answered, or not acknowledged by the log yet. */
    public int inFlight() {
        return client.inFlight();
    }

    /** The number of requests that wait for their reply. */
    public int waiters() {
        return waiters.count();
    }

    /** The number of records that were skipped because they are not replies. */
    public long unreadableReplies() {
        return replies.unreadable();
    }

    /** Turns new requests away, waits up to ten seconds for those in flight, and closes the Kafka clients. */
    @Override
    public void close() {
        client.refuseAll("The gateway is stopping. Nothing was stored; try again.");
        try {
            client.awaitIdle(STOP_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (follower != null) {
            follower.close();
        }
        publisher.close(CLIENT_STOP_TIMEOUT);
        replies.close();
        meters.close();
    }

    /** At the first fault, stops the request client and calls the owner. */
    private static final class Fault implements Consumer<Throwable> {
        private final Consumer<Throwable> owner;
        private final AtomicBoolean isReported = new AtomicBoolean();
        private volatile @Nullable RequestReplyClient client;

        private Fault(Consumer<Throwable> owner) {
            this.owner = owner;
        }

        @Override
        public void accept(Throwable cause) {
            if (isReported.compareAndSet(false, true)) {
                // It is set before the first request is sent and before the consumer starts, so before any fault.
                Objects.requireNonNull(client).abandon("The gateway has failed. Nothing was stored; try again.");
                owner.accept(cause);
            }
        }
    }
}
