package dev.laurel.processors.delivery.webhook;

import dev.laurel.platform.kafka.PollWakeup;
import dev.laurel.processors.delivery.DeliveryCounts;
import dev.laurel.processors.delivery.DeliveryReplies;
import dev.laurel.processors.delivery.ReportCounters;
import dev.laurel.processors.delivery.queue.InFlightLimits;
import dev.laurel.processors.delivery.throttle.Throttle;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.WebhookDelivery.Later;
import dev.laurel.processors.store.WebhookDelivery.Position;
import dev.laurel.processors.store.WebhookDelivery;
import dev.laurel.processors.store.WebhookStore.Endpoint;
import dev.laurel.processors.store.WebhookStore;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.wire.WebhookPayload;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

/**
 * The step that delivers events to webhooks (docs/webhooks.md §1): throttles some, stores deliveries, sends them by
 * {@link WebhookDispatcher}, and deletes expired ones. One task, one thread; initialised again when its task is revived.
 */
final class WebhookProcessor implements Processor<byte[], Outgoing, Integer, byte[]> {

    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration SWEEP_INTERVAL = Duration.ofMillis(200);
    private static final byte[] NO_KEY = {};

    private final Settings settings;
    private final Throttle.Environment throttled;
    private final WebhookSender sender;
    private final DeliveryCounts counts;
    private final ReportCounters.Source counters;

    /** Null before the start and after the end of the task. */
    private @Nullable Step step;

    WebhookProcessor(Settings settings, Throttle.Environment throttled, WebhookSender sender, DeliveryCounts counts,
            ReportCounters.Source counters) {
        this.settings = settings;
        this.throttled = throttled;
        this.sender = sender;
        this.counts = counts;
        this.counters = counters;
    }

