package dev.laurel.processors.delivery.queue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The queues of the groups of a task, which take turns as long as there is room for what is in flight: neither a group with
 * very much to send nor one that is slow or dead holds up the others. One task, one thread.
 */
final class FairQueue<G, Q extends GroupQueue<B>, B> {

    private final Function<G, Q> open;

    /** One small object for each group that had something to send since the start. */
    private final Map<G, Member<Q>> members = new HashMap<>();

    /** Groups that may have something to send now, each once. */
    private final Deque<Member<Q>> ready = new ArrayDeque<>();

    /** No group that is neither ready nor full has an entry that is due before: a full one is woken when a batch of it ends. */
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

    /** Something was added to the group's queue. */
    void wake(G group) {
        wake(member(group));
    }

    private void wake(Member<Q> member) {
        if (!member.isReady) {
            member.isReady = true;
            ready.add(member);
        }
    }

    /** A batch of the group is no longer in flight. */
    void ended(G group) {
        Member<Q> member = member(group);
        member.inFlight--;
        inFlight--;
        wake(member);
    }

    int inFlight() {
        return inFlight;
    }

    /** Takes batches by turns. @param maxSteps how many queues are asked at most, so that no call takes long */
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
                @Nullable
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

    /** A group may always have one batch in flight. */
    private boolean isFull(Member<Q> member, InFlightLimits limits) {
        return member.inFlight >= limits.ofGroup(inFlight);
    }

    /** Whether anything waits that could start now. */
    boolean hasWork(long nowMs, InFlightLimits limits) {
        return members.values().stream().anyMatch(member -> !isFull(member, limits) && member.queue.hasWork(nowMs));
    }

    /** Groups with a delivery that waits for its time. */
    int waitingGroups() {
        return (int) members.values().stream().filter(member -> member.queue.nextDueMs() != Long.MAX_VALUE).count();
    }
}
