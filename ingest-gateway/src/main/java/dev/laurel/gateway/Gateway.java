package dev.laurel.gateway;

import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.clock.TestClock;
import dev.laurel.gateway.clock.TimeTravel;
import dev.laurel.gateway.http.AchievementRoutes;
import dev.laurel.gateway.http.AdminUserRoutes;
import dev.laurel.gateway.http.BoostRoutes;
import dev.laurel.gateway.http.Configuration;
import dev.laurel.gateway.http.Edits;
import dev.laurel.gateway.http.EventBatchRoutes;
import dev.laurel.gateway.http.EventRoutes;
import dev.laurel.gateway.http.KeyRoutes;
import dev.laurel.gateway.http.ObjectRoutes;
import dev.laurel.gateway.http.RulesetRoutes;
import dev.laurel.gateway.http.SettingsRoutes;
import dev.laurel.gateway.http.StreakRoutes;
import dev.laurel.gateway.http.TemplateRoutes;
import dev.laurel.gateway.http.TenantRoutes;
import dev.laurel.gateway.http.TestClockRoutes;
import dev.laurel.gateway.http.UnsubscribeRoutes;
import dev.laurel.gateway.http.UserRoutes;
import dev.laurel.gateway.http.WebhookRoutes;
import dev.laurel.gateway.publish.KafkaPublisher;
import dev.laurel.gateway.publish.LogFollower;
import dev.laurel.gateway.publish.WrittenLog;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.gateway.reply.PartsPatience;
import dev.laurel.gateway.reply.ReplyConsumer;
import dev.laurel.gateway.reply.Waiters;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.metrics.MeterScope;
import dev.laurel.schemas.metrics.Metrics;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.GenerationTable;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.trace.Tracing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The write side of the HTTP interface: checks a request, puts it into the log, waits for the answer. It keeps nothing:
 * when it dies, those who wait lose their answer and nobody loses an event.
 *
 * <p>After a fault (answers can no longer be read, or the producer cannot go on) every request gets 503 and those that
 * wait get 202; the owner is told once, through {@code onFault}, and should end the process.
 */
