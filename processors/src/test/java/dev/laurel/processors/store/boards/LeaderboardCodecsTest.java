package dev.laurel.processors.store.boards;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.leaderboard.DayClose.RankedUser;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.GenerationBegan;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.RulesPublished;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scores;
import dev.laurel.core.leaderboard.LeaderboardMessage.TeamScores;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserForgotten;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserShown;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.leaderboard.TeamRanking.Team;
import dev.laurel.core.leaderboard.TeamRanking.TeamPart;
import dev.laurel.core.leaderboard.TeamRanking.TeamScore;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.boards.LeaderboardCodecs.Sent;
import dev.laurel.processors.store.boards.LeaderboardCodecs.StoredDayEnd;
import dev.laurel.processors.store.boards.LeaderboardCodecs.Unsent;
import dev.laurel.processors.store.boards.LeaderboardStores.LogPosition;
import dev.laurel.processors.store.boards.LeaderboardStores.OpenGroup;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The stored values of leaderboards, and the records between the ledger and them, keep their form. A new one needs a new version. */
class LeaderboardCodecsTest {

    private static final TenantId POOL = new TenantId("pool");
    private static final UserId ANN = new UserId("ann");
    private static final BigDecimal VALUE = new BigDecimal("2.5");
    private static final LeaderboardGroup OTTERS = new LeaderboardGroup(POOL, 10, 20_513, List.of("Turku", "Otters"));
    private static final TeamPart PART = new TeamPart(7, 2, VALUE, 900);

    private static final Scored SAME = new Scored(
            POOL,
            6,
            10,
            20_513,
            false,
            ANN,
            null,
            Visibility.PUBLIC,
            List.of(),
            VALUE,
            900,
            Score.Kind.SAME,
            901,
            false);

    @Test
    void shouldKeepTheFormsOfStoredValues() {
        assertForm(
                "0303616e6e0103416e6e000232880e9a010601",
                LeaderboardCodecs.PARTICIPANT,
                new Participant(new Standing(ANN, "Ann", VALUE, 900), 77, 3, true));
        assertForm(
                "0303616e6e00000232880e9a010600",
                LeaderboardCodecs.PARTICIPANT,
                new Participant(new Standing(ANN, null, VALUE, 900), 77, 3, false));
        assertForm("0301", LeaderboardCodecs.IS_IN, true);
        assertForm("019a01880e", LeaderboardCodecs.LOG_POSITION, new LogPosition(77, 900));
        assertForm("02c2c00201c801", LeaderboardCodecs.OPEN_GROUP, new OpenGroup(20_513, true, 100));
        assertForm("0105", LeaderboardCodecs.RUN, -3);
        assertForm("02060232", LeaderboardCodecs.DAY_END, new StoredDayEnd(3, VALUE));
        assertForm("020103616e6e020232", LeaderboardCodecs.LAST_CLOSE, List.of(new RankedUser(ANN, 1, VALUE)));
        assertForm("010e040232880e", LeaderboardCodecs.TEAM_PART, PART);
        assertForm(
                "01010e040232880e01064f7474657273040232880e",
                LeaderboardCodecs.TEAM,
                new TeamScore(List.of(PART), new Team("Otters", 2, VALUE, 900)));
        assertForm(
                "010200000000000e040232880e00",
                LeaderboardCodecs.TEAM,
                new TeamScore(List.of(TeamPart.NONE, PART), null));
        var versions = new long[] {1, 0, 7};
        assertArrayEquals(
                versions, LeaderboardCodecs.VERSIONS.decode(HexFormat.of().parseHex("020302000e")));
        assertEquals("020302000e", HexFormat.of().formatHex(LeaderboardCodecs.VERSIONS.encode(versions)));
    }

    @Test
    void shouldKeepTheFormsOfMessages() {
        assertMessage(
                "04069a01000104706f6f6c0c14c2c0020103616e6e0103416e6e0001055475726b750232880e008a0e01",
                new Scores(List.of(new Scored(
                        POOL,
                        6,
                        10,
                        20_513,
                        true,
                        ANN,
                        "Ann",
                        Visibility.PUBLIC,
                        List.of("Turku"),
                        VALUE,
                        900,
                        Score.Kind.CHANGED,
                        901,
                        true))));
        assertMessage("04069a01000104706f6f6c0c14c2c0020003616e6e0000000232880e028a0e00", new Scores(List.of(SAME)));
        assertMessage("04069a0101880e", new ClockMoved(900));
        assertMessage("04069a010204706f6f6c0c", new RulesPublished(POOL, 6));
        assertMessage("04069a0103", new GenerationBegan());
        assertMessage("04069a010404706f6f6c03616e6e", new UserForgotten(POOL, ANN));
        assertMessage("04069a010504706f6f6c03616e6e02", new UserShown(POOL, ANN, Visibility.HIDDEN));
        assertMessage(
                "04069a0106010c04706f6f6c14c2c00202055475726b75064f74746572730e040232880e00",
                new TeamScores(List.of(new TeamScores.Team(6, OTTERS, PART)), List.of()));
    }

    @Test
    void shouldKeepTheFormOfCollectedScores() {
        assertForm(
                "019a0101010c04706f6f6c14c2c00202055475726b75064f74746572730e040232880e"
                        + "0104706f6f6c0c14c2c0020003616e6e0000000232880e028a0e00",
                LeaderboardCodecs.UNSENT,
                new Unsent(77, true, List.of(new TeamScores.Team(6, OTTERS, PART)), List.of(SAME)));
    }

    private static void assertMessage(String hex, LeaderboardMessage message) {
        assertForm(hex, LeaderboardCodecs.MESSAGE, new Sent(new Origin(3, 77), message));
    }

    private static <T> void assertForm(String hex, Codec<T> codec, T value) {
        assertEquals(hex, HexFormat.of().formatHex(codec.encode(value)));
        assertEquals(value, codec.decode(HexFormat.of().parseHex(hex)));
    }
}
