package dev.laurel.gateway;

import dev.laurel.gateway.RequestCounts.Ending;
import dev.laurel.gateway.RequestCounts.Reason;
import dev.laurel.gateway.TargetLog.TargetLogFollower;
import dev.laurel.gateway.clock.TestClock;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.LocalRecords;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.access.SignedKey;
import dev.laurel.schemas.command.Command.NoteKeyUse;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.ErrorBody;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The write side of the HTTP interface: checks a request, puts it into the log and waits for the reply. A gateway has no state of
 * its own: if it fails, waiting clients lose their reply, and no event is lost.
 *
 * <p>After a fault (replies can no longer be read, or the producer has failed), every new request gets 503 and waiting ones get
 * 202. The gateway calls {@code onFault} once; the owner should then end the process.
 */
public final class Gateway implements AutoCloseable {

    /** Time without acknowledgements after which new requests are answered with 503. */
    private static final Duration STALL = Duration.ofSeconds(5);

    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CLIENT_STOP_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ACCESS_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration START_KEY_PAUSE = Duration.ofMillis(200);

    /** Commands that wait longer for a wider log are refused. */
    private static final Duration HOLD_TIMEOUT = Duration.ofSeconds(9);

    private static final int MAX_BLOCK_MS = 5_000;

    /** How much longer than a request may wait a former partition of replies is read: a waiter ends a little after its time. */
    private static final Duration READ_FORMER = Duration.ofSeconds(1);

    /** A reply ends the wait of a fetch, so this only limits the requests of an idle gateway. */
    private static final int FETCH_MAX_WAIT_MS = 2_000;

    private static final MeterName ANSWERS = MeterName.of(
            "laurel.gateway.answers",
            "Requests that were sent to the log, by the outcome of the wait for their answer.");
    private static final MeterName TURNED_AWAY = MeterName.of(
            "laurel.gateway.turned.away", "Requests that were answered 503 before anything was stored, by reason.");

    private final @Nullable GatewayGroup group;
    private final TargetLogFollower follower;
    private final KafkaPublisher publisher;
    private final ReplyConsumer replies;
    private final RequestReplyClient client;
    private final AccessView access;
    private final MeterScope meters;
    private final boolean isStrict;

    /**
     * What a gateway reads; already started, and closed by the caller.
     *
     * @param generations determine the log that commands go to
     */
    public record Tables(Rulesets rulesets, AccessView access, GenerationTable generations) {}

    /**
     * What the process of a gateway has.
     *
     * @param clock gives the time of receipt; a {@link TestClock} can be moved over HTTP
     * @param tracing traces requests into the log, and replies back
     * @param tails receives what the gateway writes
     * @param onFault called once, when the gateway has failed, on a thread of its Kafka clients; must not call {@link #close}
     */
    public record Surroundings(
            InstantSource clock, Tracing tracing, LocalRecords tails, Metrics metrics, Consumer<Throwable> onFault) {}

    /** Connects to Kafka. When this method returns, the gateway accepts requests. */
    public static Gateway start(GatewayConfig config, Tables tables, Surroundings process) {
        var consumer = replyConsumer(config);
        Producer<byte[], byte[]> producer = null;
        try {
            producer = producer(config, process.tails());
            return new Gateway(config, tables, process, consumer, producer);
        } catch (RuntimeException e) {
            consumer.close();
            if (producer != null) {
                producer.close(Duration.ZERO);
            }
            throw e;
        }
    }

    private Gateway(
            GatewayConfig config,
            Tables tables,
            Surroundings process,
            KafkaConsumer<byte[], byte[]> consumer,
            Producer<byte[], byte[]> producer) {
        GenerationTable generations = tables.generations();
        var log = new TargetLog(generations.inForce().log(), HOLD_TIMEOUT);
        // Fetch the metadata now, so that a missing topic or an unreachable broker fails the start, not the first
        // request.
        for (String topic : List.of(log.name(), Topics.RULESET_EDITS.name(), Topics.OUTBOX.name())) {
            producer.partitionsFor(topic);
        }
        int partition = config.replyPartition(
                consumer.partitionsFor(Topics.REPLIES.name(), START_TIMEOUT).size());
        var fault = new Fault(process.onFault());
        var waiters = new Waiters();
        var breaker = new LeaderboardCircuitBreaker(System::nanoTime);
        this.access = tables.access();
        GatewayConfig.Limits limits = config.limits();
        this.isStrict = limits.isStrict();
        this.replies = new ReplyConsumer(
                consumer, partition, limits.replyTimeout().plus(READ_FORMER), waiters, process.tracing(), fault);
        this.publisher = new KafkaPublisher(
                producer,
                replies::partition,
                process.clock(),
                STALL,
                process.tracing(),
                log,
                tables.rulesets()::newestVersion,
                fault);
        this.client = new RequestReplyClient(publisher, waiters, limits.maxInFlight(), limits.replyTimeout(), breaker);
        fault.client = client;
        replies.start(START_TIMEOUT);
        this.follower = new TargetLogFollower(log, generations, config.client(Map.of()), fault).start();
        this.group = config.isAlone() ? null : new GatewayGroup(config.client(Map.of()), replies).start();
        this.meters = process.metrics().scope();
        registerMeters(waiters, breaker);
    }

