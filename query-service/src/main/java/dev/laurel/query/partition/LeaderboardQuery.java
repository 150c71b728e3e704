package dev.laurel.query.partition;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.PartitionLeaderboards;
import dev.laurel.core.leaderboard.PartitionLeaderboards.DayEnd;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.query.partition.PartitionQuery.Values;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A query about one leaderboard. One partition of the scores contains it, or, if it is spread, one for each group.
 *
 * @param <R> the result; results of different partitions can be merged
 */
public interface LeaderboardQuery<R extends Record> extends PartitionQuery<R> {

    TenantId tenant();

    /** The number of the leaderboard in the ruleset. */
    int board();

    /** Runs the query on one partition. */
    R answer(PartitionLeaderboards reads);

    /** The partitions that have part of the result; overridden by queries about one group. */
    default List<Integer> partitionsOf(LeaderboardLayout layout, boolean isSpread) {
        return isSpread
                ? IntStream.range(0, layout.partitions()).boxed().toList()
                : List.of(layout.partitionOf(tenant(), board()));
    }

    /** Whether a group is one of those that are wanted. @param wanted values of its attributes; null: any */
    static boolean areWanted(List<String> group, List<@Nullable String> wanted) {
        return IntStream.range(0, wanted.size())
                .allMatch(i -> wanted.get(i) == null || group.get(i).equals(wanted.get(i)));
    }

    /**
     * Finds the present and past places of a user in runs of a leaderboard, only in those with something to show, in their order.
     *
     * @param group of the user in all of these runs, as values of the breakdown attributes; null: it is looked up
     * @param size the maximum number of participants of a group
     * @param runs their numbers
     * @param days the number of entries of history, the newest ones
     */
    record FindPlaces(
            TenantId tenant,
            int board,
            @Nullable List<String> group,
            int size,
            UserId user,
            List<Integer> runs,
            int days)
            implements LeaderboardQuery<Values<FindPlaces.Place>> {

        /** A user rarely moves from group to group. */
        private static final int MAX_ATTEMPTS = 3;

        /**
         * @param rank null, as is {@code value}, if the user does not participate
         * @param ends the entries of history that are shown, and the one before them
         */
        public record Place(
                int run, @Nullable Integer rank, @Nullable BigDecimal value, List<DayEnd> ends) {}

        @Override
        public List<Integer> partitionsOf(LeaderboardLayout layout, boolean isSpread) {
            return group != null && isSpread
                    ? List.of(layout.partitionOf(new LeaderboardGroup(tenant, board, runs.getFirst(), group), true))
                    : LeaderboardQuery.super.partitionsOf(layout, isSpread);
        }

        @Override
        public Values<Place> answer(PartitionLeaderboards reads) {
            return Values.of(runs.stream().map(run -> placeIn(reads, run)).filter(Objects::nonNull));
        }

        @Override
        public Values<Place> merge(List<Values<Place>> parts) {
            // A user who moves may be in both groups for a moment.
            return Values.of(runs.stream()
                    .flatMap(run -> Values.in(parts)
                            .filter(place -> place.run() == run)
                            .min(Comparator.comparing(place -> place.rank() == null))
                            .stream()));
        }

        /** Null if there is nothing to show. */
        private @Nullable Place placeIn(PartitionLeaderboards reads, int run) {
            // The group is read before the ranking: if the user moved to another group in between, both are read again.
            for (int attempt = 1; ; attempt++) {
                List<String> values = group != null ? group : reads.groupOf(tenant, board, run, user);
                if (values == null) {
                    return null;
                }
                var place = new LeaderboardGroup(tenant, board, run, values);
                Ranking ranking = reads.ranking(place, size);
                int rank = ranking.rankOf(user);
                if (rank > 0 || group != null || attempt == MAX_ATTEMPTS) {
                    // One more than is shown, because the first entry also shows the place before it.
                    List<DayEnd> ends = days == 0 ? List.of() : reads.dayEnds(place, user, days + 1);
                    return rank == 0
                            ? ends.isEmpty() ? null : new Place(run, null, null, ends)
                            : new Place(run, rank, ranking.at(rank).value(), ends);
                }
            }
        }
    }

