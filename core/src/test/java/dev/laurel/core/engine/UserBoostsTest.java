package dev.laurel.core.engine;

import dev.laurel.core.user.PointsState.AppliedBoost;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.RevokeBoost;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.wire.PointsSystemBody.BoostBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

class UserBoostsTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String RULES = """
            metrics: {laps: {}}
            points:
              xp:
                triggers: {lap: {type: metric, metric: laps, threshold: 1, points: 10}}
                boosts: {all: {start: '2026-03-01', multiplier: 1.5, rounding: up}}
              coins:
                triggers: {lap: {type: metric, metric: laps, threshold: 1, points: 10}}
            """;

    private static UserSpecification known() {
        var user = given(RULES);
        user.identify("2026-03-01T10:00:00Z", UserChange.mention(USER));
        return user;
    }

    private static GrantBoost grant(int id, String start, String end, String multiplier, Rounding rounding) {
        return new GrantBoost(UserChange.mention(USER), new UUID(0, id), "xp", "Comeback", LocalDate.parse(start),
                end == null ? null : LocalDate.parse(end), new BigDecimal(multiplier), rounding);
    }

    private static GrantBoost grant(int id, String start, String end) {
        return grant(id, start, end, "2", Rounding.DOWN);
    }

    private static RevokeBoost revoke(int id) {
        return new RevokeBoost(UserChange.mention(USER), new UUID(0, id), null);
    }

    @Test
    void shouldMultiplyAwardsOfItsSystemTogetherWithSharedBoosts() {
        var user = known();
        var granted = user.applied(AT, grant(1, "2026-03-04", "2026-03-04"));
        user.event(AT, "laps", "1");
        user.event("2026-03-05T10:00:00Z", "laps", "1");

        UserBoost boost = assertInstanceOf(Outcome.BoostShown.class, granted.answer()).boost();
        assertEquals(List.of(30L, 15L), user.ledger().stream().map(Award::awarded).toList());
        assertEquals(20, user.points("coins"));
        assertEquals(new AppliedBoost.OfUser(boost), user.ledger().getFirst().boosts().getLast());
    }

    @Test
    void shouldDecideTheRoundingIfItIsTheNewest() {
        var user = known();
        user.applied(AT, grant(1, "2026-03-04", null, "1.01", Rounding.DOWN));
        user.event(AT, "laps", "1");

        assertEquals(15, user.points("xp"), "15.15 rounded down, though the shared boost rounds up");
    }

    @Test
    void shouldChangeTheBoostOfThatIdAndKeepItsAge() {
        var user = known();
        user.applied(AT, grant(1, "2026-03-04", null));
        user.applied("2026-03-05T10:00:00Z", grant(2, "2026-03-04", null));
        user.applied("2026-03-06T10:00:00Z", grant(1, "2026-03-04", "2026-03-06", "3", Rounding.UP));

        assertEquals(List.of(new UUID(0, 1), new UUID(0, 2)),
                user.state().boosts().stream().map(UserBoost::id).toList());
        assertEquals(new BigDecimal("3"), user.state().boosts().getFirst().multiplier());
        assertEquals(UserSpecification.day("2026-03-06"), user.state().boosts().getFirst().end());
    }

    @Test
    void shouldMoveTheStartOnlyBeforeItHasStarted() {
        var user = known();
        user.applied(AT, grant(1, "2026-03-05", null));
        user.applied(AT, grant(1, "2026-03-06", null));
        assertEquals(Refusal.boostStarted(LocalDate.parse("2026-03-06")),
                user.refused("2026-03-06T00:00:00Z", grant(1, "2026-03-07", null)));

        user.applied("2026-03-06T00:00:00Z", grant(1, "2026-03-06", null, "4", Rounding.DOWN));
        assertEquals(new BigDecimal("4"), user.state().boosts().getFirst().multiplier());
    }

    @Test
    void shouldKeepTheAwardAsItWasWhenTheBoostIsRevoked() {
        var user = known();
        user.applied(AT, grant(1, "2026-03-04", null));
        user.event(AT, "laps", "1");
        var revoked = user.applied(AT, revoke(1));
        user.event(AT, "laps", "1");

        assertInstanceOf(Outcome.Done.class, revoked.answer());
        assertEquals(List.of(), user.state().boosts());
        assertEquals(List.of(30L, 15L), user.ledger().stream().map(Award::awarded).toList());
        assertEquals(2, user.ledger().getFirst().boosts().size());
        assertEquals(Refusal.unknownBoost(), user.refused(AT, revoke(1)));
    }

    @Test
    void shouldRefuseUnknownUsersAndSystems() {
        assertEquals(Refusal.userDoesNotExist(), given(RULES).refused(AT, grant(1, "2026-03-04", null)));
        var unknown = new GrantBoost(UserChange.mention(USER), new UUID(0, 1), "gems", "x", LocalDate.EPOCH, null,
                BigDecimal.TWO, Rounding.DOWN);
        assertEquals(Refusal.unknownPointsSystem("gems"), known().refused(AT, unknown));
    }

    @Test
    void shouldNotMoveABoostToAnotherSystem() {
        var user = known();
        user.applied(AT, grant(1, "2026-03-04", null));
        var moved = new GrantBoost(UserChange.mention(USER), new UUID(0, 1), "coins", "x",
                LocalDate.parse("2026-03-04"), null, BigDecimal.TWO, Rounding.DOWN);

        assertEquals(Refusal.unknownBoost(), user.refused(AT, moved));
    }

    @Test
    void shouldReplaceTheEarliestFinishedBoostAndRefuseWithoutOne() {
        var user = known();
        for (int i = 0; i < UserBoostEditor.MAX_BOOSTS - 2; i++) {
            user.applied(AT, grant(i, "2026-03-04", null));
        }
        user.applied(AT, grant(200, "2026-03-01", "2026-03-03"));
        user.applied(AT, grant(201, "2026-03-01", "2026-03-02"));
        user.applied(AT, grant(202, "2026-03-04", null));
        assertEquals(UserBoostEditor.MAX_BOOSTS, user.state().boosts().size());
        assertEquals(List.of(200L, 202L), user.state().boosts().stream().map(b -> b.id().getLeastSignificantBits())
                .filter(id -> id >= 200).toList());

        user.applied(AT, grant(203, "2026-03-04", null));
        assertEquals(Refusal.tooManyBoosts(UserBoostEditor.MAX_BOOSTS),
                user.refused(AT, grant(204, "2026-03-04", null)));
        user.applied(AT, grant(203, "2026-03-04", "2026-03-09"));
    }

    @Test
    void shouldShowWhatTodaysAwardsMeet() {
        var user = known();
        user.applied(AT, grant(1, "2026-03-04", "2026-03-04"));
        user.applied(AT, grant(2, "2026-03-05", null));

        assertEquals(List.of("all", "Comeback"), shown(user, "2026-03-04").stream().map(BoostBody::name).toList());
        assertEquals(List.of(new UUID(0, 2)), shown(user, "2026-03-05").stream().map(BoostBody::id).skip(1).toList());
        assertEquals(List.of("active"), shown(user, "2026-03-05").stream().map(BoostBody::status).distinct().toList());
    }

    private static List<BoostBody> shown(UserSpecification user, String today) {
        return PointsBodies.activeBoosts(user.state(), user.rules().pointsSystem("xp"), user.rules(),
                UserSpecification.day(today));
    }
}
