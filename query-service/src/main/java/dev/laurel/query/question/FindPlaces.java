package dev.laurel.query.question;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardReads.DayEnd;
import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;

/**
 * How a user stands, or has stood, in runs of a leaderboard.
 *
 * @param hasGroups whether there are breakdown attributes
 * @param size the most who take part in a group
 * @param runs their numbers
 * @param days how many entries of history, the newest ones
 */
public record FindPlaces(TenantId tenant, int board, boolean hasGroups, int size, UserId user, List<Integer> runs,
        int days) implements Question.OfBoard<FindPlaces.Answer> {

    /** A user moves from group to group now and then, not all the time. */
    private static final int MAX_LOOKS = 3;

    /** @param places only of runs in which there is something to show, in their order */
    public record Answer(List<Place> places) {}

    /**
     * @param rank null, as is {@code value}, if the user takes no part
     * @param ends what is to be shown of history, and the one before it
     */
    public record Place(int run, Integer rank, BigDecimal value, List<DayEnd> ends) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public Answer answer(BoardReads reads) {
        return new Answer(runs.stream().map(run -> placeIn(reads, run)).filter(Objects::nonNull).toList());
    }

    /** Null if there is nothing to show. */
    private Place placeIn(BoardReads reads, int run) {
        // Group and ranking are read one after the other: who has moved in between is looked for again.
        for (int look = 1;; look++) {
            List<String> values = hasGroups ? reads.groupOf(tenant, board, run, user) : List.of();
            if (values == null) {
                return null;
            }
            var group = new BoardGroup(tenant, board, run, values);
            Ranking ranking = reads.ranking(group, size);
            int rank = ranking.rankOf(user);
            if (rank > 0 || !hasGroups || look == MAX_LOOKS) {
                // One more than is shown: the first one shown says how the user stood before.
                List<DayEnd> ends = days == 0 ? List.of() : reads.dayEnds(group, user, days + 1);
                return rank == 0
                        ? ends.isEmpty() ? null : new Place(run, null, null, ends)
                        : new Place(run, rank, ranking.at(rank).value(), ends);
            }
        }
    }
}
