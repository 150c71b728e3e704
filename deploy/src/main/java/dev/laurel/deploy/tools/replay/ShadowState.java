package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.generation.GenerationProgress;
import dev.laurel.processors.generation.GroupProgress;
import dev.laurel.processors.generation.ShadowGeneration.Position;
import dev.laurel.processors.generation.ShadowGeneration;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.ruleset.Leaderboard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** The state of a shadow generation. Used by one thread. */
final class ShadowState implements ComparedState.Replayed {

    private static final Duration HOLD_TIMEOUT = Duration.ofMinutes(5);

    private final ShadowGeneration shadow;
    private final GenerationProgress progress;
    private final AtomicReference<@Nullable Throwable> fault;
    private final BooleanSupplier isStopped;
    private final long begunNs = System.nanoTime();
    private Duration elapsed = Duration.ZERO;
    private long records;

    /**
     * @param progress progress of the shadow's generation
     * @param fault fault of the shadow; null: it runs
     * @param isStopped ends waiting with an exception
     */
    ShadowState(ShadowGeneration shadow, GenerationProgress progress, AtomicReference<@Nullable Throwable> fault,
            BooleanSupplier isStopped) {
        this.shadow = shadow;
        this.progress = progress;
        this.fault = fault;
        this.isStopped = isStopped;
    }

    @Override
    public List<Long> pauseAfter(List<Long> atLeast, ProgressReporter progress) throws InterruptedException {
        new CatchUpWait("read the log", progress).await(new Fold(ends -> hasReached(shadow.committed(), ends)), atLeast);
        return hold();
    }

    /**
     * Waits for the ledger of the shadow instead of committed offsets, which never pass the transaction markers at
     * the end.
     */
    void pauseAfter(GroupProgress folded, List<Long> ends, ProgressReporter progress) throws InterruptedException {
        new CatchUpWait("read the log", progress).await(new Fold(folded::isDone), ends);
        hold();
    }

    /** The work of the shadow's threads. */
    private final class Fold implements CatchUpWait.Work {

        private final End end;

        interface End {

            boolean isReached(List<Long> ends) throws InterruptedException;
        }

        Fold(End end) {
            this.end = end;
        }

        @Override
        public long done(List<Long> ends) {
            return shadow.progress().stream().mapToLong(it -> Math.min(it.position(), ends.get(it.partition()))).sum();
        }

        @Override
        public boolean isDone(List<Long> ends) throws InterruptedException {
            return end.isReached(ends);
        }

        @Override
        public void expectRunning() {
            if (isStopped.getAsBoolean()) {
                throw new ReplayRun.Stopped();
            }
            Throwable thrown = fault.get();
            if (thrown != null) {
                throw new CommandFailed("the replay has failed: " + thrown.getMessage(), thrown);
            }
        }
    }

    private List<Long> hold() throws InterruptedException {
        if (!shadow.hold(HOLD_TIMEOUT) || !progress.boards().await(HOLD_TIMEOUT)) {
            throw new CommandFailed("the replay did not stop at its offsets within " + HOLD_TIMEOUT.toMinutes() + " minutes");
        }
        List<Long> positions = shadow.progress().stream().map(Position::position).toList();
        if (elapsed.isZero()) {
            elapsed = Duration.ofNanos(System.nanoTime() - begunNs);
            records = positions.stream().mapToLong(Long::longValue).sum();
        }
        return positions;
    }

    /** Returns how long the first reading took. */
    Duration elapsed() {
        return elapsed;
    }

    /** Returns the number of records in the first reading, including transaction markers. */
    long records() {
        return records;
    }

    private static boolean hasReached(List<Long> committed, List<Long> offsets) {
        for (int partition = 0; partition < offsets.size(); partition++) {
            if (committed.get(partition) < offsets.get(partition)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void resume() {
        shadow.goOn();
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return shadow.store(name, partition);
    }

    @Override
    public Ranking ranking(BoardGroup group) {
        int partition = shadow.boardLayout().partitionOf(group.tenant(), group.board());
        return shadow.boards(partition).ranking(group, Leaderboard.MAX_PARTICIPANTS);
    }

    @Override
    public RulesetVersions rulesets() {
        return shadow.rulesets();
    }

    /** Waits for other threads or processes to work through a topic, and shows their progress. */
    static final class CatchUpWait {

        private static final long POLL_INTERVAL_MS = 250;

        private final String name;
        private final ProgressReporter progress;

        /** The work to wait for. End offsets are given by partition. */
        interface Work {

            /** Returns the number of completed records before these offsets. */
            long done(List<Long> ends) throws InterruptedException;

            /** Returns whether all records before these offsets are completed. */
            boolean isDone(List<Long> ends) throws InterruptedException;

            /** @throws RuntimeException if waiting is pointless */
            void expectRunning();
        }

        /** @param name name of the step, for people */
        CatchUpWait(String name, ProgressReporter progress) {
            this.name = name;
            this.progress = progress;
        }

        void await(Work work, List<Long> ends) throws InterruptedException {
            long begun = work.done(ends);
            long all = ends.stream().mapToLong(Long::longValue).sum();
            progress.begin(name, "records", all - begun);
            while (!work.isDone(ends)) {
                work.expectRunning();
                progress.stepTo(work.done(ends) - begun);
                TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL_MS);
            }
            // Offsets of transaction markers are never reported as completed.
            progress.stepTo(all - begun);
            progress.end();
        }
    }
}
