package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.tools.replay.ReplayLog.Entry;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.Progress;
import dev.laurel.processors.generation.GenerationProgress;
import dev.laurel.processors.generation.GenerationProgress.GroupProgress;
import dev.laurel.processors.generation.ShadowGeneration;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.GenerationRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What one process has of a replay: its part of the shadow, and how far all of it is. Used by one thread.
 *
 * @param live progress of the generation in force
 * @param rocksDb settings for the memory that all stores share
 * @param expectWanted throws an exception if the process is asked to end, or something has failed
 * @param begunNs when it began to read
 * @param readMs how long it took to read the log; 0 before that
 */
record ReplayMember(
        ReplayPlan plan,
        Inputs inputs,
        ReplayLog log,
        Progress progress,
        ShadowGeneration shadow,
        GenerationProgress live,
        RulesetVersions liveRules,
        Map<String, Object> rocksDb,
        Runnable expectWanted,
        BooleanSupplier stopped,
        long begunNs,
        AtomicLong readMs)
        implements AutoCloseable {

    static final Duration HOLD_TIMEOUT = Duration.ofMinutes(5);

    /**
     * What all members start from.
     *
     * @param inForce the generation that is compared with
     * @param replayed the generation that is replayed
     * @param rules rules of the generation in force
     * @param draft null: no file was given
     */
    record Inputs(
            Entry.Begun begun,
            GenerationRecord inForce,
            GenerationRecord replayed,
            Rulesets rules,
            Rulesets replayedRules,
            @Nullable CandidateRuleset draft) {}

    /**
     * Takes part in the replay.
     *
     * @param folder for temporary state
     * @param onFault receives what stopped the shadow
     */
    static ReplayMember start(
            ReplayPlan plan,
            Inputs inputs,
            ReplayLog log,
            Path folder,
            Progress progress,
            Consumer<Throwable> onFault,
            Runnable expectWanted,
            BooleanSupplier stopped)
            throws InterruptedException {
        long begunNs = System.nanoTime();
        var streams = StreamsSettings.alone(
                plan.kafka(),
                folder.resolve("replayed"),
                plan.resources().threads(),
                plan.resources().rocksDbBytes());
        var shadow = ShadowGeneration.start(
                LedgerConfig.of(streams),
                inputs.replayed(),
                plan.sharing() != null || plan.isPromoted(),
                inputs.replayedRules(),
                onFault);
        try {
            var live = new GenerationProgress(
                    plan.kafka().clientProperties(), inputs.inForce().generation(), null, ReplayPlan.TIMEOUT);
            return new ReplayMember(
                    plan,
                    inputs,
                    log,
                    progress,
                    shadow,
                    live,
                    new RulesetVersions(inputs.rules(), ReplayPlan.TIMEOUT),
                    streams.rocksDb(),
                    expectWanted,
                    stopped,
                    begunNs,
                    new AtomicLong());
        } catch (InterruptedException | RuntimeException e) {
            shadow.close();
            throw e;
        }
    }

    /** Waits until the whole log is read, by all members together, and the stores of this one can be read. */
    void awaitRead() throws InterruptedException {
        await(live.ledger().committed(), "read the log", allPartitions());
        if (!shadow.awaitOpen(HOLD_TIMEOUT)) {
            throw new CommandFailed(
                    "the replay did not open its stores within " + HOLD_TIMEOUT.toMinutes() + " minutes");
        }
    }

    /**
     * Waits until the shadow has read all records before these places of the live log.
     *
     * @param targets offset by partition of the live log
     * @param partitions partitions of the replayed log
     * @return offset by partition of the replayed log behind these records
     */
    List<Long> await(List<Long> targets, String step, Set<Integer> partitions) throws InterruptedException {
        if (isWider()) {
            await(shadow.progress().copier(), targets, "wait for the nodes to copy the log");
        }
        // Copies and the offsets of the copier are committed in one transaction, so all copies are before these ends.
        List<Long> ends = isWider() ? shadow.progress().ledger().ends() : targets;
        var awaited = new ArrayList<Long>();
        for (int partition = 0; partition < ends.size(); partition++) {
            awaited.add(partitions.contains(partition) ? ends.get(partition) : 0L);
        }
        await(shadow.progress().ledger(), awaited, step);
        return ends;
    }

    private void await(GroupProgress group, List<Long> ends, String step) throws InterruptedException {
        long begun = done(group.committed(), ends);
        progress.begin(step, "records", ends.stream().mapToLong(Long::longValue).sum() - begun);
        group.await(ends, committed -> {
            expectRunning();
            progress.stepTo(done(committed, ends) - begun);
        });
        progress.end();
    }

    private static long done(List<Long> positions, List<Long> ends) {
        return IntStream.range(0, ends.size())
                .mapToLong(partition -> Math.min(positions.get(partition), ends.get(partition)))
                .sum();
    }

    /**
     * Returns where the shadow is in the live log.
     *
     * @param positions where it is in the replayed log
     */
    List<Long> reached(List<Long> positions) throws InterruptedException {
        return isWider()
                ? shadow.progress().copier().committed()
                : positions; // All records that were read were copied before.
    }

    /** The log is read for the first time, or again. */
    void hasRead() {
        readMs.compareAndSet(0, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs));
    }

    /** @throws CommandFailed if the process is asked to end, or something has failed */
    void expectRunning() {
        expectWanted.run();
    }

    boolean isStopped() {
        return stopped.getAsBoolean();
    }

    /** Whether the replayed log has more partitions than the live one. */
    boolean isWider() {
        return inputs.replayed().copiedFrom() != null;
    }

    /** Returns the partition of the live log with the users of a partition of the replayed log. */
    int liveOf(int partition) {
        return partition % live.ledger().partitions();
    }

    /** Returns the number of partitions of the replayed log. */
    int partitions() {
        return shadow.progress().ledger().partitions();
    }

    Set<Integer> allPartitions() {
        return Set.copyOf(IntStream.range(0, partitions()).boxed().toList());
    }

    Map<String, Object> client() {
        return plan.kafka().clientProperties();
    }

    /** Returns the moment that both states are shown at. */
    Instant at() {
        return inputs.begun().at();
    }

    /** Copies a part of the live state. @param name of the folder */
    CopiedState copyLive(CopiedState.Extent extent, Path parent, String name) {
        return copy(inputs.inForce(), extent, liveRules, parent.resolve(name));
    }

    /** Copies a part of the state of the shadow, if other processes may have some of it. */
    @Nullable
    CopiedState copyReplayed(CopiedState.Extent extent, Path parent, String name) {
        return plan.sharing() == null ? null : copy(inputs.replayed(), extent, shadow.rulesets(), parent.resolve(name));
    }

    private CopiedState copy(
            GenerationRecord generation, CopiedState.Extent extent, RulesetVersions rulesets, Path folder) {
        return new CopiedState(
                client(), generation.generation(), extent, rulesets, shadow.boardLayout(), folder, stopped);
    }

    /** Stops this part of the shadow, which others continue. */
    @Override
    public void close() {
        try (live) {
            shadow.close();
        }
    }
}
