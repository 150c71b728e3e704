package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.current;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.ms;
import static dev.laurel.core.engine.UserSpecification.noon;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.command.Command.RestoreStreak;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Leaderboards that compare streaks. */
class LeaderboardStreaksTest {

    private static final String RULES = "metrics: {laps: {}, litres: {}}";
    private static final UserChange MENTION = UserChange.mention(USER);
    private static final int B = 900;

    private static UserSpecification after(String rules, TestLeaderboard board, int... daysOfMarch) {
        var user = given(rules, board);
        for (int day : daysOfMarch) {
            user.event(noon(day), "laps", "1");
        }
        return user;
    }

    private static UserSpecification after(int... daysOfMarch) {
        return after(RULES, TestLeaderboard.ofStreak(B), daysOfMarch);
    }

    private static LeaderboardState state(int length, String changedAt) {
        return new LeaderboardState(0, BigDecimal.valueOf(length), ms(changedAt));
    }

    @Test
    void shouldLoseEquallyByTickCommandAndRead() {
        String midnight = "2026-03-07T00:00:00Z";
        var ticked = after(4, 5);
        assertEquals(List.of(), ticked.woken("2026-03-06T23:59:59.999Z").scores());
        Score lost = ticked.woken("2026-03-07T00:00:05Z").scores().getFirst();
        assertEquals(BigDecimal.TWO, lost.before());
        assertEquals(BigDecimal.ZERO, lost.value());
        assertEquals(ms(midnight), lost.changedMs());
        assertEquals(state(0, midnight), ticked.board(B));

        var commanded = after(4, 5);
        assertEquals(state(0, midnight), commanded.read(noon(9)).boards().get(B));
        var command = commanded.event(noon(9), "litres", "-1");
        assertEquals(state(0, midnight), commanded.board(B));
        assertEquals(BigDecimal.TWO, current(command, B).before());
        assertEquals(BigDecimal.ZERO, current(command, B).value());
    }

    @Test
    void shouldScoreAStreakAsLongAsTheLostOne() {
        var user = after(4);
        Score score = current(user.event(noon(9), "laps", "1"), B);

        assertEquals(Score.Kind.CHANGED, score.kind());
        assertEquals(BigDecimal.ONE, score.before());
        assertEquals(BigDecimal.ONE, score.value());
        assertEquals(ms(noon(9)), score.changedMs(), "others of that length were first");
    }

    @Test
    void shouldGrowByALateEvent() {
        var user = after(3, 5);
        user.event(noon(4), "laps", "1");

        assertEquals(state(3, noon(5)), user.board(B));
    }

    @Test
    void shouldScoreARestoredStreak() {
        var user = after(1, 2, 3);
        user.tick(noon(8));
        assertEquals(state(0, "2026-03-05T00:00:00Z"), user.board(B));
        Score restored = current(user.applied(noon(8), new RestoreStreak(MENTION)), B);

        assertEquals(BigDecimal.ZERO, restored.before());
        assertEquals(BigDecimal.valueOf(3), restored.value());
        assertEquals(state(3, noon(8)), user.board(B));
    }

    @Test
    void shouldKeepTheValueThroughFreezesAndPauses() {
        var frozen =
                after(RULES + "\nstreak: {freezesEnabled: true, initialFreezes: 2}", TestLeaderboard.ofStreak(B), 4);
        assertEquals(List.of(), frozen.woken("2026-03-07T12:00:00Z").scores());
        assertEquals(state(1, noon(4)), frozen.board(B));
        frozen.tick("2026-03-08T00:00:00Z");
        assertEquals(state(0, "2026-03-08T00:00:00Z"), frozen.board(B));

        var paused = after(4);
        paused.applied(
                noon(4), new PlanPause(MENTION, new UUID(7, 1), LocalDate.of(2026, 3, 5), LocalDate.of(2026, 3, 8)));
        paused.tick("2026-03-09T12:00:00Z");
        assertEquals(state(1, noon(4)), paused.board(B));
    }

