package dev.laurel.deploy.tools.replay;

import static java.util.Objects.requireNonNull;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.tools.replay.ComparisonRounds.Round;
import dev.laurel.deploy.tools.replay.CopiedState.Extent;
import dev.laurel.processors.core.compare.ComparisonTotals;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.generation.GroupProgress.RecordKeys;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Compares those partitions of a shared shadow that this member owns, in rounds of its own, as {@link ComparisonRounds} does with all of
 * them. It pauses its own part of the shadow only; how far the others are is in Kafka. Ranks are those of all users, so it copies the
 * entries of all leaderboards of both states, and of the live ledger the partitions that it compares. A partition that moves to another
 * member meanwhile is dropped: that member compares it anew. Used by one thread.
 */
final class OwnedComparison implements AutoCloseable {

    private static final Duration BOARDS_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration HOLD_TIMEOUT = Duration.ofMinutes(5);
    private static final RecordKeys NOTHING = new RecordKeys(Set.of(), false, false);
    private static final RecordKeys SOMETHING = new RecordKeys(Set.of(), true, true);

    private final RunMember member;
    private final CopiedState live;
    private final CopiedState boards;
    private final Set<Integer> livePartitions;
    private final List<Unit> open = new ArrayList<>();
    private boolean boardsAtRest;

    /**
     * @param tasks tokens of the open tasks of the partitions to compare
     * @param folder empty folder for the copies
     */
    OwnedComparison(RunMember member, Map<Integer, Object> tasks, Path folder) {
        this.member = member;
        this.livePartitions = tasks.keySet().stream().map(member::liveOf).collect(Collectors.toUnmodifiableSet());
        var layout = member.shadow().boardLayout();
        this.live = new CopiedState(member.client(), member.inForce(), Extent.of(livePartitions), member.liveRules(),
                layout,
                folder.resolve("live"), member::isStopped);
        try {
            this.boards = new CopiedState(member.client(), member.generation(), Extent.BOARDS,
                    member.shadow().rulesets(),
                    layout, folder.resolve("boards"), member::isStopped);
        } catch (RuntimeException e) {
            live.close();
            throw e;
        }
        tasks.forEach((partition, task) -> open.add(new Unit(partition, task)));
    }

    /** Compares the partitions and publishes each part when it is complete. */
    void run() throws InterruptedException {
        for (int number = 1; !open.isEmpty(); number++) {
            try {
                Round round = pause(number);
                open.removeIf(unit -> !unit.isOwned() || member.log().parts().containsKey(unit.partition()));
                if (round == null) {
                    return; // Tasks move for minutes: the caller begins again with those that are left.
                }
                for (Unit unit : List.copyOf(open)) {
                    boolean isMoreLeft = unit.compare(round);
                    member.expectRunning(); // A comparison that was stopped is no part of the report.
                    if (!isMoreLeft || round.isLast()) {
                        open.remove(unit);
                        unit.publish();
                    }
                }
            } finally {
                member.shadow().resume();
            }
        }
    }

    /** Returns null if the shadow did not stop in time. */
    private @Nullable Round pause(int number) throws InterruptedException {
        boardsAtRest = member.liveProgress().boards().await(BOARDS_TIMEOUT);
        List<Long> before = member.liveProgress().ledger().committed();
        live.follow(member.progress());
        List<Long> after = member.liveProgress().ledger().committed();
        List<Long> ends = member.await(after, "follow the log",
                open.stream().map(Unit::partition).collect(Collectors.toUnmodifiableSet()));
        if (!member.shadow().pause(HOLD_TIMEOUT)) {
            return null;
        }
        boolean areOthersThere = member.shadowProgress().ledger().isDone(ends);
        if (!member.shadowProgress().boards().await(HOLD_TIMEOUT)) {
            return null;
        }
        member.hasRead();
        boards.follow(member.progress());
        List<Long> positions = member.shadowProgress().ledger().committed();
        open.forEach(unit -> unit.stopsAt(positions.get(unit.partition())));
        List<RecordKeys> between = between(before, after, member.reached(positions));
        return new Round(number, number == ComparisonRounds.MAX_ROUNDS,
                positionsOf(between, positions.size()), boardsAtRest && areOthersThere);
    }

    /** Returns the keys in partitions that are compared; of others only whether there are records, and only until one has some. */
    private List<RecordKeys> between(List<Long> before, List<Long> after, List<Long> reached) {
        var between = new ArrayList<RecordKeys>();
        boolean isAtRest = true;
        for (int partition = 0; partition < before.size(); partition++) {
            long from = before.get(partition);
            long to = Math.max(reached.get(partition), after.get(partition));
            RecordKeys keys = livePartitions.contains(partition)
                    ? member.liveProgress().ledger().between(partition, from, to)
                    : isAtRest && member.liveProgress().ledger().isNothingBetween(partition, from, to)
                            ? NOTHING
                            : SOMETHING;
            isAtRest &= keys.isEmpty();
            between.add(keys);
        }
        return between;
    }

