package dev.laurel.delivery.queue;

import dev.laurel.delivery.queue.DeliveryScheduler.GroupQueue;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Starts due batches within the limits in flight, and runs their completions on the task's thread. Groups take turns: neither a group
 * with many batches nor a slow or dead one delays the others. The {@link SendPolicy} decides how often a batch may be sent. One task,
 * one thread.
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

    /** The most entries of one step of the repair. */
    public static final int MAX_REPAIRED = 256;

    private final SendPolicy<G, Q, B> policy;
    private final CompletionQueue completions;
    private final int maxSteps;
    private final List<RepairPass> passes;
    private int pass;
    private @Nullable Bytes repaired;

    /** A small object for each group that had something to send since the start. */
    private final Map<G, Member<Q>> members = new HashMap<>();

    /** Groups that may have a batch to send now, each once. */
    private final Deque<Member<Q>> ready = new ArrayDeque<>();

    /** The earliest due time of groups that are neither ready nor full. A full group is woken when one of its batches ends. */
    private long nextDueMs = Long.MIN_VALUE;

    private int inFlight;

    /** Repairs the stored entries of one kind. */
    public interface RepairPass {

        /**
         * Repairs some entries.
         *
         * @param after key of the last entry of the previous step; null: from the first
         * @return key of the last entry; null if none is left
         */
        @Nullable
        Bytes repair(@Nullable Bytes after, int limit);
    }

    private static final class Member<Q> {

        private final Q queue;
        private int inFlight;
        private boolean isReady;

        private Member(Q queue) {
            this.queue = queue;
        }
    }

    /**
     * @param waiting groups that have stored entries
     * @param maxSteps the most batches that one run starts
     * @param passes of the repair, one after the other
     */
    public DeliveryScheduler(
            SendPolicy<G, Q, B> policy,
            CompletionQueue completions,
            Iterable<G> waiting,
            int maxSteps,
            List<RepairPass> passes) {
        this.policy = policy;
        this.completions = completions;
        this.maxSteps = maxSteps;
        this.passes = List.copyOf(passes);
        waiting.forEach(this::queue);
    }

    private Member<Q> member(G group) {
        return members.computeIfAbsent(group, g -> new Member<>(policy.open(g)));
    }

    /** The queue of a group, which may be changed until the next run. */
    public Q queue(G group) {
        Member<Q> member = member(group);
        wake(member);
        return member.queue;
    }

    private void wake(Member<Q> member) {
        if (!member.isReady) {
            member.isReady = true;
            ready.add(member);
        }
    }

    /** Notes that a batch of the group is no longer in flight. */
    public void ended(G group) {
        Member<Q> member = member(group);
        member.inFlight--;
        inFlight--;
        wake(member);
    }

    int inFlight() {
        return inFlight;
    }

    /**
     * Scans, in steps, the entries that were stored when the task started, and puts waiting deliveries that the queue has lost back into
     * it. After a crash the store may be inconsistent: the local disk was ahead of the changelog, or two lives of the task wrote to it.
     * Entries of the present life need no repair.
     *
     * @return whether entries are left
     */
    public boolean repair() {
        if (pass < passes.size()) {
            repaired = passes.get(pass).repair(repaired, MAX_REPAIRED);
            pass += repaired == null ? 1 : 0;
        }
        return pass < passes.size();
    }

    /** Runs the completions of batches that have ended, and starts batches that are due. */
    public void run(long nowMs) {
        completions.drain();
        if (policy.mayStart()) {
            startDue(nowMs, policy.limits());
        }
    }

    private void startDue(long nowMs, InFlightLimits limits) {
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
                    policy.start(batch);
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
    public boolean hasWork(long nowMs) {
        InFlightLimits limits = policy.limits();
        return members.values().stream().anyMatch(member -> !isFull(member, limits) && member.queue.hasWork(nowMs));
    }

    /** Whether a batch may start by then without the end of another one. */
    public boolean isDueBy(long atMs) {
        return nextDueMs <= atMs
                || !ready.isEmpty() && inFlight < policy.limits().total();
    }

    /** The number of groups with a delivery that waits for its time. */
    public int waitingGroups() {
        return (int) members.values().stream()
                .filter(member -> member.queue.nextDueMs() != Long.MAX_VALUE)
                .count();
    }

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
                return new InFlightLimits(
                        Math.ceilDiv(ofProcess.total, sharers), Math.ceilDiv(ofProcess.perGroup, sharers));
            }
        }
    }
}
