package dev.laurel.processors.store.boards;

import dev.laurel.core.leaderboard.DayClose;
import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.TeamScores.Team;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.leaderboard.TeamRanking.TeamPart;
import dev.laurel.core.leaderboard.TeamRanking.TeamScore;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.boards.LeaderboardStores.LogPosition;
import dev.laurel.processors.store.boards.LeaderboardStores.OpenGroup;
import java.math.BigDecimal;
import java.util.List;

/** The codecs of the values in the stores of leaderboards and of {@code laurel.scores}. */
public final class LeaderboardCodecs {

    /** A message on {@code laurel.scores} and the position in the log of the command that it follows from. */
    public record Sent(Origin origin, LeaderboardMessage message) {}

    /** A day end without its day, which is in its key. @param rank 0, as is {@code value}, if the user took no part */
    record StoredDayEnd(int rank, BigDecimal value) {}

    /**
     * The scores that a task of the ledger has collected at a commit, and sends later.
     *
     * @param offset of the last command before the commit
     * @param isSilent whether another generation produces the output that follows from them
     */
    public record Unsent(long offset, boolean isSilent, List<Team> teams, List<Scored> scores) {}

    public static final Codec<Unsent> UNSENT = Codec.of("collected scores", 1, Unsent.class);
    public static final Codec<Sent> MESSAGE = Codec.of("board message", 4, Sent.class);
    public static final Codec<Participant> PARTICIPANT = Codec.of("participant", 3, Participant.class);
    public static final Codec<TeamPart> TEAM_PART = Codec.of("part of a team's score", 1, TeamPart.class);
    static final Codec<TeamScore> TEAM = Codec.of("score of a team", 1, TeamScore.class);
    public static final Codec<LogPosition> LOG_POSITION = Codec.of("position in the log", 1, LogPosition.class);
    /** Whether a user takes part in the group of a place. */
    public static final Codec<Boolean> IS_IN = Codec.of("place", 3, Boolean.class);

    static final Codec<long[]> VERSIONS = Codec.of("list of versions", 2, long[].class);
    static final Codec<OpenGroup> OPEN_GROUP = Codec.of("group", 2, OpenGroup.class);
    static final Codec<Integer> RUN = Codec.of("run", 1, Integer.class);
    static final Codec<StoredDayEnd> DAY_END = Codec.of("day end", 2, StoredDayEnd.class);
    static final Codec<List<DayClose.RankedUser>> LAST_CLOSE =
            Codec.ofList("list of participants", 2, DayClose.RankedUser.class);

    private LeaderboardCodecs() {}
}
