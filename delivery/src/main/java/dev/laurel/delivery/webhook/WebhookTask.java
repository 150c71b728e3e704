package dev.laurel.delivery.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.laurel.delivery.DeliveryCounters;
import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.store.DeliveryLog;
import dev.laurel.delivery.store.WebhookDelivery;
import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.delivery.store.WebhookDelivery.Later;
import dev.laurel.delivery.store.WebhookDelivery.Position;
import dev.laurel.delivery.store.WebhookStore;
import dev.laurel.delivery.store.WebhookStore.Erasure;
import dev.laurel.delivery.throttle.Deliveries;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.DeliveryIds;
import dev.laurel.schemas.wire.WebhookPayload.SamplePayloads;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.UUID;

/**
 * The deliveries to webhooks of one life of a task (docs/webhooks.md §1): stores them, sends them by {@link WebhookDispatcher}, and
 * deletes expired ones. One thread.
 */
public final class WebhookTask implements Deliveries {

    private static final byte[] NO_KEY = {};

    private final WebhookDispatcher.Settings settings;
    private final WebhookStore store;
    private final WebhookCleaner cleaner;
    private final WebhookDispatcher dispatcher;
    private final DeliveryCounts.Retrying retrying;

    WebhookTask(
            WebhookDispatcher.Settings settings,
            Webhooks sender,
            WebhookStore store,
            DeliveryCounts counts,
            DeliveryCounters counters) {
        this.settings = settings;
        this.store = store;
        this.cleaner = new WebhookCleaner(store);
        this.dispatcher = new WebhookDispatcher(settings, sender, store, counts, counters);
        this.retrying = counts.taskStarted();
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
        store.putBody(
                event.tenant(),
                event.at().toEpochMilli(),
                event.id(),
                key,
                event.webhooks(),
                event.body().getBytes(UTF_8));
        byte[] lane = laneOf(key, event);
        for (UUID webhook : event.webhooks()) {
            var endpoint = new Endpoint(event.tenant(), webhook);
            UUID id = DeliveryIds.of(key, event.at(), event.id(), webhook);
            WebhookDelivery known = store.delivery(endpoint, id);
            if (known == null) {
                put(
                        endpoint,
                        WebhookDelivery.queued(
                                id,
                                event.id(),
                                event.event(),
                                created(id),
                                notBeforeMs > settings.clock().millis()
                                        ? dispatcher.queue(endpoint).add(id, new Later(notBeforeMs, false))
                                        : dispatcher.queue(endpoint).add(lane, id)));
            } else {
                putAgain(endpoint, known, lane);
            }
        }
    }

    /** Writes a delivery again when its record is read again: after a crash it may be on this disk but not in the changelog. */
    private void putAgain(Endpoint endpoint, WebhookDelivery known, byte[] lane) {
        Position position = known.position();
        boolean isThere = position == null || dispatcher.queue(endpoint).putAgain(known.id(), position);
        put(endpoint, isThere ? known : known.at(dispatcher.queue(endpoint).add(lane, known.id())));
    }

    /** The lane of an event: its key, which is the user's; for the event of a user on a leaderboard, key and user. */
    private static byte[] laneOf(byte[] key, Outgoing.HookEvent event) {
        if (event.event() != WebhookEvent.LEADERBOARD_RANK_CHANGED) {
            return key;
        }
        byte[] user = requireNonNull(event.about(), "an event about a rank names its user")
                .getBytes(UTF_8);
        return ByteBuffer.allocate(key.length + 1 + user.length)
                .put(key)
                .put((byte) '/')
                .put(user)
                .array();
    }

    /** Adds a delivery of a sample event. */
    public void test(Outgoing.HookTest test) {
        var endpoint = new Endpoint(test.tenant(), test.webhook());
        WebhookDelivery known = store.delivery(endpoint, test.id());
        store.putBody(
                test.tenant(),
                DeliveryIds.timeMs(test.id()),
                test.id(),
                Json.write(SamplePayloads.of(test.event(), test.at())));
        if (known != null) {
            putAgain(endpoint, known, NO_KEY);
            return;
        }
        dispatcher.queue(endpoint).add(test.id(), new Later(created(test.id()).toEpochMilli(), true));
        put(endpoint, WebhookDelivery.asked(test.id(), test.id(), test.event(), created(test.id())));
    }