    /**
     * Finds the teams of a user in runs of a leaderboard with teams, only in those in which the user is on one.
     *
     * @param group of the user in all of these runs, the team last; null: it is looked up, for participants
     */
    record FindTeams(TenantId tenant, int board, @Nullable List<String> group, UserId user, List<Integer> runs)
            implements LeaderboardQuery<Values<FindTeams.OfUser>> {

        /** @param rank null, as is {@code value}, if the team is not ranked */
        public record OfUser(
                int run,
                String team,
                @Nullable Integer rank,
                @Nullable BigDecimal value) {}

        @Override
        public Values<OfUser> answer(PartitionLeaderboards reads) {
            return Values.of(runs.stream().map(run -> teamIn(reads, run)).filter(Objects::nonNull));
        }

        private @Nullable OfUser teamIn(PartitionLeaderboards reads, int run) {
            List<String> values = group != null ? group : reads.groupOf(tenant, board, run, user);
            if (values == null) {
                return null;
            }
            var team = new LeaderboardGroup(tenant, board, run, values);
            TeamRanking ranking = reads.teams(team.ofTeams());
            int rank = ranking.rankOf(team.team());
            return rank == 0
                    ? new OfUser(run, team.team(), null, null)
                    : new OfUser(
                            run,
                            team.team(),
                            rank,
                            ranking.bestFirst().get(rank - 1).value());
        }
    }

    /**
     * Finds the history of a user in each group of a leaderboard's runs.
     *
     * @param size the maximum number of participants of a group
     * @param firstRun as {@code lastRun}, inclusive
     * @param firstDay as {@code lastDay}, inclusive
     * @param presentRun the run of {@code today}
     * @param today the user's local day
     */
    record FindStays(
            TenantId tenant,
            int board,
            int size,
            UserId user,
            int firstRun,
            int lastRun,
            int firstDay,
            int lastDay,
            int presentRun,
            int today)
            implements LeaderboardQuery<Values<FindStays.Stay>> {

        /** A run per day of a leap year, some of them in several groups. */
        private static final int MAX_GROUPS = 400;

        /**
         * @param ends within the days, and the one before
         * @param now null if the user does not participate or the run is over
         */
        public record Stay(
                int run, List<DayEnd> ends, @Nullable DayEnd now) {}

        @Override
        public Values<Stay> answer(PartitionLeaderboards reads) {
            return Values.of(reads.groupsOf(tenant, board, user, firstRun, lastRun, MAX_GROUPS).stream()
                    .map(group -> new Stay(
                            group.run(),
                            reads.dayEnds(group, user, firstDay, lastDay),
                            group.run() == presentRun ? presentPlace(reads, group) : null)));
        }

        @Override
        public Values<Stay> merge(List<Values<Stay>> parts) {
            return Values.of(Values.in(parts).sorted(Comparator.comparingInt(Stay::run)));
        }

        private @Nullable DayEnd presentPlace(PartitionLeaderboards reads, LeaderboardGroup group) {
            Ranking ranking = reads.ranking(group, size);
            int rank = ranking.rankOf(user);
            return rank == 0 ? null : new DayEnd(today, rank, ranking.at(rank).value());
        }
    }

    /**
     * Counts the participants of a run, and their scores and changes of rank. If several partitions of a spread leaderboard have
     * participants, the result has no histogram, which {@link CountScores} finds.
     *
     * @param run its number
     */
    record CountRun(TenantId tenant, int board, int run) implements LeaderboardQuery<RunFigures> {

        @Override
        public boolean readsAll() {
            return true;
        }

        @Override
        public RunFigures answer(PartitionLeaderboards reads) {
            return reads.figures(tenant, board, run);
        }

        @Override
        public RunFigures merge(List<RunFigures> parts) {
            return RunFigures.sum(parts);
        }
    }

