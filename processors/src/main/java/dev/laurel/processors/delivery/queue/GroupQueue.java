package dev.laurel.processors.delivery.queue;

import org.jspecify.annotations.Nullable;

/**
 * What waits for one receiver in one partition. All of it is stored; memory has only the position. One task, one thread.
 *
 * @param <B> what is sent at a time
 */
public interface GroupQueue<B> {

    /** Whether something can be started now, or has to be skipped. */
    boolean hasWork(long nowMs);

    /** When the first delivery that waits for its time is due; {@link Long#MAX_VALUE} if none does. */
    long nextDueMs();

    /**
     * Takes the next batch. It stays stored until it has ended.
     *
     * @return null if there is none; {@link #hasWork} may still hold then: there was much to skip, and the next call goes on
     */
    @Nullable
    B next(long nowMs);
}
