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
 */
public final class CatchUp implements Progress {

    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final Source source;
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

    public CatchUp(Source source) {
        this(source, RETRY);
    }

    CatchUp(Source source, Duration retry) {
        this.source = source;
        this.retry = retry;
    }

    @Override
    public Watch started(int partition) {
        var start = new Start(partition);
        starts.put(partition, start);
        start.ask();
        return start;
    }

    /** False also where no task of the partition runs here. */
    public boolean isCaughtUp(int partition) {
        Start start = starts.get(partition);
        return start != null && start.isDone;
    }

    /** Whether every task that runs here now has caught up. */
    public boolean isCaughtUp() {
        return starts.values().stream().allMatch(start -> start.isDone);
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

    /** One start of a task. */
    private final class Start implements Watch {

        private final int partition;
        private volatile long end = UNKNOWN;
        private volatile long committed;
        private volatile long reached;
        private volatile boolean isDone;

        Start(int partition) {
            this.partition = partition;
        }

        long left() {
            return isDone || end == UNKNOWN ? 0 : Math.max(0, end - Math.max(reached, committed));
        }

        private boolean isOver() {
            return starts.get(partition) != this;
        }

        void ask() {
            source.reach(partition).whenComplete((reach, failure) -> {
                if (failure != null) {
                    LOG.warn("how far partition {} reaches is not known yet: {}", partition, failure.getMessage());
                    again(this::ask);
                } else if (reach.committed() >= reach.end()) {
                    done();
                } else {
                    committed = reach.committed();
                    end = reach.end();
                    if (reached >= reach.end()) {
                        done();
                    } else {
                        mark();
                    }
                }
            });
        }

        private void mark() {
            source.appendMark(partition).whenComplete((_, failure) -> {
                if (failure != null) {
                    LOG.warn("partition {} has got no mark behind its end yet: {}", partition, failure.getMessage());
                    again(this::mark);
                }
            });
        }

        private void again(Runnable step) {
            CompletableFuture.delayedExecutor(retry.toMillis(), TimeUnit.MILLISECONDS).execute(() -> {
                if (!isDone && !isOver()) {
                    step.run();
                }
            });
        }

        @Override
        public void reached(long offset) {
            if (!isDone) {
                // Written before the end is read: whoever comes second, this thread or the one that learns the end, sees both.
                reached = offset;
                if (offset >= end) {
                    done();
                }
            }
        }

        private void done() {
            isDone = true;
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
