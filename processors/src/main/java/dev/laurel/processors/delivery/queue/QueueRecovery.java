package dev.laurel.processors.delivery.queue;

import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Scans once, in steps, the entries that were stored when the task started, and puts waiting deliveries that the queue has lost back
 * into it. After a crash the store may be inconsistent: the local disk was ahead of the changelog, or two lives of the task wrote
 * to it. Entries of the present life need no repair. One task, one thread.
 */
public final class QueueRecovery {

    /** The most entries of one step. */
    public static final int MAX_ENTRIES = 256;

    private final List<Pass> passes;
    private int pass;
    private @Nullable Bytes last;

    /** Repairs the stored entries of one kind. */
    public interface Pass {

        /**
         * Repairs some entries.
         *
         * @param after key of the last entry of the previous step; null: from the first
         * @return key of the last entry; null if none is left
         */
        @Nullable
        Bytes repair(@Nullable Bytes after, int limit);
    }

    /** @param passes run one after the other */
    public QueueRecovery(List<Pass> passes) {
        this.passes = List.copyOf(passes);
    }

    /** @return whether entries are left */
    public boolean step() {
        if (pass < passes.size()) {
            last = passes.get(pass).repair(last, MAX_ENTRIES);
            pass += last == null ? 1 : 0;
        }
        return pass < passes.size();
    }
}
