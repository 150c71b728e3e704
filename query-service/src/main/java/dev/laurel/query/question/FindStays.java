package dev.laurel.query.question;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardReads.DayEnd;
import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.ArrayList;
import java.util.List;

/**
 * What a user did in each group of a leaderboard's runs.
 *
 * @param size the most who take part in a group
 * @param firstRun as {@code lastRun}, inclusive
 * @param firstDay as {@code lastDay}, inclusive
 * @param presentRun the run of {@code today}
 * @param today the user's local day
 */
public record FindStays(TenantId tenant, int board, int size, UserId user, int firstRun, int lastRun, int firstDay,
        int lastDay, int presentRun, int today) implements Question.OfBoard<FindStays.Answer> {

    /** A run a day for a year that has one day more than others, in several groups now and then. */
    private static final int MAX_GROUPS = 400;

    public record Answer(List<Stay> stays) {}

    /** @param ends within the days, and the one before; @param now null if the user is not in, or it is a run of the past */
    public record Stay(int run, List<DayEnd> ends, DayEnd now) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public Answer answer(BoardReads reads) {
        var stays = new ArrayList<Stay>();
        for (BoardGroup group : reads.groupsOf(tenant, board, user, firstRun, lastRun, MAX_GROUPS)) {
            stays.add(new Stay(group.run(), reads.dayEnds(group, user, firstDay, lastDay),
                    group.run() == presentRun ? presentPlace(reads, group) : null));
        }
        return new Answer(stays);
    }

    private DayEnd presentPlace(BoardReads reads, BoardGroup group) {
        Ranking ranking = reads.ranking(group, size);
        int rank = ranking.rankOf(user);
        return rank == 0 ? null : new DayEnd(today, rank, ranking.at(rank).value());
    }
}
