package dev.laurel.query.question;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.leaderboard.Standing;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.util.ArrayList;
import java.util.List;

/** All places of a group of a run. @param group values of the breakdown attributes */
public record ShowRanking(TenantId tenant, int board, int run,
        List<String> group) implements Question.OfBoard<ShowRanking.Answer> {

    /** @param places best first, with their exact values */
    public record Answer(List<RankingBody> places) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public Answer answer(BoardReads reads) {
        Ranking ranking = reads.ranking(new BoardGroup(tenant, board, run, group), Leaderboard.MAX_PARTICIPANTS);
        var places = new ArrayList<RankingBody>(ranking.size());
        for (int rank = 1; rank <= ranking.size(); rank++) {
            Standing standing = ranking.at(rank);
            places.add(new RankingBody(standing.user().value(), standing.name(), rank, standing.value()));
        }
        return new Answer(places);
    }
}
