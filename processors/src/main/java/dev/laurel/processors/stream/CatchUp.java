package dev.laurel.processors.stream;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
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
 * <p>And of those that run it is asked again when the process has stood still ({@link Standstill}): others may have gone on with
 * them meanwhile, and have answered. Then it is of no use what the group has committed, that may be the others' work: a record
 * behind the end is appended in any case, unless the task is there already.
 */
public final class CatchUp implements Progress {

    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final int NEVER = -1;

    private final Source source;
    private final IntSupplier standstills;
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
        this(source, () -> 0, RETRY);
    }

    /** @param standstill of this process; when it has ended, {@link #askAgain} */
    public CatchUp(Source source, Standstill standstill) {
        this(source, standstill::count, RETRY);
    }

    /** @param standstills how many there were by now */
    CatchUp(Source source, IntSupplier standstills, Duration retry) {
        this.source = source;
        this.standstills = standstills;
        this.retry = retry;
    }

    @Override
    public Watch started(int partition) {
        var start = new Start(partition);
        starts.put(partition, start);
        start.ask(standstills.getAsInt(), true);
        return start;
    }

    /** After a standstill, for which nothing is taken for caught up any more. */
    public void askAgain() {
        int asked = standstills.getAsInt();
        starts.values().stream().filter(start -> start.asked != asked).forEach(start -> start.ask(asked, false));
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
     * @param standstills as many as there were when that was asked
     * @param end of the partition then
     * @param committed what need not be processed
     */
    private record Goal(int standstills, long end, long committed) {}

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
            return doneAt == standstills.getAsInt();
        }

        long left() {
            Goal known = goal;
            return known == null ? 0 : Math.max(0, known.end - Math.max(reached, known.committed));
        }

        private boolean isOver() {
            return starts.get(partition) != this;
        }

        /**
         * @param standstills by now; of several answers, only that counts which was asked for last
         * @param isRestored whether its stores show what the group has committed
         */
        void ask(int standstills, boolean isRestored) {
            synchronized (this) {
                asked = standstills;
                goal = null;
                isUnderWay = true;
            }
            source.reach(partition).whenComplete((reach, failure) -> {
                if (failure == null) {
                    head(new Goal(standstills, reach.end(), isRestored ? reach.committed() : 0),
                            isRestored && reach.committed() >= reach.end());
                } else {
                    LOG.warn("how far partition {} reaches is not known yet: {}", partition, failure.getMessage());
                    again(standstills, () -> ask(standstills, isRestored));
                }
            });
        }

        private void head(Goal known, boolean isThere) {
            synchronized (this) {
                if (known.standstills != asked) {
                    return;
                }
                goal = known;
            }
            if (isThere || reached >= known.end) {
                done(known);
            } else {
                mark(known.standstills);
            }
        }

        private void mark(int standstills) {
            source.appendMark(partition).whenComplete((_, failure) -> {
                if (failure != null) {
                    LOG.warn("partition {} has got no mark behind its end yet: {}", partition, failure.getMessage());
                    again(standstills, () -> mark(standstills));
                }
            });
        }

        private void again(int standstills, Runnable step) {
            CompletableFuture.delayedExecutor(retry.toMillis(), TimeUnit.MILLISECONDS).execute(() -> {
                if (standstills == asked && isUnderWay && !isOver()) {
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
            doneAt = which.standstills;
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
