package dev.laurel.processors.delivery.message;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many messages are under way at a time in this process. The tasks that run here have equal shares, of one at least, so
 * that none waits for another one to be done. Thread-safe.
 */
final class SendLimits {

    private final int inAll;
    private final int perLane;
    private final AtomicInteger tasks = new AtomicInteger();

    /** @param perLane of one tenant and channel */
    SendLimits(int inAll, int perLane) {
        this.inAll = inAll;
        this.perLane = perLane;
    }

    void taskStarted() {
        tasks.incrementAndGet();
    }

    void taskStopped() {
        tasks.decrementAndGet();
    }

    /** Of one task. */
    int inAll() {
        return shareOf(inAll);
    }

    /**
     * Of one task, and one tenant and channel: the fewer places are left, the fewer each may take, so that many slow ones never
     * take the last from those that are not.
     *
     * @param underWay of the task
     */
    int ofLane(int underWay) {
        return Math.min(shareOf(perLane), Math.max(1, (inAll() - underWay) / 4));
    }

    private int shareOf(int all) {
        return Math.ceilDiv(all, Math.max(1, tasks.get()));
    }
}
