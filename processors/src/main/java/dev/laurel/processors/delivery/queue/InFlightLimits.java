package dev.laurel.processors.delivery.queue;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many batches a task may have in flight.
 *
 * @param perGroup the most of one group, whose share shrinks as the task's room does
 */
public record InFlightLimits(int total, int perGroup) {

    /**
     * How many batches one group may have in flight now. The less room is left, the less of it one group may take, so that
     * many slow groups leave some to the others.
     *
     * @param inFlight of the task
     */
    int ofGroup(int inFlight) {
        return Math.min(perGroup, Math.max(1, (total - inFlight) / 4));
    }

    /**
     * The limits of a process, of which each task that runs here has an equal share of at least one. Thread-safe.
     */
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
