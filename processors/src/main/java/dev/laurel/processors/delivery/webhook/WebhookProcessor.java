package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.DeliveryConfig;
import dev.laurel.processors.delivery.DeliveryCounts;
import dev.laurel.processors.store.Endpoint;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.WebhookStore;
import dev.laurel.processors.store.WebhookStore.Retry;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.topic.ReplyHeaders;
import java.time.Duration;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Delivers events to webhooks (webhooks.md §1), at least once: writes down what is to be sent, has it sent by {@link Flights},
 * and writes down what came of it. One task, one thread; started again after each revival of its task.
 */
final class WebhookProcessor implements Processor<byte[], Outgoing, Integer, byte[]> {

    private static final Duration TICK = Duration.ofMillis(20);
    private static final int TICKS_PER_SWEEP = 10;
    private static final byte[] NO_KEY = {};

    private final HookSettings settings;
    private final Flights flights;
    private final DeliveryCounts counts;
    private WebhookStore store;
    private WebhookSweep sweep;
    private Departures departures;
    private Mending mending;
    private Erasures erasures;
    private HookReplies replies;
    private DeliveryCounts.Retrying retrying;
    private int ticks;

    WebhookProcessor(HookSettings settings, Flights flights, DeliveryCounts counts) {
        this.settings = settings;
        this.flights = flights;
        this.counts = counts;
    }

    @Override
    public void init(ProcessorContext<Integer, byte[]> context) {
        KeyValueStore<Bytes, byte[]> webhooks = context.getStateStore(StoreNames.WEBHOOKS);
        store = new WebhookStore(webhooks);
        sweep = new WebhookSweep(store);
        departures = new Departures(settings, flights, store, new HookOutcomes(settings, store, counts));
        mending = new Mending(store, departures);
        erasures = new Erasures(store);
        ticks = 0;
        replies = new HookReplies(context);
        retrying = counts.taskStarted();
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, _ -> tick());
    }

    @Override
    public void process(Record<byte[], Outgoing> record) {
        byte[] key = record.key() == null ? NO_KEY : record.key();
        switch (record.value()) {
            case Outgoing.HookEvent event -> deliver(key, event);
            case Outgoing.HookTest test -> test(test);
            case Outgoing.HookRetry retry -> retry(record, retry);
            case Outgoing.UserErased erased -> erasures.add(key, erased);
            case Outgoing.Question question -> {
                departures.go();
                boolean isMore = question.and(departures.areLeft(settings.clock().millis())).more();
                replies.answer(ReplyHeaders.read(record.headers()), isMore, record.timestamp());
            }
            case Outgoing.BoardNews _,Outgoing.Message _ ->
                throw new IllegalStateException("not for webhooks: " + record.value().id());
        }
        departures.go();
    }

    private void deliver(byte[] key, Outgoing.HookEvent event) {
        if (event.webhooks().isEmpty()) {
            return; // the rules have changed between what asked for it and what made it
        }
        store.putBody(event.tenant(), event.at().toEpochMilli(), event.id(), key, event.webhooks(),
                event.body().getBytes(UTF_8));
        byte[] lane = laneOf(key, event);
        for (UUID webhook : event.webhooks()) {
            var endpoint = new Endpoint(event.tenant(), webhook);
            UUID id = DeliveryIds.of(key, event.at(), event.id(), webhook);
            HookDelivery known = store.delivery(endpoint, id);
            if (known == null) {
                put(endpoint, HookDelivery.queued(id, event.id(), event.event(), created(id),
                        departures.add(endpoint, lane, id)));
            } else {
                putAgain(endpoint, known, lane);
            }
        }
    }

    /** Read for the second time: after a crash it may be on this disk, and not in the changelog. */
    private void putAgain(Endpoint endpoint, HookDelivery known, byte[] lane) {
        boolean isAtItsPlace = known.place() == null || departures.putAgain(endpoint, known.id(), known.place());
        put(endpoint, isAtItsPlace ? known : known.at(departures.add(endpoint, lane, known.id())));
    }

    /** Deliveries of one user go one after the other. The key is the user's, but where a leaderboard tells of one. */
    private static byte[] laneOf(byte[] key, Outgoing.HookEvent event) {
        if (event.event() != WebhookEvent.LEADERBOARD_RANK_CHANGED) {
            return key;
        }
        byte[] user = event.about().getBytes(UTF_8);
        return ByteBuffer.allocate(key.length + 1 + user.length).put(key).put((byte) '/').put(user).array();
    }

    private void test(Outgoing.HookTest test) {
        var endpoint = new Endpoint(test.tenant(), test.webhook());
        HookDelivery known = store.delivery(endpoint, test.id());
        keepBody(test.tenant(), test.id(), test.id(), Json.write(settings.sample().of(test.event(), test.at())));
        if (known != null) {
            putAgain(endpoint, known, NO_KEY);
            return;
        }
        departures.add(endpoint, new Retry(created(test.id()).toEpochMilli(), test.id(), true));
        put(endpoint, HookDelivery.asked(test.id(), test.id(), test.event(), created(test.id())));
    }

    private void retry(Record<byte[], Outgoing> record, Outgoing.HookRetry retry) {
        ReplyHeaders.ReplyTo replyTo = ReplyHeaders.read(record.headers());
        var endpoint = new Endpoint(retry.tenant(), retry.webhook());
        HookDelivery delivery = DeliveryIds.isOne(retry.delivery()) ? store.delivery(endpoint, retry.delivery()) : null;
        if (delivery == null) {
            replies.unknown(replyTo, record.timestamp());
            return;
        }
        var then = new HookDelivery.Later(retry.at().toEpochMilli(), true);
        departures.add(endpoint, new Retry(then.dueMs(), delivery.id(), true));
        put(endpoint, delivery.askedAgain(then));
        replies.accepted(replyTo, record.timestamp());
    }

    private void keepBody(TenantId tenant, UUID id, UUID source, byte[] body) {
        store.putBody(tenant, DeliveryIds.timeMs(id), source, body);
    }

    /** Last of all that is written of it: where it is, the rest is, too. */
    private void put(Endpoint endpoint, HookDelivery delivery) {
        store.putDelivery(endpoint, delivery);
        sweep.add(endpoint);
    }

    private static Instant created(UUID id) {
        return Instant.ofEpochMilli(DeliveryIds.timeMs(id));
    }

    private void tick() {
        mending.step();
        erasures.step();
        departures.go();
        if (++ticks % TICKS_PER_SWEEP == 0) {
            sweep.step(settings.clock().millis() - DeliveryConfig.LOG_KEPT.toMillis());
            retrying.are(departures.retrying());
        }
    }

    @Override
    public void close() {
        if (departures != null) {
            departures.close();
            retrying.close();
            departures = null;
        }
    }
}
