package dev.laurel.processors.delivery.queue;

import dev.laurel.processors.delivery.queue.DeliveryScheduler.GroupQueue;
import org.jspecify.annotations.Nullable;

/**
 * Starts due batches within the limits in flight, with fair turns of the groups, and runs their completions on the task's thread.
 * The {@link SendPolicy} decides how often a batch may be sent. One task, one thread.
 *
 * @param <G> groups of batches
 * @param <Q> the queue of a group
 * @param <B> batches
 */
public final class DeliveryScheduler<G, Q extends GroupQueue<B>, B> {

    /** The batches of one group that wait. All of them are stored; memory has only the position. */
    public interface GroupQueue<B> {

        /** Whether a batch can be started now, or has to be skipped. */
        boolean hasWork(long nowMs);

        /** The time at which the first waiting delivery is due; {@link Long#MAX_VALUE} if there is none. */
        long nextDueMs();

        /**
         * Takes the next batch. It stays stored until it has ended.
         *
         * @return null if there is none; {@link #hasWork} may still hold: there was much to skip, and the next call continues
         */
        @Nullable
        B next(long nowMs);
    }

    /**
     * Determines how often a batch may be sent when processes die: the difference between the users of a {@link DeliveryScheduler}.
     *
     * <ul>
     * <li>At least once (webhooks): {@link #start} sends at once. Batches that were in flight when the process died are still
     * stored, and the next start of the task sends them again under the same ids.
     * <li>At most once (messages): {@link #start} writes the intent, and only the life of the task that reads its own intent first
     * sends. Messages that were in flight when the process died are doubtful, and are not sent again.
     * </ul>
     *
     * <p>Called on the task's thread; no method blocks.
     */
    public interface SendPolicy<G, Q extends GroupQueue<B>, B> {

        /** Opens the queue of a group on its stored entries. */
        Q open(G group);

        InFlightLimits limits();

        /** Whether batches may start; false when the process is about to stop. */
        boolean mayStart();

        /** Starts a batch, which is in flight until {@link DeliveryScheduler#ended} is called for its group. */
        void start(B batch);
    }

    private final SendPolicy<G, Q, B> policy;
    private final CompletionQueue completions;
    private final int maxSteps;
    private final FairQueue<G, Q, B> groups;

    /**
     * @param waiting groups that have stored entries
     * @param maxSteps the most batches that one run starts
     */
    public DeliveryScheduler(SendPolicy<G, Q, B> policy, CompletionQueue completions, Iterable<G> waiting,
            int maxSteps) {
        this.policy = policy;
        this.completions = completions;
        this.maxSteps = maxSteps;
        this.groups = new FairQueue<>(policy::open);
        waiting.forEach(groups::wake);
    }

    /** The queue of a group. Additions to it are followed by {@link #wake}. */
    public Q queue(G group) {
        return groups.queue(group);
    }

    /** Notes that the queue of a group has an addition. */
    public void wake(G group) {
        groups.wake(group);
    }

    /** Notes that a batch of the group is no longer in flight. */
    public void ended(G group) {
        groups.ended(group);
    }

    /** Runs the completions of batches that have ended, and starts batches that are due. */
    public void run(long nowMs) {
        completions.drain();
        if (policy.mayStart()) {
            groups.takeDue(nowMs, policy.limits(), maxSteps, policy::start);
        }
    }

    /** Whether a waiting batch could start now. */
    public boolean hasWork(long nowMs) {
        return groups.hasWork(nowMs, policy.limits());
    }

    /** Whether a batch may start by then without the end of another one. */
    public boolean isDueBy(long atMs) {
        return groups.isDueBy(atMs, policy.limits());
    }

    /** The number of groups with a delivery that waits for its time. */
    public int waitingGroups() {
        return groups.waitingGroups();
    }
}