    /**
     * Counts the participants of a run by score, as in the histogram of {@link RunFigures}.
     *
     * @param run its number
     * @param lowest the lowest score of the run, as {@code highest} from {@link CountRun}
     */
    record CountScores(TenantId tenant, int board, int run, BigDecimal lowest, BigDecimal highest)
            implements LeaderboardQuery<Values<Long>> {

        @Override
        public boolean readsAll() {
            return true;
        }

        @Override
        public Values<Long> answer(PartitionLeaderboards reads) {
            return new Values<>(reads.histogram(tenant, board, run, lowest, highest));
        }

        @Override
        public Values<Long> merge(List<Values<Long>> parts) {
            return Values.of(IntStream.range(0, RunFigures.RANGES)
                    .mapToObj(range -> parts.stream()
                            .mapToLong(part -> part.values().get(range))
                            .sum()));
        }
    }

    /**
     * Finds the best participants of several groups of a run.
     *
     * @param wanted the values of the groups; null: any
     * @param size the maximum number of participants of a group, and of the result
     * @param maxGroups the groups of the run are not read if there are more
     */
    record MergeGroups(TenantId tenant, int board, int run, List<@Nullable String> wanted, int size, int maxGroups)
            implements LeaderboardQuery<MergeGroups.MergedGroups> {

        /**
         * @param groups of the run, wanted or not; at most one more than are read
         * @param participants best first
         */
        public record MergedGroups(int groups, List<Standing> participants) {

            private Ranking ranking() {
                return Ranking.of(participants);
            }
        }

        @Override
        public boolean readsAll() {
            return true;
        }

        @Override
        public MergedGroups answer(PartitionLeaderboards reads) {
            List<List<String>> groups = reads.groups(tenant, board, run, maxGroups + 1);
            if (groups.size() > maxGroups) {
                return new MergedGroups(groups.size(), List.of());
            }
            // One after the other: all groups together may have ten million participants.
            Ranking best = groups.stream()
                    .filter(values -> areWanted(values, wanted))
                    .map(values -> reads.ranking(new LeaderboardGroup(tenant, board, run, values), size))
                    .reduce(Ranking.EMPTY, this::merge);
            return new MergedGroups(groups.size(), best.bestFirst());
        }

        @Override
        public MergedGroups merge(List<MergedGroups> parts) {
            int groups = parts.stream().mapToInt(MergedGroups::groups).sum();
            return groups > maxGroups
                    ? new MergedGroups(groups, List.of())
                    : new MergedGroups(
                            groups,
                            parts.stream()
                                    .map(MergedGroups::ranking)
                                    .reduce(Ranking.EMPTY, this::merge)
                                    .bestFirst());
        }

        /** Merges two rankings. Both are sorted, so it reads only as many places as it returns. */
        private Ranking merge(Ranking one, Ranking other) {
            var best = new ArrayList<Standing>();
            // The groups were read one after the other: a user who moved in between may be in both.
            Set<UserId> taken = new HashSet<>();
            int inOne = 1;
            int inOther = 1;
            while (best.size() < size && (inOne <= one.size() || inOther <= other.size())) {
                boolean isOne = inOther > other.size()
                        || inOne <= one.size() && one.at(inOne).compareTo(other.at(inOther)) <= 0;
                Standing next = isOne ? one.at(inOne++) : other.at(inOther++);
                if (taken.add(next.user())) {
                    best.add(next);
                }
            }
            return Ranking.of(best);
        }
    }

    /** Shows all places of a group of a run, best first, with their exact values. @param group values of the breakdown attributes */
    record ShowRanking(TenantId tenant, int board, int run, List<String> group)
            implements LeaderboardQuery<Values<RankingBody>> {

        @Override
        public List<Integer> partitionsOf(LeaderboardLayout layout, boolean isSpread) {
            return List.of(layout.partitionOf(new LeaderboardGroup(tenant, board, run, group), isSpread));
        }

        @Override
        public Values<RankingBody> answer(PartitionLeaderboards reads) {
            Ranking ranking =
                    reads.ranking(new LeaderboardGroup(tenant, board, run, group), Leaderboard.MAX_PARTICIPANTS);
            return Values.of(IntStream.rangeClosed(1, ranking.size()).mapToObj(rank -> {
                Standing standing = ranking.at(rank);
                return new RankingBody(standing.user().value(), standing.name(), rank, standing.value());
            }));
        }
    }
}