    @Override
    public void init(ProcessorContext<Integer, byte[]> context) {
        var started = new Step(context);
        step = started;
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, _ -> started.tick());
        context.schedule(SWEEP_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> started.sweep());
        context.schedule(Throttle.CHECK_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> started.throttle.check());
    }

    @Override
    public void process(Record<byte[], Outgoing> record) {
        requireNonNull(step, "a processor is initialised before its first record").process(record);
    }

    @Override
    public void close() {
        if (step != null) {
            step.close();
            step = null;
        }
    }

    /** The step in one life of the task. */
    private final class Step implements Throttle.Deliveries {

        private final ProcessorContext<Integer, byte[]> context;
        private final WebhookStore store;
        private final Throttle throttle;
        private final WebhookCleaner cleaner;
        private final WebhookDispatcher dispatcher;
        private final DeliveryReplies replies;
        private final DeliveryCounts.Retrying retrying = counts.taskStarted();
        private final PollWakeup thread = PollWakeup.ofThisThread();

        Step(ProcessorContext<Integer, byte[]> context) {
            this.context = context;
            KeyValueStore<Bytes, byte[]> deliveries = context.getStateStore(StoreNames.WEBHOOKS);
            this.store = new WebhookStore(deliveries);
            this.throttle = new Throttle(throttled, deliveries, this);
            PreCommitStore.beforeCommit(deliveries, throttle::write);
            this.cleaner = new WebhookCleaner(store);
            this.dispatcher = new WebhookDispatcher(settings, sender, store, counts, counters.open(context));
            this.replies = new DeliveryReplies(context);
        }

        void process(Record<byte[], Outgoing> record) {
            byte[] key = record.key() == null ? NO_KEY : record.key();
            switch (record.value()) {
                case Outgoing.HookEvent event when event.event() == WebhookEvent.POINTS_CHANGED ->
                    throttle.accept(key, event, context.recordMetadata().orElseThrow().offset());
                case Outgoing.HookEvent event -> add(key, event);
                case Outgoing.LeaderboardEvent news -> throttle.accept(key, news);
                case Outgoing.HookTest test -> test(test);
                case Outgoing.HookRetry retry -> retry(record, retry);
                case Outgoing.UserErased erased -> {
                    throttle.forget(key, erased);
                    cleaner.erase(key, erased);
                }
                case Outgoing.Question question -> {
                    boolean isWindowLeft = throttle.reach(question);
                    dispatcher.run();
                    replies.workLeft(record, isWindowLeft || dispatcher.hasWork());
                }
                case Outgoing.Message _ -> throw new IllegalStateException("not for webhooks: " + record.value().id());
            }
            dispatcher.run();
        }

        @Override
        public void add(byte[] key, Outgoing.HookEvent event) {
            add(key, event, Long.MIN_VALUE);
        }

        @Override
        public void addAtItsTime(byte[] key, Outgoing.HookEvent event) {
            add(key, event, event.at().toEpochMilli());
        }

        private void add(byte[] key, Outgoing.HookEvent event, long notBeforeMs) {
            if (event.webhooks().isEmpty()) {
                return; // the rules have changed since the event was requested
            }
            store.putBody(event.tenant(), event.at().toEpochMilli(), event.id(), key, event.webhooks(),
                    event.body().getBytes(UTF_8));
            byte[] lane = laneOf(key, event);
            for (UUID webhook : event.webhooks()) {
                var endpoint = new Endpoint(event.tenant(), webhook);
                UUID id = DeliveryIds.of(key, event.at(), event.id(), webhook);
                WebhookDelivery known = store.delivery(endpoint, id);
                if (known == null) {
                    put(endpoint, WebhookDelivery.queued(id, event.id(), event.event(), created(id),
                            notBeforeMs > settings.clock().millis()
                                    ? dispatcher.add(endpoint, id, new Later(notBeforeMs, false))
                                    : dispatcher.add(endpoint, lane, id)));
                } else {
                    putAgain(endpoint, known, lane);
                }
            }
        }

        /** Writes a delivery again when its record is read again: after a crash it may be on this disk but not in the changelog. */
        private void putAgain(Endpoint endpoint, WebhookDelivery known, byte[] lane) {
            Position position = known.position();
            boolean isThere = position == null || dispatcher.putAgain(endpoint, known.id(), position);
            put(endpoint, isThere ? known : known.at(dispatcher.add(endpoint, lane, known.id())));
        }

        /** The lane of an event: its key, which is the user's; for the event of a user on a leaderboard, key and user. */
        private static byte[] laneOf(byte[] key, Outgoing.HookEvent event) {
            if (event.event() != WebhookEvent.LEADERBOARD_RANK_CHANGED) {
                return key;
            }
            byte[] user = requireNonNull(event.about(), "an event about a rank names its user").getBytes(UTF_8);
            return ByteBuffer.allocate(key.length + 1 + user.length).put(key).put((byte) '/').put(user).array();
        }

        private void test(Outgoing.HookTest test) {
            var endpoint = new Endpoint(test.tenant(), test.webhook());
            WebhookDelivery known = store.delivery(endpoint, test.id());
            keepBody(test.tenant(), test.id(), test.id(), Json.write(settings.sample().of(test.event(), test.at())));
            if (known != null) {
                putAgain(endpoint, known, NO_KEY);
                return;
            }
            dispatcher.add(endpoint, test.id(), new Later(created(test.id()).toEpochMilli(), true));
            put(endpoint, WebhookDelivery.asked(test.id(), test.id(), test.event(), created(test.id())));
        }

        private void retry(Record<byte[], Outgoing> record, Outgoing.HookRetry retry) {
            var endpoint = new Endpoint(retry.tenant(), retry.webhook());
            WebhookDelivery delivery = DeliveryIds.isOne(retry.delivery())
                    ? store.delivery(endpoint, retry.delivery())
                    : null;
            if (delivery == null) {
                replies.unknown(record);
                return;
            }
            var then = new Later(retry.at().toEpochMilli(), true);
            dispatcher.add(endpoint, delivery.id(), then);
            put(endpoint, delivery.askedAgain(then));
            replies.accepted(record);
        }

        private void keepBody(TenantId tenant, UUID id, UUID source, byte[] body) {
            store.putBody(tenant, DeliveryIds.timeMs(id), source, body);
        }

        /** Writes the delivery after its other entries, so that a stored delivery has all of them. */
        private void put(Endpoint endpoint, WebhookDelivery delivery) {
            store.putDelivery(endpoint, delivery);
            cleaner.add(endpoint);
        }

        private static Instant created(UUID id) {
            return Instant.ofEpochMilli(DeliveryIds.timeMs(id));
        }

        void tick() {
            boolean isMoreLeft = dispatcher.recover() | cleaner.erase();
            dispatcher.run();
            if (isMoreLeft || dispatcher.isDueSoon()) {
                thread.soon();
            }
        }

        void sweep() {
            cleaner.expire(settings.clock().millis());
            retrying.set(dispatcher.retrying());
        }

        void close() {
            dispatcher.close();
            retrying.close();
        }
    }

    /**
     * Settings of the delivery to webhooks.
     *
     * @param clock of the instance
     * @param staleAfter the age from which an event is not sent, nor tried again
     * @param limits of each task
     * @param sample makes the event that a test sends
     */
    record Settings(InstantSource clock, Duration staleAfter, InFlightLimits limits, Sample sample) {

        /** Makes an example of an event. */
        interface Sample {

            WebhookPayload of(WebhookEvent event, Instant at);
        }
    }
}