    private void registerMeters(Waiters waiters, LeaderboardCircuitBreaker breaker) {
        meters.gauge(
                "laurel.gateway.in.flight",
                "Requests in flight: not answered yet, or not acknowledged by the log yet.",
                client::inFlight);
        meters.gauge(
                "laurel.gateway.in.flight.limit",
                "Maximum number of requests in flight; further requests are answered 503.",
                client::maxInFlight);
        meters.gauge("laurel.gateway.waiters", "Requests that wait for their answer.", waiters::count);
        meters.gauge(
                "laurel.gateway.leaderboards.awaited",
                "1 while answers wait for leaderboards; 0 while they are sent without them, because"
                        + " leaderboards have not replied in time.",
                () -> breaker.isClosed() ? 1 : 0);
        meters.gauge(
                "laurel.gateway.unacknowledged",
                "Records that were sent to the log and are not acknowledged yet.",
                publisher::unacknowledged);
        for (Ending how : Ending.values()) {
            meters.counter(
                    ANSWERS,
                    Tags.of("outcome", IssueList.word(how)),
                    () -> client.counts().of(how));
        }
        for (Reason reason : Reason.values()) {
            meters.counter(
                    TURNED_AWAY,
                    Tags.of("reason", IssueList.word(reason)),
                    () -> client.counts().of(reason));
        }
        meters.counter(
                "laurel.gateway.replies.unreadable",
                "Records in the gateway's reply partition that are not replies and were skipped.",
                replies::unreadable);
        meters.gauge(
                "laurel.gateway.reply.partition",
                "Partition of laurel.replies through which new requests get their answers.",
                replies::partition);
        meters.gauge(
                "laurel.gateway.members",
                "Live gateways of the instance, as this one sees them; each enforces its share of the rate"
                        + " limits.",
                this::gateways);
    }

    private static Producer<byte[], byte[]> producer(GatewayConfig config, LocalRecords tails) {
        // One request at a time: a command goes out at once if no other is under way, otherwise together with all that
        // come meanwhile.
        return tails.producer(config.client(Map.of(
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                config.kafka().compression(),
                ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                true,
                ProducerConfig.LINGER_MS_CONFIG,
                0,
                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                1,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                MAX_BLOCK_MS)));
    }

    private static KafkaConsumer<byte[], byte[]> replyConsumer(GatewayConfig config) {
        return KafkaClients.consumer(
                config.client(Map.of()),
                Map.of(
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        config.limits().isStrict() ? "read_committed" : "read_uncommitted",
                        // Replies are kept for an hour: if the position no longer exists, continue with the newest
                        // replies.
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "latest",
                        ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
                        1,
                        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                        FETCH_MAX_WAIT_MS));
    }

    /**
     * Takes a reply, or a part of one, from a node in this process, which then need not travel through {@code laurel.replies}. The result
     * of the command may not be committed yet. Thread-safe; never blocks.
     *
     * @param headers as written by {@link ReplyHeaders}
     * @return false if the reply must travel: the request came through another gateway, or this one answers only with committed results
     */
    public boolean takeReply(Headers headers, byte[] body) {
        return !isStrict && client.takeReply(headers, body);
    }

    /** The number of live gateways of the instance, this one included, as far as this one knows; at least 1. */
    public int gateways() {
        return group == null ? 1 : group.gateways();
    }

    /** Notes that a key was used, in the list of its user. The note is lost if the log does not take it now. */
    public void noteUse(SignedKey key) {
        client.offer(key.owner(), new NoteKeyUse(UserChange.mention(key.owner().user()), key.id()));
    }

    /** Sends the requests of the routes. */
    public RequestReplyClient client() {
        return client;
    }

    /**
     * Registers the admin key that this process was started with as an admin key of the instance, and waits until this
     * gateway knows it. A key that was revoked, rotated or deleted after its first registration keeps that state.
     *
     * @return false if the gateway does not know the key in time
     * @throws IllegalStateException if the key is refused; the message has the reason
     */
    public boolean awaitStartKey(ApiKey key, Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        var edit = new AccessEdit.RegisterStartKey(key.prefix(), key.hash());
        while (!access.index().isKnownStartKey(key.hash())) {
            if (System.nanoTime() > deadlineNs) {
                return false;
            }
            if (client.ask(edit, null) instanceof RequestResult.Replied(int status, byte[] body, var _, var _)) {
                if (status >= 300) {
                    throw new IllegalStateException("the admin key is refused: "
                            + Json.read(body, ErrorBody.class).error());
                }
                access.awaitNewest(ACCESS_TIMEOUT);
            } else {
                Thread.sleep(START_KEY_PAUSE); // the log or its writer has not started yet
            }
        }
        return true;
    }

    /** Refuses new requests, leaves the group of gateways, waits up to ten seconds for those in flight, and closes the Kafka clients. */
    @Override
    public void close() {
        client.refuseAll("The gateway is stopping. Nothing was stored; try again.");
        if (group != null) {
            group.close();
        }
        try {
            client.awaitIdle(STOP_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        follower.close();
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
                Objects.requireNonNull(client, "set before the Kafka clients are used")
                        .abandon("The gateway has failed. Nothing was stored; try again.");
                owner.accept(cause);
            }
        }
    }
}
