package dev.laurel.delivery.runtime;

import static java.util.Objects.requireNonNull;

import dev.laurel.delivery.DeliveryCounters;
import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.message.MessageDispatcher;
import dev.laurel.delivery.message.Messages;
import dev.laurel.delivery.throttle.Throttle;
import dev.laurel.delivery.webhook.WebhookTask;
import dev.laurel.delivery.webhook.Webhooks;
import dev.laurel.platform.kafka.AdaptivePollWait;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.CounterStore;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.SendMark;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.EventBody.TickBody;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The step that delivers: takes the outbox and send marks, keeps queues and outcomes in one store, and answers operators and the test
 * clock through {@code laurel.replies}. Drops stale records, so that imports and replays send nothing. One task, one thread;
 * initialised again when its task is revived.
 */
final class DeliveryProcessor implements Processor<byte[], Object, Integer, byte[]> {

    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration MESSAGE_TICK = Duration.ofMillis(100);
    private static final Duration SWEEP_INTERVAL = Duration.ofMillis(200);
    private static final byte[] NO_KEY = {};
    private static final byte[] NOTHING = Json.write(Map.of());
    private static final byte[] UNKNOWN = Json.write(new ErrorBody("Delivery not found by ID"));

    private final Shared shared;

    /** Null before the start and after the end of the task. */
    private @Nullable Life life;

    /**
     * What the tasks of a process share. Thread-safe.
     *
     * @param staleAfter the age from which a record is dropped
     * @param rulesets followed and caught up
     */
    record Shared(
            Throttle.Environment throttled,
            Webhooks webhooks,
            Messages messages,
            Duration staleAfter,
            DeliveryCounts counts,
            Rulesets rulesets)
            implements ProcessorSupplier<byte[], Object, Integer, byte[]> {

        @Override
        public Processor<byte[], Object, Integer, byte[]> get() {
            return new DeliveryProcessor(this);
        }

        @Override
        public Set<StoreBuilder<?>> stores() {
            return Set.of(
                    PreCommitStore.builder(StoreNames.DELIVERIES, true, false),
                    CounterStore.builder(StoreNames.OUTCOMES));
        }
    }

    private DeliveryProcessor(Shared shared) {
        this.shared = shared;
    }

    @Override
    public void init(ProcessorContext<Integer, byte[]> context) {
        var started = new Life(context);
        life = started;
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, _ -> started.tick());
        context.schedule(SWEEP_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> started.webhooks.sweep());
        context.schedule(Throttle.CHECK_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> started.throttle.check());
        context.schedule(MESSAGE_TICK, PunctuationType.WALL_CLOCK_TIME, _ -> started.messages.run());
    }

    @Override
    public void process(Record<byte[], Object> record) {
        Life started = requireNonNull(life, "a processor is initialised before its first record");
        switch (record.value()) {
            case SendMark mark -> {
                started.messages.read(mark);
                started.messages.run();
            }
            case Outgoing outgoing -> started.process(record, outgoing);
            default ->
                throw new IllegalArgumentException(
                        "delivery does not take a " + record.value().getClass().getSimpleName());
        }
    }

    @Override
    public void close() {
        if (life != null) {
            Life closing = life;
            life = null;
            closing.webhooks.close();
            closing.messages.close();
        }
    }

    /** One life of a task. */
    private final class Life {

        private final ProcessorContext<Integer, byte[]> context;
        private final Throttle throttle;
        private final WebhookTask webhooks;
        private final MessageDispatcher messages;
        private final AdaptivePollWait thread = AdaptivePollWait.ofThisThread();

        Life(ProcessorContext<Integer, byte[]> context) {
            this.context = context;
            KeyValueStore<Bytes, byte[]> deliveries = context.getStateStore(StoreNames.DELIVERIES);
            DeliveryCounters counters = DeliveryCounters.open(context, shared.rulesets());
            this.webhooks = shared.webhooks().open(deliveries, counters);
            this.messages = shared.messages()
                    .open(deliveries, counters, context.taskId().partition());
            this.throttle = new Throttle(shared.throttled(), deliveries, webhooks);
            PreCommitStore.beforeCommit(deliveries, throttle::write);
        }

        void process(Record<byte[], Object> record, Outgoing outgoing) {
            if (isStale(outgoing)) {
                shared.counts().count(DeliveryCounts.Kind.STALE);
                return;
            }
            byte[] key = record.key() == null ? NO_KEY : record.key();
            switch (outgoing) {
                case Outgoing.HookEvent event
                when event.event() == WebhookEvent.POINTS_CHANGED ->
                    throttle.accept(
                            key, event, context.recordMetadata().orElseThrow().offset());
                case Outgoing.HookEvent event -> webhooks.add(key, event);
                case Outgoing.LeaderboardEvent news -> throttle.accept(key, news);
                case Outgoing.HookTest test -> webhooks.test(test);
                case Outgoing.HookRetry retry -> {
                    boolean isKnown = webhooks.retry(retry);
                    answer(record, isKnown ? 202 : 404, isKnown ? NOTHING : UNKNOWN);
                }
                case Outgoing.Message message -> {
                    messages.take(message);
                    messages.run();
                    return;
                }
                case Outgoing.UserErased erased -> {
                    throttle.forget(key, erased);
                    webhooks.erase(key, erased);
                    messages.forget(erased);
                }
                case Outgoing.Question question -> {
                    boolean isWindowLeft = throttle.reach(question);
                    webhooks.run();
                    messages.run();
                    boolean isMore = isWindowLeft || webhooks.hasWork() || messages.hasWork();
                    answer(record, 200, Json.write(new TickBody(isMore)));
                }
            }
            webhooks.run();
        }

        /** Whether a record is too old. Requests of operators and erasures never are. */
        private boolean isStale(Outgoing outgoing) {
            return switch (outgoing) {
                case Outgoing.HookEvent _, Outgoing.LeaderboardEvent _, Outgoing.Message _ ->
                    shared.throttled().clock().millis() - outgoing.at().toEpochMilli()
                            > shared.staleAfter().toMillis();
                case Outgoing.HookTest _, Outgoing.HookRetry _, Outgoing.UserErased _, Outgoing.Question _ -> false;
            };
        }

        /** Answers a client, if one waits: into the partition of its gateway. */
        private void answer(Record<?, ?> request, int status, byte[] body) {
            ReplyHeaders.ReplyTo replyTo = ReplyHeaders.read(request.headers());
            if (replyTo != null) {
                var reply = new Record<Integer, byte[]>(replyTo.partition(), body, request.timestamp());
                ReplyHeaders.writeAnswer(reply.headers(), replyTo.requestId(), status);
                context.forward(reply);
            }
        }

        void tick() {
            if (webhooks.tick()) {
                thread.soon();
            }
        }
    }
}
