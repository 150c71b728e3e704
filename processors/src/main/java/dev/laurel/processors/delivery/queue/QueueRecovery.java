package dev.laurel.processors.delivery.queue;

import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Walks once through what was stored when the task started, a little with each step, and puts back into the queue what waits
 * and is not found there. After a crash the store may be a mixture: a local disk was ahead of the changelog, or two lives of
 * the task wrote to it. What this life has written needs no repair. One task, one thread.
 */
public final class QueueRecovery {

    /** In one step. */
    public static final int MAX_ENTRIES = 256;

    private final List<Pass> passes;
    private int pass;
    private @Nullable Bytes last;

    /** Repairs what is stored of one kind. */
    public interface Pass {

        /**
         * Repairs some entries.
         *
         * @param after key of the last entry of the step before; null: from the first
         * @return key of the last entry; null if none is left
         */
        @Nullable
        Bytes repair(@Nullable Bytes after, int limit);
    }

    /** @param passes one after the other */
    public QueueRecovery(List<Pass> passes) {
        this.passes = List.copyOf(passes);
    }

    public void step() {
        if (pass < passes.size()) {
            last = passes.get(pass).repair(last, MAX_ENTRIES);
            pass += last == null ? 1 : 0;
        }
    }
}
