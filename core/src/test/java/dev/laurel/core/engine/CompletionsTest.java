package dev.laurel.core.engine;

import dev.laurel.core.engine.Outcome.CompletionResult;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.Achievement;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Achievements by API and by other achievements, filters and statuses (docs/semantics.md §4). */
class CompletionsTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String LATER = "2026-03-04T11:00:00Z";
    private static final String HEAD = "metrics: {laps: {}}\nattributes: {user: {plan: {}}, event: {pool: {}}}\nachievements:\n";
    private static final String RULES = HEAD
            + """
                      hello: {trigger: api}
                      ten: {trigger: metric, metric: laps, value: 10}
                      both: {trigger: achievement, achievements: [hello, ten]}
                      crown: {trigger: achievement, achievements: [both]}
                    points: {xp: {triggers: {c: {type: achievement, achievement: crown, points: 7}, h: {type: achievement, achievement: hello, points: 1}}}}
                    """;

    @Test
    void shouldCompleteOnceAndShowTheFirstTimeAfterwards() {
        var user = given(RULES);
        var first = assertInstanceOf(Outcome.Applied.class, user.apply(AT, complete("hello")));
        var again = assertInstanceOf(Outcome.Repeated.class,
                user.apply(LATER,
                        new CompleteAchievement(UserChange.mention(UserSpecification.USER).withName("New"), "hello")));

        var result = assertInstanceOf(CompletionResult.class, first.answer());
        assertEquals(1, result.points().getFirst().added());
        assertEquals(result.completionId(), ((CompletionResult) again.answer()).completionId());
        assertEquals(List.of(), ((CompletionResult) again.answer()).points());
        assertNull(user.state().profile().name(), "nothing changes, user fields included");
    }

    @Test
    void shouldCompleteCompositesToAFixedPoint() {
        var user = given(RULES);
        user.event(AT, "laps", "10");
        var done = assertInstanceOf(Outcome.Applied.class, user.apply(LATER, complete("hello")));

        assertEquals(List.of("hello", "both", "crown"), done.completed().stream().map(Achievement::key).toList());
        assertEquals(8, user.points("xp"), "what follows pays too");
    }

    @Test
    void shouldCompleteCompositesByEventsInTheSameAnswer() {
        var user = given(RULES);
        user.apply(AT, complete("hello"));
        var event = user.event(LATER, "laps", "10");

        assertEquals(List.of("ten", "both", "crown"),
                UserSpecification.resultOf(event).completed().stream().map(Achievement::key).toList());
    }

    @Test
    void shouldRefuseAchievementsThatAreNotActiveOrNotApi() {
        var user = given(HEAD + """
                  hidden: {trigger: api, status: inactive}
                  ten: {trigger: metric, metric: laps, value: 10}
                """);
        for (String key : List.of("hidden", "ten", "nothing")) {
            assertEquals(Refusal.Kind.NOT_FOUND, user.refused(AT, complete(key)).kind(), key);
        }
        assertNull(user.state(), "no user is left behind");
    }

    @Test
    void shouldRefuseALockedAchievementUnlessItIsCompleted() {
        var user = given(HEAD + "  hello: {trigger: api}\n");
        user.apply(AT, complete("hello"));
        user.rulesBecome(AT, HEAD + "  hello: {trigger: api, status: locked}\n");
        assertInstanceOf(Outcome.Repeated.class, user.apply(LATER, complete("hello")));

        var other = given(HEAD + "  hello: {trigger: api}\n");
        other.rulesBecome(AT, HEAD + "  hello: {trigger: api, status: locked}\n");
        assertEquals(Refusal.achievementLocked("hello"), other.refused(LATER, complete("hello")));
    }

    @Test
    void shouldJudgeUserFiltersAfterTheCommandsOwnFields() {
        var user = given(HEAD + "  pro: {trigger: api, userAttributes: {plan: pro}}\n");
        assertEquals(Refusal.achievementNotForUser("pro"), user.refused(AT, complete("pro")));
        var becomingPro = new UserChange(UserSpecification.USER, Change.keep(), Change.keep(), Change.keep(),
                Change.keep(), Change.keep(), Change.keep(), Map.of("plan", Change.set("pro")));
        assertInstanceOf(Outcome.Applied.class, user.apply(LATER, new CompleteAchievement(becomingPro, "pro")));
    }

    @Test
    void shouldSumMatchingEventsOnly() {
        var user = given(HEAD + "  long: {trigger: metric, metric: laps, value: 10, eventAttributes: {pool: long}}\n");
        user.event(AT, "laps", "100");
        user.applied(AT, lapsIn("short", "100"));
        user.applied(AT, lapsIn("long", "9"));
        assertEquals(0, user.state().completions().size());
        user.applied(AT, lapsIn("long", "1"));
        assertEquals(1, user.state().completions().size());
    }

    @Test
    void shouldRestartTheSumWhenEventFiltersAreEditedButNotWhenTheValueIs() {
        var user = given(HEAD + "  long: {trigger: metric, metric: laps, value: 50, eventAttributes: {pool: long}}\n");
        user.applied(AT, lapsIn("long", "30"));
        user.rulesBecome(AT,
                HEAD + "  long: {trigger: metric, metric: laps, value: 40, eventAttributes: {pool: long}}\n");
        user.applied(AT, lapsIn("long", "9"));
        assertEquals(0, user.state().completions().size(), "39 of 40");
        user.rulesBecome(AT,
                HEAD + "  long: {trigger: metric, metric: laps, value: 40, eventAttributes: {pool: short}}\n");
        user.applied(AT, lapsIn("short", "39"));
        assertEquals(0, user.state().completions().size(), "39 since the edit");
        user.applied(AT, lapsIn("short", "1"));
        assertEquals(1, user.state().completions().size());
        assertEquals(1, user.state().sums().size(), "the old sum is forgotten");
    }

    @Test
    void shouldCompleteByAnIdentificationWhatThePresentTotalSatisfies() {
        var user = given(HEAD + "  ten: {trigger: metric, metric: laps, value: 10, userAttributes: {plan: pro}}\n"
                + "  five: {trigger: metric, metric: laps, value: 5, userAttributes: {plan: pro}}\n");
        user.event(AT, "laps", "10");
        user.event(AT, "laps", "-5");
        user.identify(LATER, new UserChange(UserSpecification.USER, Change.keep(), Change.keep(), Change.keep(),
                Change.keep(), Change.keep(), Change.keep(), Map.of("plan", Change.set("pro"))));

        assertEquals(1, user.state().completions().size(), "the total counts, not what it was");
        user.event(LATER, "laps", "5");
        assertEquals(2, user.state().completions().size());
    }

    private static CompleteAchievement complete(String key) {
        return new CompleteAchievement(UserChange.mention(UserSpecification.USER), key);
    }

    private static RecordEvent lapsIn(String pool, String value) {
        return new RecordEvent(UserChange.mention(UserSpecification.USER), "laps", new BigDecimal(value),
                Map.of("pool", pool), null, null);
    }
}
