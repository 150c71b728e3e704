package dev.laurel.deploy.tools.replay;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.deploy.tools.replay.ComparisonRounds.Round;
import dev.laurel.deploy.tools.replay.CopiedState.Extent;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.ruleset.Leaderboard;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Compares those partitions of the shadow that this process owns, and publishes the part of each. Ranks are those of all users, so it
 * copies the entries of all leaderboards of both states, unless all of the shadow is in this process; and of the live ledger the
 * partitions that it compares. A partition that moves to another member meanwhile is dropped: that member compares it anew. Used by one
 * thread.
 */
final class MemberComparison implements AutoCloseable {

    private final ReplayMember member;
    private final CopiedState live;
    private final @Nullable CopiedState boards;
    private final Set<Integer> livePartitions;
    private final ComparedState before;
    private final ComparedState after;

    /** Those that are not yet published, each with the token of its task. */
    private final SortedMap<Integer, Object> open;

    private final SortedMap<Integer, PartitionComparison> comparisons = new TreeMap<>();
    private long seen;

    /**
     * @param tasks tokens of the open tasks of the partitions to compare
     * @param folder empty folder for the copies
     */
    MemberComparison(ReplayMember member, Map<Integer, Object> tasks, Path folder) {
        this.member = member;
        this.open = new TreeMap<>(tasks);
        this.livePartitions = tasks.keySet().stream().map(member::liveOf).collect(Collectors.toUnmodifiableSet());
        this.live = member.copyLive(Extent.of(livePartitions), folder, "live");
        this.before = member.isWider()
                ? new Widened(
                        live,
                        member.live().ledger().partitions(),
                        member.shadow().layout())
                : live;
        try {
            this.boards = member.copyReplayed(Extent.BOARDS, folder, "boards");
        } catch (RuntimeException e) {
            live.close();
            throw e;
        }
        this.after = new Shadow(member, boards);
        open.keySet()
                .forEach(partition -> comparisons.put(
                        partition,
                        new PartitionComparison(member, before, after, partition, open.size(), this::hasSeen)));
    }

    /** Compares the partitions and publishes each part when it is complete. */
    void run() throws InterruptedException {
        // If it does not stop in time, tasks move for minutes: the caller begins again with those that are left.
        new ComparisonRounds(member, live, boards, livePartitions).run(() -> Set.copyOf(open.keySet()), this::compare);
    }

    private boolean compare(Round round) throws InterruptedException {
        open.keySet()
                .removeIf(
                        partition -> !isOwned(partition) || member.log().parts().containsKey(partition));
        comparisons.keySet().retainAll(open.keySet());
        if (member.plan().isProof()) {
            begin("compare byte by byte", "entries", UserStores.NAMES);
            comparisons.forEach((partition, one) -> ifOwned(partition, () -> one.compareStores(round)));
            member.progress().end();
        }
        begin("compare", "users", List.of(StoreNames.USERS));
        // Cached leaderboard groups are valid for one round only.
        var was = new ComparedUserReader(before, member.at().toEpochMilli());
        var is = new ComparedUserReader(after, member.at().toEpochMilli());
        for (int partition : List.copyOf(open.keySet())) {
            PartitionComparison one = requireNonNull(comparisons.get(partition), "open");
            ifOwned(partition, () -> one.compareUsers(round, was, is));
            member.expectRunning(); // A comparison that was stopped is no part of the report.
            if (!one.isMoreLeft() || round.isLast()) {
                if (isOwned(partition)) {
                    member.log().append(one.end(round));
                }
                open.remove(partition);
            }
        }
        member.progress().end();
        return !open.isEmpty();
    }

    private boolean isOwned(int partition) {
        return open.get(partition) == member.shadow().owned().get(partition);
    }

    /** Does a part of a comparison, unless its stores are closed, so that nothing will be published. */
    private void ifOwned(int partition, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            if (e instanceof CommandFailed || isOwned(partition)) {
                throw e;
            }
        }
    }

    private void begin(String step, String unit, List<String> stores) {
        seen = 0;
        member.progress()
                .begin(
                        step,
                        unit,
                        open.keySet().stream()
                                .filter(this::isOwned)
                                .mapToLong(partition -> stores.stream()
                                        .mapToLong(store -> after.count(store, partition))
                                        .sum())
                                .sum());
    }

    private void hasSeen() {
        member.progress().stepTo(++seen);
    }

    @Override
    public void close() {
        live.close();
        if (boards != null) {
            boards.close();
        }
    }

    /**
     * The part of the shadow in this process.
     *
     * @param boards entries of all leaderboards of the shadow; null: they are in this process
     */
    record Shadow(ReplayMember member, @Nullable CopiedState boards) implements ComparedState {

        @Override
        public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
            return member.shadow().store(name, partition);
        }

        @Override
        public Ranking ranking(LeaderboardRules rules, LeaderboardGroup group) {
            return boards != null
                    ? boards.ranking(rules, group)
                    : member.shadow()
                            .boards(member.shadow().boardLayout().partitionOf(group, rules))
                            .ranking(group, Leaderboard.MAX_PARTICIPANTS);
        }

        @Override
        public RulesetVersions rulesets() {
            return member.shadow().rulesets();
        }
    }

    /**
     * A state of a narrower log, presented by partitions of the wider one: each has those users whom the wider log has there.
     *
     * @param narrow number of partitions of the narrower log
     */
    record Widened(ComparedState state, int narrow, LogLayout layout) implements ComparedState {

        @Override
        public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
            return state.store(name, partition % narrow);
        }

        @Override
        public boolean has(byte[] user, int partition) {
            return layout.partitionOf(user) == partition;
        }

        @Override
        public Ranking ranking(LeaderboardRules rules, LeaderboardGroup group) {
            return state.ranking(rules, group);
        }

        @Override
        public RulesetVersions rulesets() {
            return state.rulesets();
        }
    }
}
