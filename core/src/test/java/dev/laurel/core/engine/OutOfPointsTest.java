package dev.laurel.core.engine;

import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Refusal;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.eventOf;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.having;
import static dev.laurel.core.engine.UserSpecification.keyed;
import static dev.laurel.core.engine.UserSpecification.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

class OutOfPointsTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String BUY = "buy: {type: metric, metric: buys, threshold: 1, points: -10,"
            + " blockIfOutOfPoints: true}";

    private static String rules(String... triggers) {
        return "metrics: {laps: {}, buys: {}}\nattributes: {user: {plan: {}}}\npoints:\n  xp:\n    triggers:\n"
                + "      lap: {type: metric, metric: laps, threshold: 1, points: 1}\n      "
                + String.join("\n      ", triggers);
    }

    @Test
    void shouldRefuseTheEventAsAWhole() {
        var user = given(rules(BUY));
        user.event(AT, "laps", "9");
        UserState before = user.state();
        var named = with(eventOf("buys", "1"), UserChange.mention(USER).withName("Ida"));

        assertEquals(Refusal.outOfPoints("xp", "buy"), user.refused(AT, named));
        assertSame(before, user.state());
    }

    @Test
    void shouldAllowADeductionToZero() {
        var user = given(rules(BUY));
        user.event(AT, "laps", "10");
        user.event(AT, "buys", "1");

        assertEquals(0, user.points("xp"));
    }

    @Test
    void shouldCountAllCrossingsOfTheEvent() {
        var user = given(rules(BUY));
        user.event(AT, "laps", "19");

        assertEquals(Refusal.outOfPoints("xp", "buy"), user.refused(AT, eventOf("buys", "2")));
    }

    @Test
    void shouldLeaveTheIdempotencyKeyUnused() {
        var user = given(rules(BUY));
        user.event(AT, "laps", "9");
        var buy = keyed(eventOf("buys", "1"), "order-1");
        user.refused(AT, buy);
        user.event(AT, "laps", "1");

        assertInstanceOf(Outcome.Applied.class, user.apply(AT, buy));
        assertInstanceOf(Outcome.Repeated.class, user.apply(AT, buy), "what was accepted once is not refused");
    }

    @Test
    void shouldNotCreateAUserByARefusedEvent() {
        var user = given(rules(BUY));
        user.refused(AT, eventOf("buys", "1"));

        assertNull(user.state());
    }

    @Test
    void shouldSeeEarlierAwardsOfTheSameEventAndNotLaterOnes() {
        String refund = "refund: {type: metric, metric: buys, threshold: 1, points: 10}";
        var paidBefore = given(rules(refund, BUY));
        paidBefore.event(AT, "buys", "1");
        assertEquals(0, paidBefore.points("xp"));

        assertEquals(Refusal.outOfPoints("xp", "buy"), given(rules(BUY, refund)).refused(AT, eventOf("buys", "1")));
    }

    @Test
    void shouldNotRefuseUsersOutsideTheFilter() {
        var user = given(rules(BUY.replace("}", ", userAttributes: {plan: pro}}")));
        user.event(AT, "buys", "1");
        assertEquals(0, user.points("xp"));

        var pro = with(eventOf("buys", "1"), having("plan", "pro"));
        assertEquals(Refusal.outOfPoints("xp", "buy"), user.refused(AT, pro));
    }

    @Test
    void shouldCutADeductionThatIsNotBlocked() {
        var user = given(rules(BUY.replace("true", "false")));
        user.event(AT, "laps", "4");
        user.event(AT, "buys", "1");

        assertEquals(0, user.points("xp"));
    }
}
