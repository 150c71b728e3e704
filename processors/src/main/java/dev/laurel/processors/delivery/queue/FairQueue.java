package dev.laurel.processors.delivery.queue;

import dev.laurel.processors.delivery.queue.DeliveryScheduler.GroupQueue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The queues of the groups of a task, which take turns within the limits in flight: neither a group with many batches nor a slow or
 * dead one delays the others. One task, one thread.
 */
final class FairQueue<G, Q extends GroupQueue<B>, B> {

    private final Function<G, Q> open;

    /** A small object for each group that had something to send since the start. */
    private final Map<G, Member<Q>> members = new HashMap<>();

    /** Groups that may have a batch to send now, each once. */
    private final Deque<Member<Q>> ready = new ArrayDeque<>();

    /** The earliest due time of groups that are neither ready nor full. A full group is woken when one of its batches ends. */
    private long nextDueMs = Long.MIN_VALUE;
    private int inFlight;

    private static final class Member<Q> {

        private final Q queue;
        private int inFlight;
        private boolean isReady;

        private Member(Q queue) {
            this.queue = queue;
        }
    }

    FairQueue(Function<G, Q> open) {
        this.open = open;
    }

    private Member<Q> member(G group) {
        return members.computeIfAbsent(group, g -> new Member<>(open.apply(g)));
    }

    Q queue(G group) {
        return member(group).queue;
    }

    /** Notes that the queue of a group has an addition. */
    void wake(G group) {
        wake(member(group));
    }

    private void wake(Member<Q> member) {
        if (!member.isReady) {
            member.isReady = true;
            ready.add(member);
        }
    }

    /** Notes that a batch of the group is no longer in flight. */
    void ended(G group) {
        Member<Q> member = member(group);
        member.inFlight--;
        inFlight--;
        wake(member);
    }

    int inFlight() {
        return inFlight;
    }

    /** Takes batches in turns of the groups. @param maxSteps the most turns, so that no call takes long */
    void takeDue(long nowMs, InFlightLimits limits, int maxSteps, Consumer<B> started) {
        if (nowMs >= nextDueMs) {
            wakeDue(nowMs);
        }
        for (int step = 0; step < maxSteps && !ready.isEmpty() && inFlight < limits.total(); step++) {
            Member<Q> member = ready.remove();
            if (isFull(member, limits)) {
                member.isReady = false;
            } else if (!member.queue.hasWork(nowMs)) {
                member.isReady = false;
                nextDueMs = Math.min(nextDueMs, member.queue.nextDueMs());
            } else {
                B batch = member.queue.next(nowMs);
                ready.add(member);
                if (batch != null) {
                    member.inFlight++;
                    inFlight++;
                    started.accept(batch);
                }
            }
        }
    }

    private void wakeDue(long nowMs) {
        nextDueMs = Long.MAX_VALUE;
        for (Member<Q> member : members.values()) {
            if (member.queue.nextDueMs() <= nowMs) {
                wake(member);
            } else {
                nextDueMs = Math.min(nextDueMs, member.queue.nextDueMs());
            }
        }
    }

    /** Whether a group has as many batches in flight as it may have now, which is at least one. */
    private boolean isFull(Member<Q> member, InFlightLimits limits) {
        return member.inFlight >= limits.ofGroup(inFlight);
    }

    /** Whether a waiting batch could start now. */
    boolean hasWork(long nowMs, InFlightLimits limits) {
        return members.values().stream().anyMatch(member -> !isFull(member, limits) && member.queue.hasWork(nowMs));
    }

    /** Whether a batch may start by then without the end of another one. */
    boolean isDueBy(long atMs, InFlightLimits limits) {
        return nextDueMs <= atMs || !ready.isEmpty() && inFlight < limits.total();
    }

    /** The number of groups with a delivery that waits for its time. */
    int waitingGroups() {
        return (int) members.values().stream().filter(member -> member.queue.nextDueMs() != Long.MAX_VALUE).count();
    }
}