    /** Adds an attempt that an operator asks for. @return false if there is no such delivery */
    public boolean retry(Outgoing.HookRetry retry) {
        var endpoint = new Endpoint(retry.tenant(), retry.webhook());
        WebhookDelivery delivery =
                DeliveryIds.isOne(retry.delivery()) ? store.delivery(endpoint, retry.delivery()) : null;
        if (delivery != null) {
            var then = new Later(retry.at().toEpochMilli(), true);
            dispatcher.queue(endpoint).add(delivery.id(), then);
            put(endpoint, delivery.askedAgain(then));
        }
        return delivery != null;
    }

    /** Deletes the deliveries of an erased user. @param key of the user */
    public void erase(byte[] key, Outgoing.UserErased erased) {
        cleaner.erase(key, erased);
    }

    /** Writes the delivery after its other entries, so that a stored delivery has all of them. */
    private void put(Endpoint endpoint, WebhookDelivery delivery) {
        store.putDelivery(endpoint, delivery);
        cleaner.add(endpoint);
    }

    private static Instant created(UUID id) {
        return Instant.ofEpochMilli(DeliveryIds.timeMs(id));
    }

    /** Stores the outcomes of batches that have ended, and starts batches that are due. */
    public void run() {
        dispatcher.run();
    }

    /** Whether a batch is in flight, or is due and could start. */
    public boolean hasWork() {
        return dispatcher.hasWork();
    }

    /** Repairs, erases and sends some of what is left. @return whether the next call should be soon */
    public boolean tick() {
        boolean isMoreLeft = dispatcher.recover() | cleaner.erase();
        dispatcher.run();
        return isMoreLeft || dispatcher.isDueSoon();
    }

    /** Deletes some expired deliveries. */
    public void sweep() {
        cleaner.expire(settings.clock().millis());
        retrying.set(dispatcher.retrying());
    }

    /** Cancels the batches in flight, which the next life sends again. */
    public void close() {
        dispatcher.close();
        retrying.close();
    }

    /**
     * Deletes expired deliveries and bodies, and those of erased users, in steps. Their positions in the queue stay, and are skipped when
     * they are due. One task, one thread.
     */
    static final class WebhookCleaner {

        /** The most events of one erased user in a step. */
        static final int MAX_ERASED_EVENTS = 256;

        private static final int MAX_BODIES = 1_000;
        private static final int MAX_DELIVERIES = 2_000;

        private final WebhookStore store;

        /** Times before which nothing is stored: deleted entries are not scanned again. */
        private long bodiesFromMs;

        private final Map<Endpoint, Long> deliveriesFromMs = new HashMap<>();

        /** The webhooks that have deliveries, in the order in which they are cleaned. */
        private final LinkedHashSet<Endpoint> endpoints;

        /** Whether erasures may be unfinished; after a start they may. */
        private boolean isErasing = true;

        WebhookCleaner(WebhookStore store) {
            this.store = store;
            this.endpoints = new LinkedHashSet<>(store.known());
        }

        /** Notes that a webhook has deliveries. */
        void add(Endpoint endpoint) {
            endpoints.add(endpoint);
        }

        /** Deletes some expired bodies and deliveries. */
        void expire(long nowMs) {
            long beforeMs = nowMs - DeliveryLog.KEPT.toMillis();
            if (beforeMs > bodiesFromMs) {
                bodiesFromMs = store.sweepBodies(bodiesFromMs, beforeMs, MAX_BODIES);
            }
            if (!endpoints.isEmpty()) {
                Endpoint endpoint = endpoints.removeFirst();
                endpoints.addLast(endpoint);
                long fromMs = deliveriesFromMs.getOrDefault(endpoint, 0L);
                if (beforeMs > fromMs) {
                    deliveriesFromMs.put(endpoint, store.sweepDeliveries(endpoint, fromMs, beforeMs, MAX_DELIVERIES));
                }
            }
        }

        /** Starts to delete events of a user up to the erasure, but not those of a later user of the same id. */
        void erase(byte[] userKey, Outgoing.UserErased erased) {
            store.putErasure(new Erasure(erased.tenant(), userKey, erased.at().toEpochMilli()));
            isErasing = true;
            erase();
        }

        /** Deletes some events of erased users. @return whether some may be left */
        boolean erase() {
            if (!isErasing) {
                return false;
            }
            Erasure erasure = store.firstErasure();
            if (erasure == null) {
                isErasing = false;
            } else if (store.forget(erasure, MAX_ERASED_EVENTS)) {
                store.deleteErasure(erasure);
            }
            return isErasing;
        }
    }
}
