package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.Progress;
import dev.laurel.processors.generation.GenerationProgress;
import dev.laurel.processors.generation.GroupProgress;
import dev.laurel.processors.generation.ShadowGeneration;
import dev.laurel.processors.generation.ShadowGeneration.Purpose;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What one process has of a replay that several processes share: its part of the shadow, and how far all of it is. Used by one thread. */
final class RunMember implements AutoCloseable {

    private final Setting setting;
    private final RulesetVersions liveRules;
    private final GenerationProgress liveProgress;
    private final GenerationProgress shadowProgress;
    private final ShadowGeneration shadow;
    private final long begunNs = System.nanoTime();
    private @Nullable Duration read;

    /**
     * @param run the generation that names the topics of the run
     * @param begun the inputs of all members
     * @param inForce the generation that is compared with
     * @param replayed the generation that is replayed
     * @param rules rules of the generation in force
     * @param fault what stopped the process; null: nothing did
     */
    record Setting(ReplayRun.Plan plan, Generation run, RunLog log, RunLog.Entry.Begun begun, GenerationRecord inForce,
            GenerationRecord replayed, Rulesets rules, Rulesets replayedRules, Path folder, Progress progress,
            AtomicReference<@Nullable Throwable> fault, BooleanSupplier isStopped) {}

    /** Takes part in the run. */
    RunMember(Setting setting) throws InterruptedException {
        this.setting = setting;
        this.liveRules = new RulesetVersions(setting.rules(), ReplayRun.TIMEOUT);
        this.shadow = ShadowGeneration.start(ReplayRun.config(setting.plan(), setting.folder()), generation(),
                generation().isReport() ? Purpose.SHARED_REPORT : Purpose.SHARED_PROMOTION,
                setting.replayedRules(), thrown -> setting.fault().compareAndSet(null, thrown));
        try {
            this.liveProgress = new GenerationProgress(client(), inForce(), null, ReplayRun.TIMEOUT);
            this.shadowProgress = new GenerationProgress(client(), generation(), setting.replayed().copiedFrom(),
                    ReplayRun.TIMEOUT);
        } catch (InterruptedException | RuntimeException e) {
            shadow.close();
            throw e;
        }
    }

    /** Waits until the whole log, up to where the live state was when the run began, is read by all members together. */
    void awaitRead() throws InterruptedException {
        await(setting.begun().targets(), "read the log", null);
    }

    /**
     * Waits until the shadow has read all records before these places of the live log.
     *
     * @param targets offset by partition of the live log
     * @param partitions partitions of the replayed log; null: all
     * @return offset by partition of the replayed log behind these records
     */
    List<Long> await(List<Long> targets, String step, @Nullable Set<Integer> partitions) throws InterruptedException {
        if (isWider()) {
            GroupProgress copied = shadowProgress.copier();
            wait("wait for the nodes to copy the log").await(targets, copied::committed, () -> copied.isDone(targets));
        }
        GroupProgress read = shadowProgress.ledger();
        // Copies and the offsets of the copier are committed in one transaction, so all copies are before these ends.
        List<Long> ends = isWider() ? read.ends() : targets;
        var awaited = new ArrayList<Long>();
        for (int partition = 0; partition < ends.size(); partition++) {
            awaited.add(partitions == null || partitions.contains(partition) ? ends.get(partition) : 0L);
        }
        wait(step).await(awaited, read::committed, () -> read.isDone(awaited));
        return ends;
    }

    private ShadowState.CatchUpWait wait(String step) {
        return new ShadowState.CatchUpWait(step, this::expectRunning, progress());
    }

    /**
     * Returns where the shadow is in the live log.
     *
     * @param positions where it is in the replayed log
     */
    List<Long> reached(List<Long> positions) throws InterruptedException {
        return isWider() ? shadowProgress.copier().committed() : positions; // All records that were read were copied before.
    }

    /** The log is read for the first time. */
    void hasRead() {
        read = read == null ? Duration.ofNanos(System.nanoTime() - begunNs) : read;
    }

    /** Returns how long it took to read the log. */
    long readMs() {
        return read == null ? 0 : read.toMillis();
    }

    /** @throws CommandFailed if the process is asked to end, or something has failed */
    void expectRunning() {
        expectRunning(setting.fault(), setting.isStopped());
    }

    static void expectRunning(AtomicReference<@Nullable Throwable> fault, BooleanSupplier isStopped) {
        if (isStopped.getAsBoolean()) {
            throw new ReplayRun.Stopped();
        }
        Throwable thrown = fault.get();
        if (thrown != null) {
            throw new CommandFailed("the replay has failed: " + thrown.getMessage(), thrown);
        }
    }

    boolean isStopped() {
        return setting.isStopped().getAsBoolean();
    }

    /** Whether the replayed log has more partitions than the live one. */
    boolean isWider() {
        return setting.replayed().copiedFrom() != null;
    }

    /** Returns the partition of the live log with the users of a partition of the replayed log. */
    int liveOf(int partition) {
        return partition % liveProgress.ledger().partitions();
    }

    /** Returns the number of partitions of the replayed log. */
    int partitions() {
        return shadowProgress.ledger().partitions();
    }

    Map<String, Object> client() {
        return setting.plan().kafka().clientProperties();
    }

    ReplayRun.Plan plan() {
        return setting.plan();
    }

    Generation run() {
        return setting.run();
    }

    RunLog log() {
        return setting.log();
    }

    Instant at() {
        return setting.begun().at();
    }

    Generation inForce() {
        return setting.inForce().generation();
    }

    Generation generation() {
        return setting.replayed().generation();
    }

    RulesetVersions liveRules() {
        return liveRules;
    }

    GenerationProgress liveProgress() {
        return liveProgress;
    }

    GenerationProgress shadowProgress() {
        return shadowProgress;
    }

    ShadowGeneration shadow() {
        return shadow;
    }

    Progress progress() {
        return setting.progress();
    }

    /** Stops this part of the shadow, which others continue. */
    @Override
    public void close() {
        try (liveProgress; shadowProgress) {
            shadow.close();
        }
    }
}
