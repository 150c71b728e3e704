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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/** The state that a shadow comes to. One thread. */
final class ShadowState implements Replayed {

    private static final Duration HOLD_TIMEOUT = Duration.ofMinutes(5);

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
        new Waiting("read the log", progress).await(new Fold(ends -> isBehind(shadow.committed(), ends)), atLeast);
        return hold();
    }

    /** The same, by what its ledger has done. The marks of transactions hold offsets, too, behind which nobody commits. */
    void holdBehind(GroupPlace folded, List<Long> ends, ReplayProgress progress) throws InterruptedException {
        new Waiting("read the log", progress).await(new Fold(folded::isDone), ends);
        hold();
    }

    /** What the shadow's threads do. */
    private final class Fold implements Waiting.Work {

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
                throw new Stopped();
            }
            Throwable thrown = fault.get();
            if (thrown != null) {
                throw new CommandFailed("the replay has failed: " + thrown.getMessage(), thrown);
            }
        }
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
