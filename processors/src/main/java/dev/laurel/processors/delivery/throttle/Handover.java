package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.notice.Handed;
import dev.laurel.processors.store.ThrottleStores;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.UUID;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Hands events on to the step that delivers them, which takes each id once. That step has stores of its own, and in a crash
 * some of what was written last is lost in one store and not in another. What comes of a record is safe all the same, since
 * the record is read again. What the clock has brought nothing brings again: it is kept here until the step has it for sure,
 * and handed on once more if this task starts before. One task, one thread.
 */
final class Handover {

    /** Many commits lie in between, and each writes all there is to be written of all stores. */
    static final Duration KEPT_FOR = Duration.ofSeconds(30);

    private record Kept(long sinceMs, UUID id) {}

    private final ProcessorContext<byte[], Outgoing> context;
    private final ThrottleStores stores;
    private final Queue<Kept> kept = new ArrayDeque<>();
    private boolean isFirst = true;

    Handover(ProcessorContext<byte[], Outgoing> context, ThrottleStores stores) {
        this.context = context;
        this.stores = stores;
    }

    /** What came of the record that is read. */
    void pass(byte[] key, HookEvent event) {
        context.forward(new Record<>(key, event, Math.max(0, event.at().toEpochMilli())));
    }

    /** What the clock has brought. Twice within a window is no news: then the task forgot in a crash that it had said so. */
    void keep(byte[] key, HookEvent event) {
        Handed before = stores.sent(event.id());
        if (before != null && before.event().at().plusMillis(ThrottleStep.WINDOW_MS).isAfter(event.at())) {
            return;
        }
        stores.putSent(new Handed(key, event));
        kept.add(new Kept(context.currentSystemTimeMs(), event.id()));
        pass(key, event);
    }

    /** Forgets what has arrived; the first time, hands on what may not have. */
    void tidy() {
        long nowMs = context.currentSystemTimeMs();
        if (isFirst) {
            isFirst = false;
            for (Handed handed : stores.allSent()) {
                kept.add(new Kept(nowMs, handed.event().id()));
                pass(handed.key(), handed.event());
            }
        }
        while (!kept.isEmpty() && kept.peek().sinceMs() + KEPT_FOR.toMillis() <= nowMs) {
            stores.deleteSent(kept.remove().id());
        }
    }
}
