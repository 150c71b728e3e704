package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.store.ThrottleStore.OutboxEvent;
import dev.laurel.processors.store.ThrottleStore;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.outbox.Outgoing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.UUID;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Forwards events to the step that delivers them, which accepts each id once. That step has a store of its own, and a crash may
 * lose the last writes of one store but not of the other. Events that follow from a record are safe, since the record is read
 * again. Events that follow from the clock are stored here until the other step has certainly stored them, and forwarded again if
 * this task restarts before that. One task, one thread.
 */
final class EventForwarder {

    /** Long enough for many commits, each of which flushes all stores. */
    static final Duration KEPT_FOR = Duration.ofSeconds(30);

    private record Forwarded(long atMs, UUID id) {}

    private final ProcessorContext<byte[], Outgoing> context;
    private final ThrottleStore store;
    private final Queue<Forwarded> forwarded = new ArrayDeque<>();
    private boolean isFirst = true;

    EventForwarder(ProcessorContext<byte[], Outgoing> context, ThrottleStore store) {
        this.context = context;
        this.store = store;
    }

    /** Forwards an event that follows from the present record. */
    void forward(byte[] key, HookEvent event) {
        context.forward(new Record<>(key, event, Math.max(0, event.at().toEpochMilli())));
    }

    /**
     * Forwards an event that is not forwarded when its record is read again, such as one that follows from the clock, unless it was
     * forwarded within the window and a crash lost that fact.
     */
    void forwardFromClock(byte[] key, HookEvent event) {
        OutboxEvent before = store.forwarded(event.id());
        if (before != null && before.event().at().plusMillis(ThrottleProcessor.WINDOW_MS).isAfter(event.at())) {
            return;
        }
        store.putForwarded(new OutboxEvent(key, event));
        forwarded.add(new Forwarded(context.currentSystemTimeMs(), event.id()));
        forward(key, event);
    }

    /** Deletes events that have arrived; the first call forwards again those that may not have arrived. */
    void cleanUp() {
        long nowMs = context.currentSystemTimeMs();
        if (isFirst) {
            isFirst = false;
            for (OutboxEvent stored : store.allForwarded()) {
                forwarded.add(new Forwarded(nowMs, stored.event().id()));
                forward(stored.key(), stored.event());
            }
        }
        while (!forwarded.isEmpty() && forwarded.element().atMs() + KEPT_FOR.toMillis() <= nowMs) {
            store.deleteForwarded(forwarded.remove().id());
        }
    }
}