    @Test
    void shouldBeZeroForAUserWithoutStreaks() {
        var user = after(4, 5);
        Score score = current(
                user.applied(
                        "2026-03-05T13:00:00Z",
                        new SetPreferences(
                                MENTION,
                                Map.of(),
                                new StreakChange(Change.set(false), Change.keep(), Change.keep(), Change.keep()),
                                SetPreferences.LeaderboardsChange.NONE)),
                B);

        assertEquals(BigDecimal.TWO, score.before());
        assertEquals(BigDecimal.ZERO, score.value());
        assertEquals(state(0, "2026-03-05T13:00:00Z"), user.board(B));
        user.event(noon(6), "laps", "1");
        assertEquals("0", user.boardValue(B));
    }

    @Test
    void shouldEnterWithTheNextChangeOfTheLength() {
        var user = UserSpecification.givenDays(RULES, 4, 5);
        user.rulesBecome("2026-03-05T13:00:00Z", RULES, TestLeaderboard.ofStreak(B));
        assertEquals(List.of(), user.event("2026-03-05T14:00:00Z", "laps", "1").scores());
        assertNull(user.board(B));

        Score score = current(user.event(noon(6), "laps", "1"), B);
        assertEquals(BigDecimal.ZERO, score.before());
        assertEquals(BigDecimal.valueOf(3), score.value());
    }

    @Test
    void shouldNotEnterByALoss() {
        var user = UserSpecification.givenDays(RULES, 4, 5);
        user.rulesBecome("2026-03-05T13:00:00Z", RULES, TestLeaderboard.ofStreak(B));
        assertEquals(List.of(), user.woken(noon(8)).scores());

        assertNull(user.board(B));
    }

    @Test
    void shouldLowerAStreakLostWhileTheLeaderboardWasInactive() {
        var user = after(4, 5);
        user.rulesBecome(
                "2026-03-05T13:00:00Z", RULES, TestLeaderboard.ofStreak(B).being(LeaderboardStatus.INACTIVE));
        assertEquals(List.of(), user.woken(noon(9)).scores());
        assertEquals(state(2, noon(5)), user.board(B));

        user.rulesBecome(noon(10), RULES, TestLeaderboard.ofStreak(B));
        Score lost = user.woken("2026-03-10T12:00:01Z").scores().getFirst();
        assertEquals(BigDecimal.TWO, lost.before());
        assertEquals(BigDecimal.ZERO, lost.value());
        assertEquals(ms(noon(10)), lost.changedMs());
    }

    @Test
    void shouldScoreAStreakThatGrewWhileInactiveWithItsNextChange() {
        var user = after(4, 5);
        user.rulesBecome(
                "2026-03-05T13:00:00Z", RULES, TestLeaderboard.ofStreak(B).being(LeaderboardStatus.INACTIVE));
        user.event(noon(6), "laps", "1");
        user.rulesBecome("2026-03-06T13:00:00Z", RULES, TestLeaderboard.ofStreak(B));
        assertEquals(List.of(), user.woken("2026-03-06T14:00:00Z").scores());

        assertEquals(
                BigDecimal.valueOf(4),
                current(user.event(noon(7), "laps", "1"), B).value());
    }

    @Test
    void shouldMigrateInactiveUsersWhenAStreakLeaderboardIsActiveAgain() {
        Ruleset active = TestLeaderboard.first(RULES, TestLeaderboard.ofStreak(B));
        Ruleset inactive = TestLeaderboard.next(
                active,
                RULES,
                Instant.parse(noon(5)),
                TestLeaderboard.ofStreak(B).being(LeaderboardStatus.INACTIVE));
        Ruleset again = TestLeaderboard.next(inactive, RULES, Instant.parse(noon(6)), TestLeaderboard.ofStreak(B));

        assertFalse(new CompiledRuleset(inactive).concernsInactiveUsers(new CompiledRuleset(active)));
        assertTrue(new CompiledRuleset(again).concernsInactiveUsers(new CompiledRuleset(inactive)));
    }

