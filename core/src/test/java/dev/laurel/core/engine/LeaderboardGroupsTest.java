package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.current;
import static dev.laurel.core.engine.UserSpecification.eventOf;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.having;
import static dev.laurel.core.engine.UserSpecification.ms;
import static dev.laurel.core.engine.UserSpecification.noon;
import static dev.laurel.core.engine.UserSpecification.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
        return given(
                RULES,
                TestLeaderboard.ofMetric(ALL, "laps"),
                TestLeaderboard.ofMetric(CITIES, "laps").by("city"),
                TestLeaderboard.ofMetric(BOTH, "laps").by("plan", "city"));
    }

    private static UserChange losing(String attribute) {
        return new UserChange(
                USER,
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Map.of(attribute, Change.clear()));
    }

    /** A user in Turku, changed by these commands while the leaderboard was inactive. */
    private static UserSpecification changedUnheard(UserChange change) {
        var board = TestLeaderboard.ofMetric(CITIES, "laps").by("city");
        var user = given(RULES, board);
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));
        user.rulesBecome(
                "2026-03-04T13:00:00Z",
                RULES,
                TestLeaderboard.ofMetric(CITIES, "laps").by("city").being(LeaderboardStatus.INACTIVE));
        user.identify("2026-03-04T14:00:00Z", change);
        user.rulesBecome("2026-03-04T15:00:00Z", RULES, board);
        return user;
    }

    @Test
    void shouldMoveWithoutACommandWhenTheLeaderboardIsActiveAgain() {
        var user = changedUnheard(having("city", "Oulu"));
        Score moved = user.woken("2026-03-04T16:00:00Z").scores().getFirst();

        assertEquals(Score.Kind.CHANGED, moved.kind());
        assertEquals(List.of("Turku"), moved.formerGroup());
        assertEquals(List.of("Oulu"), moved.group());
        assertEquals(BigDecimal.TWO, moved.value());
        assertEquals(ms(noon(4)), moved.changedMs(), "a move is no change of the value");
        assertEquals(List.of(), user.woken("2026-03-04T17:00:00Z").scores());
    }

    @Test
    void shouldLeaveTheGroupWithoutACommandWhenTheAttributeIsRemoved() {
        var user = changedUnheard(losing("city"));
        Score left = user.woken("2026-03-04T16:00:00Z").scores().getFirst();

        assertEquals(Score.Kind.CHANGED, left.kind());
        assertEquals(List.of("Turku"), left.formerGroup());
        assertNull(left.group());
    }

    @Test
    void shouldNeitherMoveNorRenameInARunThatIsFinal() {
        var user = given(
                RULES,
                TestLeaderboard.ofMetric(CITIES, "laps").every(1, RunUnit.DAY).by("city"));
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));
        user.clockAt("2026-03-05T12:00:00Z");

        assertEquals(List.of(), user.identify(noon(4), having("city", "Oulu")).scores());
        assertEquals(List.of("Turku"), user.board(CITIES).group());
    }

    @Test
    void shouldStayWhereOtherAttributesChange() {
        var user = inGroups();
        user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku")));

        assertEquals(
                Score.Kind.SAME,
                current(user.identify(noon(5), having("plan", "pro")), CITIES).kind());
    }

    private static UserSpecification inDailyGroups() {
        return given(
                RULES,
                TestLeaderboard.ofMetric(CITIES, "laps").every(1, RunUnit.DAY).by("city"));
    }

    @Test
    void shouldRememberTheGroupOfTheLastScore() {
        var user = inDailyGroups();
        Score entered = current(user.applied(noon(4), with(eventOf("laps", "2"), having("city", "Turku"))), CITIES);
        assertEquals(List.of("Turku"), entered.group());
        assertNull(entered.formerGroup());
        assertEquals(List.of("Turku"), user.board(CITIES).group());

        Score moved = current(user.identify(noon(4), having("city", "Oulu")), CITIES);
        assertEquals(List.of("Turku"), moved.formerGroup());
        assertEquals(List.of("Oulu"), moved.group());
        Score left = current(user.identify(noon(4), losing("city")), CITIES);
        assertEquals(List.of("Oulu"), left.formerGroup());
        assertNull(left.group());
        assertNull(current(user.event(noon(4), "laps", "1"), CITIES));
    }

    @Test
    void shouldMoveWithTheNextChangeInARunThatIsCurrentAgain() {
        var user = inDailyGroups();
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
    void shouldScoreANewNameOnEachLeaderboardWithTheUser() {
        var user = inGroups();
        user.event(noon(4), "laps", "2");
        var named = user.identify(noon(5), UserChange.mention(USER).withName("Ann"));
        assertEquals(
                List.of(ALL),
                named.scores().stream().map(score -> score.rules().number()).toList());
        assertEquals(Score.Kind.RENAMED, current(named, ALL).kind());

        assertEquals(
                Score.Kind.SAME,
                current(user.identify(noon(6), UserChange.mention(USER).withName("Ann")), ALL)
                        .kind());
        Score both = current(
                user.applied(
                        noon(7),
                        with(eventOf("laps", "1"), UserChange.mention(USER).withName("Anna"))),
                ALL);
        assertEquals(Score.Kind.CHANGED, both.kind());
        user.event(noon(7), "laps", "-3");
        assertEquals(
                List.of(),
                user.identify(noon(8), UserChange.mention(USER).withName("Ann")).scores());
    }
}