    /** Returns the keys by partition of the replayed log. */
    private List<RecordKeys> positionsOf(List<RecordKeys> between, int partitions) {
        var ordered = new ArrayList<RecordKeys>();
        for (int partition = 0; partition < partitions; partition++) {
            ordered.add(between.get(member.liveOf(partition)));
        }
        return ordered;
    }

    @Override
    public void close() {
        live.close();
        boards.close();
    }

    /** The comparison of one partition of the replayed log. */
    private final class Unit {

        private final int partition;
        private final Object task;
        private final RunParts.Writer writer;
        private final ComparisonTotals totals = new ComparisonTotals(member.plan().top());
        private final UserComparisonPass users;
        private final @Nullable StoreComparisonPass stores;
        private @Nullable Long position;

        Unit(int partition, Object task) {
            this.partition = partition;
            this.task = task;
            this.writer = new RunParts.Writer(member.log().producer(), member.run().runUsers(), partition);
            ComparedState before = member.isWider() ? new PartOfLive() : live;
            var after = new OwnedShadow();
            this.users = new UserComparisonPass(before, after, List.of(partition), member.at().toEpochMilli(),
                    member.plan().selection(), totals, writer::add, member.progress(), member::isStopped);
            this.stores = member.plan().isProof()
                    ? new StoreComparisonPass(before, after, List.of(partition), member.progress(), member::isStopped)
                    : null;
        }

        int partition() {
            return partition;
        }

        boolean isOwned() {
            return task == member.shadow().owned().get(partition);
        }

        void stopsAt(long offset) {
            position = position == null ? Long.valueOf(offset) : position;
        }

        /** Returns whether anything must be compared again. */
        boolean compare(Round round) {
            try {
                boolean isMoreLeft = stores != null && stores.compare(round);
                return users.compare(round) | isMoreLeft;
            } catch (CommandFailed e) {
                throw e;
            } catch (RuntimeException e) {
                if (isOwned()) {
                    throw e;
                }
                return false; // Its stores were closed, and nothing will be published.
            }
        }

        void publish() throws InterruptedException {
            if (!isOwned()) {
                return;
            }
            var summary = new RunParts.Summary(requireNonNull(position, "compared"), member.readMs(), boardsAtRest,
                    totals.snapshot(), users.notCompared(), users.examplesNotCompared(ReplayRun.EXAMPLES),
                    stores == null ? null : stores.verdict());
            member.log().append(writer.end(summary));
        }
    }

    /** The part of the shadow in this process. */
    private final class OwnedShadow implements ComparedState {

        @Override
        public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
            return member.shadow().store(name, partition);
        }

        @Override
        public Ranking ranking(BoardRules rules, BoardGroup group) {
            return boards.ranking(rules, group);
        }

        @Override
        public RulesetVersions rulesets() {
            return member.shadow().rulesets();
        }
    }

    /** The live state, presented by partitions of the wider log: each has those users whom the wider log has there. */
    private final class PartOfLive implements ComparedState {

        @Override
        public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
            return live.store(name, member.liveOf(partition));
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> all(String name, int partition) {
            return new UsersOf(live.all(name, member.liveOf(partition)), member.shadow().layout(), partition);
        }

        @Override
        public Ranking ranking(BoardRules rules, BoardGroup group) {
            return live.ranking(rules, group);
        }

        @Override
        public RulesetVersions rulesets() {
            return live.rulesets();
        }
    }

    /** Those entries of the store of users that belong to one partition of a layout. Used by one thread. */
    static final class UsersOf implements KeyValueIterator<Bytes, byte[]> {

        private final KeyValueIterator<Bytes, byte[]> entries;
        private final LogLayout layout;
        private final int partition;
        private @Nullable KeyValue<Bytes, byte[]> next;

        /** @param entries closed with this one */
        UsersOf(KeyValueIterator<Bytes, byte[]> entries, LogLayout layout, int partition) {
            this.entries = entries;
            this.layout = layout;
            this.partition = partition;
        }

        @Override
        public boolean hasNext() {
            while (next == null && entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                next = layout.partitionOf(entry.key.get()) == partition ? entry : null;
            }
            return next != null;
        }

        @Override
        public Bytes peekNextKey() {
            return peek().key;
        }

        private KeyValue<Bytes, byte[]> peek() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return requireNonNull(next, "there is one");
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            KeyValue<Bytes, byte[]> entry = peek();
            next = null;
            return entry;
        }

        @Override
        public void close() {
            entries.close();
        }
    }
}