    @Test
    void shouldBeZeroFromTheMomentStreaksAreSwitchedOff() {
        var user = after(4, 5);
        user.rulesBecome("2026-03-05T15:00:00Z", RULES + "\nstreak: {enabled: false}", TestLeaderboard.ofStreak(B));

        assertEquals(
                state(0, "2026-03-05T15:00:00Z"),
                user.read("2026-03-05T18:00:00Z").boards().get(B));
        Score score = user.woken("2026-03-05T18:00:00Z").scores().getFirst();
        assertEquals(BigDecimal.TWO, score.before());
        assertEquals(state(0, "2026-03-05T15:00:00Z"), user.board(B));
    }

    @Test
    void shouldRecountWithOtherPeriods() {
        var user = after(2, 3, 4);
        user.rulesBecome("2026-03-04T15:00:00Z", RULES + "\nstreak: {frequency: weekly}", TestLeaderboard.ofStreak(B));
        user.tick("2026-03-04T18:00:00Z");

        assertEquals(state(1, "2026-03-04T15:00:00Z"), user.board(B));
    }

    @Test
    void shouldLoseUnderTheRulesInForceAtThatMoment() {
        var user = after(4, 5);
        user.rulesBecome("2026-03-08T15:00:00Z", RULES + "\nstreak: {enabled: false}", TestLeaderboard.ofStreak(B));
        user.tick("2026-03-09T00:00:00Z");

        assertEquals(state(0, "2026-03-07T00:00:00Z"), user.board(B));
    }

    @Test
    void shouldKeepTheLengthOfTheLastDateThatCounts() {
        var user = after(RULES, TestLeaderboard.ofStreak(B).to("2026-03-05"), 4, 5);
        user.event(noon(6), "laps", "1");
        user.tick(noon(9));

        assertEquals(state(2, noon(5)), user.board(B), "6 March does not count, and the loss is later still");
        user.event(noon(3), "laps", "1");
        assertEquals(state(2, noon(5)), user.board(B), "nor does what the streak of later became by a late event");
    }

    @Test
    void shouldBeginWithTheStart() {
        var user = after(RULES, TestLeaderboard.ofStreak(B).from("2026-03-06"), 4, 5);
        assertNull(user.board(B));
        user.event(noon(6), "laps", "1");

        assertEquals(state(3, noon(6)), user.board(B));
    }

    @Test
    void shouldBeLostAtTheUsersMidnight() {
        var user = given(RULES, TestLeaderboard.ofStreak(B));
        user.eventIn("Pacific/Honolulu", "2026-03-04T20:00:00Z", "laps", "1");
        user.tick(noon(9));

        assertEquals(state(0, "2026-03-06T10:00:00Z"), user.board(B));
    }

    @Test
    void shouldFollowAChangeOfZoneThatTakesPeriodsAway() {
        var user = given(RULES, TestLeaderboard.ofStreak(B));
        user.eventIn("Asia/Tokyo", "2026-03-04T03:00:00Z", "laps", "1");
        user.moveTo("America/Los_Angeles", "2026-03-05T18:00:00Z");
        int shown = user.state().streak().length();

        assertEquals(BigDecimal.valueOf(shown), user.board(B).value());
        user.event("2026-03-05T19:00:00Z", "laps", "1");
        assertEquals(
                BigDecimal.valueOf(user.state().streak().length()),
                user.board(B).value());
    }

    @Test
    void shouldReadRanksByTheLengthSentLast() {
        var user = after(RULES, TestLeaderboard.ofStreak(B));
        user.applied(noon(4), UserSpecification.keyed(UserSpecification.eventOf("laps", "1"), "k"));
        var repeated = user.apply(noon(9), UserSpecification.keyed(UserSpecification.eventOf("laps", "1"), "k"));

        Score score = current(repeated, B);
        assertEquals(BigDecimal.ONE, score.value());
        assertEquals(Score.Kind.SAME, score.kind());
        assertEquals(state(1, noon(4)), user.board(B));
    }
}
