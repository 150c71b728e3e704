package dev.laurel.core.engine;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.current;
import static dev.laurel.core.engine.UserSpecification.eventOf;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.having;
import static dev.laurel.core.engine.UserSpecification.ms;
import static dev.laurel.core.engine.UserSpecification.noon;
import static dev.laurel.core.engine.UserSpecification.older;
import static dev.laurel.core.engine.UserSpecification.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Groups of users by their attributes, and the names of users on leaderboards. */
class LeaderboardGroupsTest {

    private static final String RULES = """
            metrics: {laps: {}}
            attributes: {user: {city: {}, plan: {}}}
            streak: {enabled: false}
            """;
    private static final int ALL = 900;
    private static final int CITIES = 901;
    private static final int BOTH = 902;

    private static UserSpecification inGroups() {
        return given(RULES, TestLeaderboard.ofMetric(ALL, "laps"), TestLeaderboard.ofMetric(CITIES, "laps").by("city"),
                TestLeaderboard.ofMetric(BOTH, "laps").by("plan", "city"));
    }

    private static UserChange losing(String attribute) {
        return new UserChange(USER, Change.keep(), Change.keep(), Change.keep(), Change.keep(), Change.keep(),
                Change.keep(), Map.of(attribute, Change.clear()));
    }

    @Test
    void shouldEnterAGroupAfterAMoveWhileTheLeaderboardWasInactive() {
        var board = TestLeaderboard.ofMetric(CITIES, "laps").by("city");
        var user = given(RULES, board);
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));
        user.rulesBecome("2026-03-04T13:00:00Z", RULES, TestLeaderboard.ofMetric(CITIES, "laps").by("city")
                .being(LeaderboardStatus.INACTIVE));
        user.applied("2026-03-04T14:00:00Z", with(eventOf("laps", "2"), having("city", "Oulu")));
        user.rulesBecome("2026-03-04T15:00:00Z", RULES, board);

        Score score = current(user.event("2026-03-04T16:00:00Z", "laps", "1"), CITIES);

        assertEquals(List.of("Oulu"), score.group());
        assertEquals(Score.UNREPORTED, score.formerOffset());
        assertTrue(user.state().boards().get(CITIES).changedOffset() < Score.UNREPORTED);
    }

    /** A user in Turku, changed by these commands while the leaderboard was inactive. */
    private static UserSpecification changedUnheard(UserChange change) {
        var board = TestLeaderboard.ofMetric(CITIES, "laps").by("city");
        var user = given(RULES, board);
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));
        user.rulesBecome("2026-03-04T13:00:00Z", RULES, TestLeaderboard.ofMetric(CITIES, "laps").by("city")
                .being(LeaderboardStatus.INACTIVE));
        user.identify("2026-03-04T14:00:00Z", change);
        user.rulesBecome("2026-03-04T15:00:00Z", RULES, board);
        return user;
    }

    @Test
    void shouldMoveWithoutACommandWhenTheLeaderboardIsActiveAgain() {
        var user = changedUnheard(having("city", "Oulu"));
        Score moved = user.woken("2026-03-04T16:00:00Z").scores().getFirst();

        assertEquals(Score.Kind.CHANGED, moved.kind());
        assertEquals(List.of("Oulu"), moved.group());
        assertEquals(BigDecimal.TWO, moved.value());
        assertEquals(ms(noon(4)), moved.changedMs(), "a move is no change of the value");
        assertEquals(Score.UNREPORTED, moved.formerOffset());
        assertEquals(List.of(), user.woken("2026-03-04T17:00:00Z").scores());
    }

    @Test
    void shouldLeaveTheGroupWithoutACommandWhenTheAttributeIsRemoved() {
        var user = changedUnheard(losing("city"));
        Score left = user.woken("2026-03-04T16:00:00Z").scores().getFirst();

        assertEquals(Score.Kind.CHANGED, left.kind());
        assertNull(left.group());
        assertEquals(Score.UNREPORTED, left.formerOffset());
    }

    @Test
    void shouldBeInNoGroupWithoutTheAttribute() {
        var event = inGroups().event(noon(4), "laps", "1");

        assertEquals(List.of(ALL), event.scores().stream().map(score -> score.rules().number()).toList());
    }

    @Test
    void shouldEnterTheGroupThatTheEventItselfBrings() {
        var user = inGroups();
        Score score = current(user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku"))), CITIES);

        assertEquals(List.of("Turku"), score.group());
        assertNull(score.formerGroup());
        assertEquals(BigDecimal.ZERO, score.before());
    }

    @Test
    void shouldEnterWithThePresentValueWhenTheAttributeIsSet() {
        var user = inGroups();
        user.event(noon(4), "laps", "2");
        var city = user.identify(noon(5), having("city", "Turku"));
        assertNull(current(city, BOTH));
        Score score = current(city, CITIES);
        assertEquals(Score.Kind.CHANGED, score.kind());
        assertNull(score.formerGroup());
        assertEquals(BigDecimal.TWO, score.before());
        assertEquals(BigDecimal.TWO, score.value());
        assertEquals(0, score.formerOffset());
        assertEquals(ms(noon(4)), score.changedMs());
        assertEquals(Score.Kind.SAME, current(city, ALL).kind());

        Score both = current(user.identify(noon(6), having("plan", "pro")), BOTH);
        assertEquals(List.of("pro", "Turku"), both.group());
        assertEquals(0, both.formerOffset(), "the city alone made no group");
    }

    @Test
    void shouldMoveToTheGroupOfTheNewValue() {
        var user = inGroups();
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));
        Score moved = current(user.identify(noon(5), having("city", "Oulu")), CITIES);

        assertEquals(List.of("Turku"), moved.formerGroup());
        assertEquals(List.of("Oulu"), moved.group());
        assertEquals(Score.Kind.CHANGED, moved.kind());
        assertEquals(ms(noon(4)), moved.changedMs(), "a move is no change of the value");
        assertEquals(0, moved.formerOffset());
        assertEquals(new LeaderboardState(0, BigDecimal.TWO, ms(noon(4)), 1), user.board(CITIES));
        assertEquals(0, user.board(ALL).changedOffset());
        assertEquals(1, current(user.event(noon(6), "laps", "1"), CITIES).formerOffset());
    }

    @Test
    void shouldMoveAndChangeAtOnce() {
        var user = inGroups();
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));
        Score moved = current(user.applied(noon(5), with(eventOf("laps", "3"), having("city", "Oulu"))), CITIES);

        assertEquals(List.of("Turku"), moved.formerGroup());
        assertEquals(List.of("Oulu"), moved.group());
        assertEquals(BigDecimal.TWO, moved.before());
        assertEquals(BigDecimal.valueOf(5), moved.value());
        assertEquals(0, moved.formerOffset());
    }

    @Test
    void shouldLeaveTheGroupWithTheAttribute() {
        var user = inGroups();
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));
        Score left = current(user.identify(noon(5), losing("city")), CITIES);

        assertEquals(List.of("Turku"), left.formerGroup());
        assertNull(left.group());
        assertEquals(Score.Kind.CHANGED, left.kind());
        assertNull(current(user.event(noon(6), "laps", "1"), CITIES));
        Score back = current(user.identify(noon(7), having("city", "Turku")), CITIES);
        assertEquals(BigDecimal.valueOf(3), back.value());
        assertEquals(2, back.formerOffset());
    }

    @Test
    void shouldNeitherMoveNorRenameInARunThatIsFinal() {
        var user = given(RULES, TestLeaderboard.ofMetric(CITIES, "laps").every(1, RunUnit.DAY).by("city"));
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));
        user.clockAt("2026-03-05T12:00:00Z");

        assertEquals(List.of(), user.identify(noon(4), having("city", "Oulu")).scores());
        assertEquals(Score.UNREPORTED, user.board(CITIES).changedOffset());
    }

    @Test
    void shouldStayWhereOtherAttributesChange() {
        var user = inGroups();
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));

        assertEquals(Score.Kind.SAME, current(user.identify(noon(5), having("plan", "pro")), CITIES).kind());
        assertEquals(0, user.board(CITIES).changedOffset());
    }

    @Test
    void shouldMoveInTheCurrentRunOnly() {
        var user = given(RULES, TestLeaderboard.ofMetric(CITIES, "laps").every(1, RunUnit.DAY).by("city"));
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));
        var nextDay = user.identify(noon(5), having("city", "Oulu"));
        assertEquals(List.of(), nextDay.scores());
        assertEquals(Score.UNREPORTED, user.board(CITIES).changedOffset());

        Score late = older(user.event(noon(4), "laps", "1"), CITIES);
        assertEquals(BigDecimal.valueOf(3), late.value());
        assertEquals(late.formerGroup(), late.group(), "nobody moves there");
    }

    @Test
    void shouldMoveInTheRunOfTheUsersDateAfterAFlightWest() {
        var user = given(RULES, TestLeaderboard.ofMetric(CITIES, "laps").every(1, RunUnit.DAY).by("city"));
        user.identify("2026-03-04T09:00:00Z", having("city", "Turku"));
        user.eventIn("Pacific/Auckland", "2026-03-04T10:00:00Z", "laps", "1");
        user.event("2026-03-04T12:00:00Z", "laps", "2");
        user.moveTo("Pacific/Honolulu", "2026-03-04T20:00:00Z");
        Score moved = current(user.identify("2026-03-04T21:00:00Z", having("city", "Oulu")), CITIES);

        assertEquals(UserSpecification.day("2026-03-04"), moved.run());
        assertEquals(BigDecimal.ONE, moved.value());
        assertEquals(4, user.memory().boardRun(CITIES, moved.run()).changedOffset());
        assertEquals(Score.UNREPORTED, user.board(CITIES).changedOffset());
        Score nextDay = current(user.event("2026-03-05T12:00:00Z", "laps", "1"), CITIES);
        assertEquals(UserSpecification.day("2026-03-05"), nextDay.run());
        assertEquals(Score.UNREPORTED, nextDay.formerOffset(), "only the leaderboard knows the group of that time");
    }

    private static UserSpecification inSpreadGroups() {
        return given(RULES, TestLeaderboard.ofMetric(CITIES, "laps").every(1, RunUnit.DAY).by("city").spread());
    }

    @Test
    void shouldRememberTheGroupOnASpreadLeaderboard() {
        var user = inSpreadGroups();
        Score entered = current(user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku"))), CITIES);
        assertEquals(List.of("Turku"), entered.group());
        assertNull(entered.formerGroup());
        assertEquals(List.of("Turku"), user.board(CITIES).group());

        Score moved = current(user.identify(noon(4), having("city", "Oulu")), CITIES);
        assertEquals(List.of("Turku"), moved.formerGroup());
        assertEquals(List.of("Oulu"), moved.group());
        assertEquals(0, moved.formerOffset());
        assertEquals(1, user.board(CITIES).changedOffset());
        Score left = current(user.identify(noon(4), losing("city")), CITIES);
        assertEquals(List.of("Oulu"), left.formerGroup());
        assertNull(left.group());
        assertNull(current(user.event(noon(4), "laps", "1"), CITIES));
    }

    @Test
    void shouldScoreAPastRunOfASpreadLeaderboardInTheGroupOfThatTime() {
        var user = inSpreadGroups();
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));
        user.applied(noon(5), with(eventOf("laps", "1"), having("city", "Oulu")));

        Score late = older(user.event(noon(4), "laps", "1"), CITIES);
        assertEquals(List.of("Turku"), late.group());
        assertEquals(List.of("Turku"), late.formerGroup());
        assertEquals(BigDecimal.valueOf(3), late.value());
    }

    @Test
    void shouldMoveWithTheNextChangeInARunOfASpreadLeaderboardThatIsCurrentAgain() {
        var user = inSpreadGroups();
        user.identify("2026-03-04T09:00:00Z", having("city", "Turku"));
        user.eventIn("Pacific/Auckland", "2026-03-04T10:00:00Z", "laps", "1");
        user.event("2026-03-04T12:00:00Z", "laps", "2");
        user.identify("2026-03-04T12:00:00Z", having("city", "Oulu"));
        user.moveTo("Pacific/Honolulu", "2026-03-04T20:00:00Z");

        Score still = current(user.event("2026-03-04T20:00:00Z", "laps", "0"), CITIES);
        assertEquals(UserSpecification.day("2026-03-04"), still.run());
        assertEquals(Score.Kind.SAME, still.kind());
        assertEquals(List.of("Turku"), still.group());
        Score moved = current(user.event("2026-03-04T21:00:00Z", "laps", "1"), CITIES);
        assertEquals(List.of("Turku"), moved.formerGroup());
        assertEquals(List.of("Oulu"), moved.group());
    }

    @Test
    void shouldLeaveTheFormerGroupWhenASpreadLeaderboardIsActiveAgain() {
        var board = TestLeaderboard.ofMetric(CITIES, "laps").by("city").spread();
        var user = given(RULES, board);
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));
        user.rulesBecome("2026-03-04T13:00:00Z", RULES, TestLeaderboard.ofMetric(CITIES, "laps").by("city").spread()
                .being(LeaderboardStatus.INACTIVE));
        user.identify("2026-03-04T14:00:00Z", having("city", "Oulu"));
        user.rulesBecome("2026-03-04T15:00:00Z", RULES, board);

        Score moved = user.woken("2026-03-04T16:00:00Z").scores().getFirst();
        assertEquals(Score.Kind.CHANGED, moved.kind());
        assertEquals(List.of("Turku"), moved.formerGroup());
        assertEquals(List.of("Oulu"), moved.group());
        assertEquals(0, moved.formerOffset());
        assertEquals(List.of(), user.woken("2026-03-04T17:00:00Z").scores());
    }

    @Test
    void shouldScoreANewNameOnEachLeaderboardWithTheUser() {
        var user = inGroups();
        user.event(noon(4), "laps", "2");
        var named = user.identify(noon(5), UserChange.mention(USER).withName("Ann"));
        assertEquals(List.of(ALL), named.scores().stream().map(score -> score.rules().number()).toList());
        assertEquals(Score.Kind.RENAMED, current(named, ALL).kind());
        assertEquals(0, user.board(ALL).changedOffset());

        assertEquals(Score.Kind.SAME,
                current(user.identify(noon(6), UserChange.mention(USER).withName("Ann")), ALL).kind());
        Score both = current(
                user.applied(noon(7), with(eventOf("laps", "1"), UserChange.mention(USER).withName("Anna"))), ALL);
        assertEquals(Score.Kind.CHANGED, both.kind());
        user.event(noon(7), "laps", "-3");
        assertEquals(List.of(), user.identify(noon(8), UserChange.mention(USER).withName("Ann")).scores());
    }
}
