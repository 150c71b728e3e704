package dev.laurel.processors.delivery.queue;

/**
 * Starts what is due as long as there is room in flight, groups taking turns, and does on the task's thread what follows when
 * it has ended. How often something may go out is decided by the {@link SendPolicy}. One task, one thread.
 */
public final class DeliveryScheduler<G, Q extends GroupQueue<B>, B> {

    private final SendPolicy<G, Q, B> policy;
    private final CompletionQueue completions;
    private final int maxSteps;
    private final FairQueue<G, Q, B> groups;

    /**
     * @param waiting groups for which something is stored
     * @param maxSteps how many batches are started in one run at most
     */
    public DeliveryScheduler(SendPolicy<G, Q, B> policy, CompletionQueue completions, Iterable<G> waiting,
            int maxSteps) {
        this.policy = policy;
        this.completions = completions;
        this.maxSteps = maxSteps;
        this.groups = new FairQueue<>(policy::open);
        waiting.forEach(groups::wake);
    }

    /** The queue of a group, for additions that {@link #wake} follows. */
    public Q queue(G group) {
        return groups.queue(group);
    }

    public void wake(G group) {
        groups.wake(group);
    }

    /** A batch of the group is no longer in flight. */
    public void ended(G group) {
        groups.ended(group);
    }

    /** Does what follows from what has ended, and starts what can be started. */
    public void run(long nowMs) {
        completions.drain();
        if (policy.mayStart()) {
            groups.takeDue(nowMs, policy.limits(), maxSteps, policy::start);
        }
    }

    /** Whether anything waits that could start now. */
    public boolean hasWork(long nowMs) {
        return groups.hasWork(nowMs, policy.limits());
    }

    /** Groups with a delivery that waits for its time. */
    public int waitingGroups() {
        return groups.waitingGroups();
    }
}
