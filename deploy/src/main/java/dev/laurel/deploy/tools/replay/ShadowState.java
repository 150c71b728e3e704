package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.replay.GenerationPlace;
import dev.laurel.processors.replay.GroupPlace;
import dev.laurel.processors.replay.Shadow;
import dev.laurel.processors.replay.Shadow.Position;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Leaderboard;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** The state that a shadow comes to. One thread. */
final class ShadowState implements Replayed {

    private static final Duration HOLD_TIMEOUT = Duration.ofMinutes(5);
    private static final long LOOK_AGAIN_MS = 250;

    private final Shadow shadow;
    private final GenerationPlace place;
    private final AtomicReference<Throwable> fault;
    private final BooleanSupplier isStopped;
    private final long begunNs = System.nanoTime();
    private Duration elapsed;
    private long records;

    /**
     * @param place of the shadow's generation
     * @param fault what has stopped the shadow, null while it runs
     * @param isStopped ends waiting, with a failure
     */
    ShadowState(Shadow shadow, GenerationPlace place, AtomicReference<Throwable> fault, BooleanSupplier isStopped) {
        this.shadow = shadow;
        this.place = place;
        this.fault = fault;
        this.isStopped = isStopped;
    }

    @Override
    public List<Long> holdBehind(List<Long> atLeast, ReplayProgress progress) throws InterruptedException {
        long begun = sum(shadow.progress(), atLeast);
        long all = atLeast.stream().mapToLong(Long::longValue).sum();
        progress.begin("read the log", "records", all - begun);
        while (!isBehind(shadow.committed(), atLeast)) {
            expectRunning();
            progress.stepTo(sum(shadow.progress(), atLeast) - begun);
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
        }
        progress.stepTo(all - begun);
        progress.end();
        return hold();
    }

    /** The same, by what its ledger has done. The marks of transactions hold offsets, too, behind which nobody commits. */
    void holdBehind(GroupPlace folded, List<Long> ends, ReplayProgress progress) throws InterruptedException {
        long begun = sum(shadow.progress(), ends);
        long all = ends.stream().mapToLong(Long::longValue).sum();
        progress.begin("read the log", "records", all - begun);
        while (!folded.isDone(ends)) {
            expectRunning();
            progress.stepTo(sum(shadow.progress(), ends) - begun);
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
        }
        progress.stepTo(all - begun);
        progress.end();
        hold();
    }

    private List<Long> hold() throws InterruptedException {
        if (!shadow.hold(HOLD_TIMEOUT) || !place.boards().await(HOLD_TIMEOUT)) {
            throw new CommandFailed("the replay did not come to rest within " + HOLD_TIMEOUT.toMinutes() + " minutes");
        }
        List<Long> stands = shadow.progress().stream().map(Position::position).toList();
        if (elapsed == null) {
            elapsed = Duration.ofNanos(System.nanoTime() - begunNs);
            records = stands.stream().mapToLong(Long::longValue).sum();
        }
        return stands;
    }

    /** How long the first reading took. */
    Duration elapsed() {
        return elapsed;
    }

    /** How many records that were; the marks of transactions among them. */
    long records() {
        return records;
    }

    private void expectRunning() {
        if (isStopped.getAsBoolean()) {
            throw new Stopped();
        }
        Throwable thrown = fault.get();
        if (thrown != null) {
            throw new CommandFailed("the replay has failed: " + thrown.getMessage(), thrown);
        }
    }

    private static long sum(List<Position> positions, List<Long> atMost) {
        return positions.stream().mapToLong(it -> Math.min(it.position(), atMost.get(it.partition()))).sum();
    }

    private static boolean isBehind(List<Long> committed, List<Long> offsets) {
        for (int partition = 0; partition < offsets.size(); partition++) {
            if (committed.get(partition) < offsets.get(partition)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void goOn() {
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
    public CompiledRuleset newest(TenantId tenant) {
        return shadow.rulesets().newest(tenant);
    }

    @Override
    public CompiledRuleset version(TenantId tenant, long version) {
        return shadow.rulesets().get(tenant, version);
    }
}
