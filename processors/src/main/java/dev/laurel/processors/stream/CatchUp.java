package dev.laurel.processors.stream;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows from when on the stores of a partition show everything that was in its topic when its task was started. A task begins
 * at its last commit: until it has processed what came after, a read would not know of things that were accepted long ago.
 * Thread-safe.
 *
 * <p>That is asked of every start of a task anew: at the start of the process, when a task moves here, when it is revived
 * after an aborted transaction. Offsets alone cannot tell, since the marks of transactions hold offsets, too, which no task
 * ever reads. So if the group has not committed up to the end, a record that changes nothing is appended behind it, and when
 * the task comes to that one, or to another behind the end, all that stood before it is processed.
 *
 * <p>And of those that run it is asked again in each term of the {@link Lease}: others may have gone on with them in between, and
 * have answered. Then it is of no use what the group has committed, that may be the others' work: a record behind the end is
 * appended in any case, unless the task is there already. Without a lease nothing is caught up.
 */
public final class CatchUp implements Progress {

    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final int NEVER = -1;

    private final Source source;
    private final Lease lease;
    private final Duration retry;
    private final Map<Integer, Start> starts = new ConcurrentHashMap<>();

    /** What a task reads from. Thread-safe; never blocks. */
    public interface Source {

        /**
         * How far a partition reaches, and how far the group has come in it.
         *
         * @param end offset of the next record to be appended
         * @param committed offset of the first record that the group has not done with, 0 if it has done none
         */
        record Reach(long end, long committed) {}

        CompletionStage<Reach> reach(int partition);

        /** Appends a record that changes nothing. */
        CompletionStage<?> appendMark(int partition);
    }

    /** Of tasks whose stores nobody reads as those of now. */
    public CatchUp(Source source) {
        this(source, Lease.FOR_EVER);
    }

    /** @param lease of this process; when it is renewed after its end, {@link #askAgain} */
    public CatchUp(Source source, Lease lease) {
        this(source, lease, RETRY);
    }

    CatchUp(Source source, Lease lease, Duration retry) {
        this.source = source;
        this.lease = lease;
        this.retry = retry;
    }

    @Override
    public Watch started(int partition) {
        var start = new Start(partition);
        starts.put(partition, start);
        start.ask(lease.term(), true);
        return start;
    }

    /** In another term, for which nothing is taken for caught up yet that began before it. Does not block. */
    public void askAgain() {
        int term = lease.term();
        starts.values().forEach(start -> start.ask(term, false));
    }

    /** False also where no task of the partition runs here. */
    public boolean isCaughtUp(int partition) {
        Start start = starts.get(partition);
        return start != null && start.isDone();
    }

    /** Whether every task that runs here now has caught up. */
    public boolean isCaughtUp() {
        return starts.values().stream().allMatch(Start::isDone);
    }

    /** Records that the tasks of now have yet to read, where that is known; 0 while none is open. */
    public long left() {
        return starts.values().stream().mapToLong(Start::left).sum();
    }

    /** Waits until every task that has been started here by now has caught up. @return false if that took too long */
    public boolean await(Duration timeout) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        synchronized (this) {
            while (!isCaughtUp()) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (leftMs <= 0) {
                    return false;
                }
                wait(leftMs);
            }
            return true;
        }
    }

    /**
     * How far a task is to come.
     *
     * @param term in which that was asked
     * @param end of the partition then
     * @param committed what need not be processed
     */
    private record Goal(int term, long end, long committed) {}

    /** One start of a task. */
    private final class Start implements Watch {

        private final int partition;
        private volatile int asked = NEVER;
        private volatile boolean isUnderWay = true;
        private volatile Goal goal;
        private volatile long reached;
        private volatile int doneAt = NEVER;

        Start(int partition) {
            this.partition = partition;
        }

        boolean isDone() {
            int term = doneAt;
            return term != NEVER && lease.holds(term);
        }

        long left() {
            Goal known = goal;
            return known == null ? 0 : Math.max(0, known.end - Math.max(reached, known.committed));
        }

        private boolean isOver() {
            return starts.get(partition) != this;
        }

        /**
         * Of several answers, only that counts which was asked for in the latest term.
         *
         * @param isRestored whether its stores show what the group has committed
         */
        void ask(int term, boolean isRestored) {
            synchronized (this) {
                if (term <= asked) {
                    return; // its own start and the next term may meet
                }
                asked = term;
                goal = null;
                isUnderWay = true;
            }
            inquire(term, isRestored);
        }

        private void inquire(int term, boolean isRestored) {
            source.reach(partition).whenComplete((reach, failure) -> {
                if (failure == null) {
                    head(new Goal(term, reach.end(), isRestored ? reach.committed() : 0),
                            isRestored && reach.committed() >= reach.end());
                } else {
                    LOG.warn("how far partition {} reaches is not known yet: {}", partition, failure.getMessage());
                    again(term, () -> inquire(term, isRestored));
                }
            });
        }

        private void head(Goal known, boolean isThere) {
            synchronized (this) {
                if (known.term != asked) {
                    return;
                }
                goal = known;
            }
            if (isThere || reached >= known.end) {
                done(known);
            } else {
                mark(known.term);
            }
        }

        private void mark(int term) {
            source.appendMark(partition).whenComplete((_, failure) -> {
                if (failure != null) {
                    LOG.warn("partition {} has got no mark behind its end yet: {}", partition, failure.getMessage());
                    again(term, () -> mark(term));
                }
            });
        }

        private void again(int term, Runnable step) {
            CompletableFuture.delayedExecutor(retry.toMillis(), TimeUnit.MILLISECONDS).execute(() -> {
                if (term == asked && isUnderWay && !isOver()) {
                    step.run();
                }
            });
        }

        @Override
        public void reached(long offset) {
            if (isUnderWay) {
                // Written before the goal is read: whoever comes second, this thread or the one that learns it, sees both.
                reached = offset;
                Goal known = goal;
                if (known != null && offset >= known.end) {
                    done(known);
                }
            }
        }

        private synchronized void done(Goal which) {
            if (which != goal) {
                return; // it was asked again meanwhile
            }
            doneAt = which.term;
            goal = null;
            isUnderWay = false;
            synchronized (CatchUp.this) {
                CatchUp.this.notifyAll();
            }
        }

        @Override
        public void stopped() {
            starts.remove(partition, this);
            synchronized (CatchUp.this) {
                CatchUp.this.notifyAll();
            }
        }
    }
}
