package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.Progress;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardRules;
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
import java.util.stream.IntStream;
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
    public List<Long> pauseAfter(List<Long> atLeast, Progress reporter) throws InterruptedException {
        awaitLog(atLeast, () -> hasReached(shadow.committed(), atLeast), reporter);
        return hold();
    }

    /**
     * Waits for the ledger of the shadow instead of committed offsets, which never pass the transaction markers at
     * the end.
     */
    void pauseAfter(GroupProgress folded, List<Long> ends, Progress reporter) throws InterruptedException {
        awaitLog(ends, () -> folded.isDone(ends), reporter);
        hold();
    }

    private void awaitLog(List<Long> ends, Query<Boolean> isDone, Progress reporter)
            throws InterruptedException {
        new CatchUpWait("read the log", this::expectRunning, reporter).await(ends, this::positions, isDone);
    }

    private void expectRunning() {
        if (isStopped.getAsBoolean()) {
            throw new ReplayRun.Stopped();
        }
        Throwable thrown = fault.get();
        if (thrown != null) {
            throw new CommandFailed("the replay has failed: " + thrown.getMessage(), thrown);
        }
    }

    /** Returns the offset of the next record by partition of the log. */
    private List<Long> positions() {
        return shadow.progress().stream().map(Position::position).toList();
    }

    private List<Long> hold() throws InterruptedException {
        if (!shadow.pause(HOLD_TIMEOUT) || !progress.boards().await(HOLD_TIMEOUT)) {
            throw new CommandFailed(
                    "the replay did not stop at its offsets within " + HOLD_TIMEOUT.toMinutes() + " minutes");
        }
        List<Long> positions = positions();
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
        shadow.resume();
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        return shadow.store(name, partition);
    }

    @Override
    public Ranking ranking(BoardRules rules, BoardGroup group) {
        int partition = shadow.boardLayout().partitionOf(group, rules);
        return shadow.boards(partition).ranking(group, Leaderboard.MAX_PARTICIPANTS);
    }

    @Override
    public RulesetVersions rulesets() {
        return shadow.rulesets();
    }

    /** Reads the state of other threads or processes. */
    interface Query<T> {

        T get() throws InterruptedException;
    }

    /**
     * Waits for other threads or processes to work through a topic, and shows their progress.
     *
     * @param name name of the step, for people
     * @param expectRunning throws an exception if waiting is pointless
     */
    record CatchUpWait(String name, Runnable expectRunning, Progress reporter) {

        private static final long POLL_INTERVAL_MS = 250;

        /**
         * @param ends end offsets by partition
         * @param positions offset of the next record by partition
         * @param isDone whether all records before the end offsets are completed
         */
        void await(List<Long> ends, Query<List<Long>> positions, Query<Boolean> isDone) throws InterruptedException {
            long begun = done(positions.get(), ends);
            long all = ends.stream().mapToLong(Long::longValue).sum();
            reporter.begin(name, "records", all - begun);
            while (!isDone.get()) {
                expectRunning.run();
                reporter.stepTo(done(positions.get(), ends) - begun);
                TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL_MS);
            }
            // Offsets of transaction markers are never reported as completed.
            reporter.stepTo(all - begun);
            reporter.end();
        }

        private static long done(List<Long> positions, List<Long> ends) {
            return IntStream.range(0, ends.size())
                    .mapToLong(partition -> Math.min(positions.get(partition), ends.get(partition))).sum();
        }
    }
}
