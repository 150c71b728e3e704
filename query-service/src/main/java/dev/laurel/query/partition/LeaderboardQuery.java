package dev.laurel.query.partition;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardReads.DayEnd;
import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.core.leaderboard.Ranking.Standing;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.leaderboard.RunFigures;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A query about one leaderboard, which one partition of the scores contains. */
public sealed interface LeaderboardQuery<R extends Record> extends PartitionQuery<R> {

    TenantId tenant();

    /** The number of the leaderboard in the ruleset. */
    int board();

    R answer(BoardReads reads);

    /** Whether it reads all groups of a run, so that it may take longer than other queries. */
    default boolean readsEveryGroup() {
        return false;
    }

    /**
     * Finds the present and past places of a user in runs of a leaderboard.
     *
     * @param hasGroups whether there are breakdown attributes
     * @param size the maximum number of participants of a group
     * @param runs their numbers
     * @param days the number of entries of history, the newest ones
     */
    record FindPlaces(TenantId tenant, int board, boolean hasGroups, int size, UserId user, List<Integer> runs,
            int days) implements LeaderboardQuery<FindPlaces.Places> {

        /** A user rarely moves from group to group. */
        private static final int MAX_ATTEMPTS = 3;

        /** @param places only of runs with something to show, in their order */
        public record Places(List<Place> places) {}

        /**
         * @param rank null, as is {@code value}, if the user does not participate
         * @param ends the entries of history that are shown, and the one before them
         */
        public record Place(int run, @Nullable Integer rank, @Nullable BigDecimal value, List<DayEnd> ends) {}

        @Override
        public Places answer(BoardReads reads) {
            return new Places(runs.stream().map(run -> placeIn(reads, run)).filter(Objects::nonNull).toList());
        }

        /** Null if there is nothing to show. */
        private @Nullable Place placeIn(BoardReads reads, int run) {
            // The group is read before the ranking: if the user moved to another group in between, both are read again.
            for (int attempt = 1;; attempt++) {
                List<String> values = hasGroups ? reads.groupOf(tenant, board, run, user) : List.of();
                if (values == null) {
                    return null;
                }
                var group = new BoardGroup(tenant, board, run, values);
                Ranking ranking = reads.ranking(group, size);
                int rank = ranking.rankOf(user);
                if (rank > 0 || !hasGroups || attempt == MAX_ATTEMPTS) {
                    // One more than is shown, because the first entry also shows the place before it.
                    List<DayEnd> ends = days == 0 ? List.of() : reads.dayEnds(group, user, days + 1);
                    return rank == 0
                            ? ends.isEmpty() ? null : new Place(run, null, null, ends)
                            : new Place(run, rank, ranking.at(rank).value(), ends);
                }
            }
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
    record FindStays(TenantId tenant, int board, int size, UserId user, int firstRun, int lastRun, int firstDay,
            int lastDay, int presentRun, int today) implements LeaderboardQuery<FindStays.Stays> {

        /** A run per day of a leap year, some of them in several groups. */
        private static final int MAX_GROUPS = 400;

        public record Stays(List<Stay> stays) {}

        /**
         * @param ends within the days, and the one before
         * @param now null if the user does not participate or the run is over
         */
        public record Stay(int run, List<DayEnd> ends, @Nullable DayEnd now) {}

        @Override
        public Stays answer(BoardReads reads) {
            var stays = new ArrayList<Stay>();
            for (BoardGroup group : reads.groupsOf(tenant, board, user, firstRun, lastRun, MAX_GROUPS)) {
                stays.add(new Stay(group.run(), reads.dayEnds(group, user, firstDay, lastDay),
                        group.run() == presentRun ? presentPlace(reads, group) : null));
            }
            return new Stays(stays);
        }

        private @Nullable DayEnd presentPlace(BoardReads reads, BoardGroup group) {
            Ranking ranking = reads.ranking(group, size);
            int rank = ranking.rankOf(user);
            return rank == 0 ? null : new DayEnd(today, rank, ranking.at(rank).value());
        }
    }

    /** Counts the participants of a run, and their scores and changes of rank. @param run its number */
    record CountRun(TenantId tenant, int board, int run) implements LeaderboardQuery<RunFigures> {

        @Override
        public boolean readsEveryGroup() {
            return true;
        }

        @Override
        public RunFigures answer(BoardReads reads) {
            return reads.figures(tenant, board, run);
        }
    }

    /** Shows all places of a group of a run. @param group values of the breakdown attributes */
    record ShowRanking(TenantId tenant, int board, int run,
            List<String> group) implements LeaderboardQuery<ShowRanking.ShownRanking> {

        /** @param places best first, with their exact values */
        public record ShownRanking(List<RankingBody> places) {}

        @Override
        public ShownRanking answer(BoardReads reads) {
            Ranking ranking = reads.ranking(new BoardGroup(tenant, board, run, group), Leaderboard.MAX_PARTICIPANTS);
            var places = new ArrayList<RankingBody>(ranking.size());
            for (int rank = 1; rank <= ranking.size(); rank++) {
                Standing standing = ranking.at(rank);
                places.add(new RankingBody(standing.user().value(), standing.name(), rank, standing.value()));
            }
            return new ShownRanking(places);
        }
    }
}
