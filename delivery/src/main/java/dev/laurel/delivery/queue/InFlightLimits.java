package dev.laurel.delivery.queue;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The numbers of batches that a task may have in flight.
 *
 * @param perGroup the limit of one group, which shrinks with the free part of the total
 */
public record InFlightLimits(int total, int perGroup) {

    /**
     * The number of batches that one group may have in flight now. It shrinks with the free part of the total, so that many slow
     * groups leave some of it to the others.
     *
     * @param inFlight of the task
     */
    int ofGroup(int inFlight) {
        return Math.min(perGroup, Math.max(1, (total - inFlight) / 4));
    }

    /** The limits of a process. Each of its running tasks has an equal share, of at least one. Thread-safe. */
    public static final class Shared {

        private final InFlightLimits ofProcess;
        private final AtomicInteger tasks = new AtomicInteger();

        public Shared(int total, int perGroup) {
            this.ofProcess = new InFlightLimits(total, perGroup);
        }

        public void taskStarted() {
            tasks.incrementAndGet();
        }

        public void taskStopped() {
            tasks.decrementAndGet();
        }

        public InFlightLimits ofTask() {
            int sharers = Math.max(1, tasks.get());
            return new InFlightLimits(Math.ceilDiv(ofProcess.total, sharers),
                    Math.ceilDiv(ofProcess.perGroup, sharers));
        }
    }
}
