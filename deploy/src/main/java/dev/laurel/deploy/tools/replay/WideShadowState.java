package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.Progress;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.generation.GroupProgress;
import dev.laurel.processors.generation.Widening;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * The state of a shadow generation on a wider copy of the log, presented by partitions of the original log: each has
 * the entries of the partitions that it was split into. Used by one thread.
 */
final class WideShadowState implements ComparedState.Replayed {

    private final ShadowState wide;
    private final GroupProgress folded;
    private final GroupProgress copied;
    private final Widening widening;
    private final BooleanSupplier isStopped;

    /**
     * @param wide state by partitions of the wide log
     * @param folded progress of the shadow's ledger in the wide log
     * @param copied progress of the copier in the original log
     */
    WideShadowState(ShadowState wide, GroupProgress folded, GroupProgress copied, BooleanSupplier isStopped) {
        this.wide = wide;
        this.folded = folded;
        this.copied = copied;
        this.widening = new Widening(copied.partitions(), folded.partitions());
        this.isStopped = isStopped;
    }

    @Override
    public List<Long> pauseAfter(List<Long> atLeast, Progress progress) throws InterruptedException {
        new ShadowState.CatchUpWait("wait for the nodes to copy the log", this::expectNotStopped, progress)
                .await(atLeast, copied::committed, () -> copied.isDone(atLeast));
        // Copies and the offsets of the copier are committed in one transaction, so all copies are before these ends.
        wide.pauseAfter(folded, folded.ends(), progress);
        return copied.committed(); // All folded records were copied before.
    }

    private void expectNotStopped() {
        if (isStopped.getAsBoolean()) {
            throw new ReplayRun.Stopped();
        }
    }

    @Override
    public void resume() {
        wide.resume();
    }

    @Override
    public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
        throw new CommandFailed("the entries of " + name + " are in several partitions of the wider log");
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
    public Ranking ranking(BoardRules rules, BoardGroup group) {
        return wide.ranking(rules, group);
    }

    @Override
    public RulesetVersions rulesets() {
        return wide.rulesets();
    }

    /** Merges the entries of several stores with disjoint keys in key order. Used by one thread. */
    static final class MergedEntries implements KeyValueIterator<Bytes, byte[]> {

        private final List<KeyValueIterator<Bytes, byte[]>> parts;
        private final PriorityQueue<KeyValueIterator<Bytes, byte[]>> left = new PriorityQueue<>(
                Comparator.comparing(KeyValueIterator::peekNextKey));

        /** @param parts iterators in key order; closed with this one */
        MergedEntries(List<KeyValueIterator<Bytes, byte[]>> parts) {
            this.parts = List.copyOf(parts);
            parts.stream().filter(KeyValueIterator::hasNext).forEach(left::add);
        }

        @Override
        public boolean hasNext() {
            return !left.isEmpty();
        }

        @Override
        public Bytes peekNextKey() {
            if (left.isEmpty()) {
                throw new NoSuchElementException();
            }
            return left.element().peekNextKey();
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            KeyValueIterator<Bytes, byte[]> first = left.remove();
            KeyValue<Bytes, byte[]> entry = first.next();
            if (first.hasNext()) {
                left.add(first); // The queue orders iterators by their next key.
            }
            return entry;
        }

        @Override
        public void close() {
            parts.forEach(KeyValueIterator::close);
        }
    }
}
