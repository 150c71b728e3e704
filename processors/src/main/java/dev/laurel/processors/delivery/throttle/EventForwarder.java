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
 * Forwards events to the step that delivers them, which takes each id once. That step has a store of its own, and a crash may
 * lose the last writes of one store and not of the other. Events that follow from a record are safe, since the record is read
 * again. Events that follow from the clock are stored here until the other step has certainly stored them, and forwarded once
 * more if this task starts before. One task, one thread.
 */
final class EventForwarder {

    /** Many commits happen in this time, and each flushes all stores. */
    static final Duration KEPT_FOR = Duration.ofSeconds(30);

    private record Kept(long sinceMs, UUID id) {}

    private final ProcessorContext<byte[], Outgoing> context;
    private final ThrottleStore store;
    private final Queue<Kept> kept = new ArrayDeque<>();
    private boolean isFirst = true;

    EventForwarder(ProcessorContext<byte[], Outgoing> context, ThrottleStore store) {
        this.context = context;
        this.store = store;
    }

    /** Forwards what follows from the record that is read. */
    void forward(byte[] key, HookEvent event) {
        context.forward(new Record<>(key, event, Math.max(0, event.at().toEpochMilli())));
    }

    /** Forwards what follows from the clock, unless the same was forwarded within the window and a crash lost the note of that. */
    void forwardFromClock(byte[] key, HookEvent event) {
        OutboxEvent before = store.forwarded(event.id());
        if (before != null && before.event().at().plusMillis(ThrottleProcessor.WINDOW_MS).isAfter(event.at())) {
            return;
        }
        store.putForwarded(new OutboxEvent(key, event));
        kept.add(new Kept(context.currentSystemTimeMs(), event.id()));
        forward(key, event);
    }

    /** Deletes what has arrived; the first time, forwards what may not have. */
    void cleanUp() {
        long nowMs = context.currentSystemTimeMs();
        if (isFirst) {
            isFirst = false;
            for (OutboxEvent handed : store.allForwarded()) {
                kept.add(new Kept(nowMs, handed.event().id()));
                forward(handed.key(), handed.event());
            }
        }
        while (!kept.isEmpty() && kept.peek().sinceMs() + KEPT_FOR.toMillis() <= nowMs) {
            store.deleteForwarded(kept.remove().id());
        }
    }
}
