package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.replay.GroupPlace;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.Widening;
import dev.laurel.schemas.key.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The state that a shadow comes to by a wider copy of the log, as if it were that of the log itself: each partition has what
 * lies in those that come from it. One thread.
 */
final class WideShadowState implements Replayed {

    private final ShadowState wide;
    private final GroupPlace folded;
    private final GroupPlace copied;
    private final Widening widening;
    private final BooleanSupplier isStopped;

    /**
     * @param wide by partitions of the wide log
     * @param folded the ledger of the shadow in that log
     * @param copied what copies the log into it, in the log
     */
    WideShadowState(ShadowState wide, GroupPlace folded, GroupPlace copied, BooleanSupplier isStopped) {
        this.wide = wide;
        this.folded = folded;
        this.copied = copied;
        this.widening = new Widening(copied.partitions(), folded.partitions());
        this.isStopped = isStopped;
    }

    @Override
    public List<Long> holdBehind(List<Long> atLeast, ReplayProgress progress) throws InterruptedException {
        new Waiting("wait for the nodes to copy the log", progress).await(new Copying(), atLeast);
        // Copies and the place of the copier come from one transaction: so they all stand before these ends.
        wide.holdBehind(folded, folded.ends(), progress);
        return copied.committed(); // what is folded was copied before this
    }

    /** What the copiers in the nodes do. */
    private final class Copying implements Waiting.Work {

        @Override
        public long done(List<Long> ends) throws InterruptedException {
            List<Long> committed = copied.committed();
            long done = 0;
            for (int partition = 0; partition < committed.size(); partition++) {
                done += Math.min(committed.get(partition), ends.get(partition));
            }
            return done;
        }

        @Override
        public boolean isDone(List<Long> ends) throws InterruptedException {
            return copied.isDone(ends);
        }

        @Override
        public void expectRunning() {
            if (isStopped.getAsBoolean()) {
                throw new Stopped();
            }
        }
    }

    @Override
    public void goOn() {
        wide.goOn();
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        throw new CommandFailed("what lies in " + name + " is spread over several partitions of the wider log");
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> storeOf(String name, int partition, byte[] user) {
        return wide.store(name, new LogLayout(widening.wide()).partitionOf(user));
    }

    @Override
    public KeyValueIterator<Bytes, byte[]> all(String name, int partition) {
        var parts = new ArrayList<KeyValueIterator<Bytes, byte[]>>();
        for (int part = partition; part < widening.wide(); part += widening.narrow()) {
            parts.add(wide.all(name, part));
        }
        return new MergedEntries(parts);
    }

    @Override
    public long count(String name, int partition) {
        long count = 0;
        for (int part = partition; part < widening.wide(); part += widening.narrow()) {
            count += wide.count(name, part);
        }
        return count;
    }

    @Override
    public Ranking ranking(BoardGroup group) {
        return wide.ranking(group);
    }

    @Override
    public CompiledRuleset newest(TenantId tenant) {
        return wide.newest(tenant);
    }

    @Override
    public CompiledRuleset version(TenantId tenant, long version) {
        return wide.version(tenant, version);
    }
}