public final class Gateway implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration TIME_TRAVEL_TIMEOUT = Duration.ofSeconds(50);
    private static final Duration CLIENT_STOP_TIMEOUT = Duration.ofSeconds(5);

    /** Commands that wait for a wider log are turned away after that: clients do not wait for ever either. */
    private static final Duration HOLD_PATIENCE = Duration.ofSeconds(9);
    private static final int MAX_BLOCK_MS = 5_000;
    private static final int FETCH_MAX_WAIT_MS = 100;

    /** Null where the log never is replaced. */
    private final LogFollower follower;
    private final KafkaPublisher publisher;
    private final ReplyConsumer replies;
    private final Exchange exchange;
    private final Waiters waiters;
    private final StartKeys startKeys;
    private final Routes routes;
    private final MeterScope meters;

    private Gateway(LogFollower follower, KafkaPublisher publisher, ReplyConsumer replies, Exchange exchange,
            Waiters waiters,
            StartKeys startKeys, Routes routes, MeterScope meters) {
        this.follower = follower;
        this.publisher = publisher;
        this.replies = replies;
        this.exchange = exchange;
        this.waiters = waiters;
        this.startKeys = startKeys;
        this.routes = routes;
        this.meters = meters;
    }

    /** One that follows no request, with metrics of its own, where the log never is replaced. */
    public static Gateway start(GatewayConfig config, Rulesets rulesets, AccessView access, InstantSource clock,
            Consumer<Throwable> onFault) {
        return start(config, rulesets, access, null, clock, Tracing.NONE, new Metrics(), onFault);
    }

    /**
     * Connects to Kafka; when this returns, a request may come.
     *
     * @param rulesets followed already; stays the caller's to close, as does {@code access}
     * @param generations say which log commands go to; followed already, the caller's to close. Null: it is the first one
     * @param clock gives the time of receipt; a {@link TestClock} can be moved over HTTP
     * @param tracing follows requests into the log, and answers back
     * @param metrics of this process
     * @param onFault told once that the gateway cannot go on, on a thread of its Kafka clients: it must not call
     *        {@link #close} itself
     */
    public static Gateway start(GatewayConfig config, Rulesets rulesets, AccessView access,
            GenerationTable generations, InstantSource clock, Tracing tracing, Metrics metrics,
            Consumer<Throwable> onFault) {
        var consumer = replyConsumer(config);
        Producer<byte[], byte[]> producer = null;
        try {
            producer = producer(config);
            // Known before the first request: a missing topic or an unreachable broker fails here, not there.
            var log = new WrittenLog(
                    generations == null ? Topics.COMMANDS.name() : generations.inForce().log(), HOLD_PATIENCE);
            producer.partitionsFor(log.name());
            producer.partitionsFor(Topics.RULESET_EDITS.name());
            producer.partitionsFor(Topics.OUTBOX.name());
            int partition = config.replyPartition(
                    consumer.partitionsFor(Topics.REPLIES.name(), START_TIMEOUT).size());
            var fault = new Fault(onFault);
            var publisher = new KafkaPublisher(producer, partition, clock, config.stall(), tracing, log, fault);
            var waiters = new Waiters();
            var patience = new PartsPatience(System::nanoTime);
            var exchange = new Exchange(publisher, waiters, config.maxInFlight(), config.replyTimeout(), patience);
            fault.exchange = exchange;
            var replies = new ReplyConsumer(consumer, partition, waiters, tracing, fault);
            replies.start(START_TIMEOUT);
            LogFollower follower = generations == null
                    ? null
                    : new LogFollower(log, generations, config.client(Map.of()), fault).start();
            MeterScope meters = metrics.scope();
            GatewayMeters.register(meters, exchange, waiters, patience, publisher, replies);
            return new Gateway(follower, publisher, replies, exchange, waiters, new StartKeys(exchange, access),
                    routes(config, rulesets, access, clock, exchange), meters);
        } catch (RuntimeException e) {
            consumer.close();
            if (producer != null) {
                producer.close(Duration.ZERO);
            }
            throw e;
        }
    }

    private static Routes routes(GatewayConfig config, Rulesets rulesets, AccessView access, InstantSource clock,
            Exchange exchange) {
        var admissions = new Admissions(rulesets);
        var edits = new Edits(exchange, rulesets, access, config.replyTimeout());
        var configuration = new Configuration(rulesets, config.replyTimeout());
        List<Routes> parts = new ArrayList<>(
                List.of(new EventRoutes(admissions, exchange), new AchievementRoutes(admissions, exchange),
                        new UserRoutes(admissions, exchange), new RulesetRoutes(edits, configuration, clock),
                        new ObjectRoutes(edits),
                        new SettingsRoutes(edits), new WebhookRoutes(edits, exchange, configuration, clock),
                        new TemplateRoutes(exchange, configuration),
                        new KeyRoutes(edits, configuration),
                        new TenantRoutes(edits), new BoostRoutes(edits, exchange, configuration),
                        new StreakRoutes(exchange, configuration),
                        new EventBatchRoutes(admissions, exchange, clock),
                        new AdminUserRoutes(exchange, edits, access),
                        new UnsubscribeRoutes(rulesets, access, exchange)));
        if (clock instanceof TestClock virtual) {
            parts.add(new TestClockRoutes(new TimeTravel(virtual, exchange, TIME_TRAVEL_TIMEOUT)));
        }
        return routes -> parts.forEach(part -> part.mount(routes));
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
                // Should the place be gone (an answer is kept for an hour), the newest answers are those awaited.
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest", ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1,
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MS)), new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** The routes to mount on a {@code HttpServer}. */
    public Routes routes() {
        return routes;
    }

    /**
     * Waits until the admin key that this process was started with is known here, as an admin key like any other: somebody may
     * have revoked, rotated or deleted it since it was first given, for good. Waits longer while it is asked for.
     *
     * @return false if it is not known in time
     * @throws IllegalStateException if it is refused, with the reason
     */
    public boolean awaitStartKey(ApiKey key, Duration timeout) throws InterruptedException {
        return startKeys.register(key, timeout);
    }

    /** Requests in flight: not answered, or not acknowledged by the log yet. */
    public int inFlight() {
        return exchange.inFlight();
    }

    /** Requests that wait for their answer. */
    public int waiters() {
        return waiters.count();
    }

    /** Records passed over in the partition of answers, since they were none. */
    public long unreadableReplies() {
        return replies.unreadable();
    }

    /** Turns new requests away, lets those in flight finish (up to ten seconds), and closes the Kafka clients. */
    @Override
    public void close() {
        exchange.refuseAll("The gateway is stopping. Nothing was stored; try again.");
        try {
            exchange.awaitIdle(STOP_TIMEOUT);
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

    /** Stops the exchange at the first fault and tells the owner of it. */
    private static final class Fault implements Consumer<Throwable> {
        private final Consumer<Throwable> owner;
        private final AtomicBoolean isTold = new AtomicBoolean();
        private volatile Exchange exchange;

        private Fault(Consumer<Throwable> owner) {
            this.owner = owner;
        }

        @Override
        public void accept(Throwable cause) {
            if (isTold.compareAndSet(false, true)) {
                exchange.abandon("The gateway has failed. Nothing was stored; try again.");
                owner.accept(cause);
            }
        }
    }
}
