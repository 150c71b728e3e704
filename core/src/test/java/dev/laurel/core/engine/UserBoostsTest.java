package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.ms;
import static dev.laurel.core.engine.UserSpecification.noon;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.RevokeBoost;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.wire.PointsSystemBody.SystemBoostBody;
import dev.laurel.schemas.wire.WebhookPayload;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the state keeps of a user's own boosts, and their notices. The rule cases {@code points-boosts-*.yaml} test the rules. */
class UserBoostsTest {

    private static final String RULES = "metrics: {laps: {}}\npoints: {xp: {name: XP}}\nstreak: {enabled: false}\n";
    private static final String HOOKED = RULES + """
        webhooks: {crm: {url: 'https://crm.example.com/in', events: [points.boost_started, points.boost_finished]}}
        """;

    private static UserSpecification in(String zone) {
        var user = given(HOOKED);
        user.moveTo(zone, noon(1));
        return user;
    }

    private static GrantBoost grant(int id, String start, String end) {
        return new GrantBoost(
                UserChange.mention(USER),
                new UUID(0, id),
                "xp",
                "Comeback",
                LocalDate.parse(start),
                end == null ? null : LocalDate.parse(end),
                BigDecimal.TWO,
                Rounding.DOWN);
    }

    /** {@code +1 …} for a start and {@code -1 …} for an end of boost 1, with the time. */
    private static List<String> announced(List<Effect> effects) {
        return effects.stream()
                .filter(Effect.OfBoost.class::isInstance)
                .map(effect -> {
                    var boost = (Effect.OfBoost) effect;
                    return (boost instanceof Effect.BoostStarted ? "+" : "-")
                            + boost.boostId().getLeastSignificantBits() + " " + boost.at();
                })
                .toList();
    }

    @Test
    void shouldAnnounceAtLocalMidnightAndAtTheEndOfTheLastDay() {
        var user = in("Europe/Helsinki");
        assertEquals(
                List.of(),
                announced(user.applied(noon(1), grant(1, "2026-03-04", "2026-03-05"))
                        .effects()));
        assertEquals(ms("2026-03-03T22:00:00Z"), user.state().wakeUpMs());
        var started = user.woken("2026-03-03T22:00:00Z");
        assertEquals(
                List.of(new Effect.BoostStarted(
                        USER,
                        Instant.parse("2026-03-03T22:00:00Z"),
                        user.rules().pointsSystem("xp").id(),
                        "xp",
                        new UUID(0, 1),
                        LocalDate.parse("2026-03-04"),
                        LocalDate.parse("2026-03-05"))),
                started.effects());
        assertEquals(ms("2026-03-05T22:00:00Z"), user.state().wakeUpMs());
        var finished = user.woken(noon(6));

        assertEquals(List.of("-1 2026-03-05T22:00:00Z"), announced(finished.effects()));
        assertEquals(0, user.state().wakeUpMs(), "nothing is to come");
        assertEquals(
                List.of(new WebhookPayload.BoostStarted(Instant.parse("2026-03-03T22:00:00Z"), boost(user, "active"))),
                payloads(started.notices()));
        assertEquals(
                List.of(new WebhookPayload.BoostFinished(
                        Instant.parse("2026-03-05T22:00:00Z"), boost(user, "finished"))),
                payloads(finished.notices()));
    }

    private static SystemBoostBody boost(UserSpecification user, String status) {
        return new SystemBoostBody(
                new UUID(0, 1),
                "Comeback",
                status,
                "swimmer-77",
                user.rules().pointsSystem("xp").id(),
                "xp",
                "XP",
                LocalDate.parse("2026-03-04"),
                LocalDate.parse("2026-03-05"),
                BigDecimal.TWO,
                "down");
    }

    private static List<WebhookPayload> payloads(List<Notice> notices) {
        return notices.stream()
                .map(notice -> ((Notice.ForWebhooks) notice).payload())
                .toList();
    }

    @Test
    void shouldNotAnnounceARevokedBoost() {
        var user = in("UTC");
        user.applied(noon(1), grant(1, "2026-03-04", "2026-03-05"));
        user.applied(noon(2), new RevokeBoost(UserChange.mention(USER), new UUID(0, 1), null));

        assertEquals(List.of(), user.tick(noon(9)));
        assertEquals(0, user.state().boostsAnnouncedTo(), "nothing is kept of it");
    }

    @Test
    void shouldNotAnnounceBoostsOfARemovedSystem() {
        var user = in("UTC");
        user.applied(noon(1), grant(1, "2026-03-04", "2026-03-05"));
        user.rulesBecome(noon(2), RULES.replace("xp: {name: XP}", "gold: {name: Gold}"));

        assertEquals(List.of(), user.tick(noon(9)));
        assertEquals(0, user.state().wakeUpMs());
    }

    @Test
    void shouldMakeNoNoticesWithoutASubscription() {
        var user = given(RULES);
        user.identify(noon(1), UserChange.mention(USER));

        var granted = user.applied(noon(4), grant(1, "2026-03-04", null));
        assertEquals(1, announced(granted.effects()).size());
        assertEquals(List.of(), granted.notices());
    }

    @Test
    void shouldFireUpToTheMaximumNumberOfMomentsAndContinue() {
        var user = in("UTC");
        for (int day = 2; day < 9; day++) {
            user.applied(noon(1), grant(day, "2026-03-0" + day, null));
        }
        var woken = UserEngine.wake(
                user.state(),
                user.rules(),
                new CommandContext(UserKey.of("swimmer-77"), ms(noon(20)), 0, 99, 0),
                user.memory(),
                3);

        assertEquals(
                List.of("+2 2026-03-02T00:00:00Z", "+3 2026-03-03T00:00:00Z", "+4 2026-03-04T00:00:00Z"),
                announced(woken.effects()));
        assertEquals(ms("2026-03-05T00:00:00Z"), woken.state().wakeUpMs());
    }

    @Test
    void shouldReplaceTheEarliestFinishedBoostAndRefuseWithoutOne() {
        var user = in("UTC");
        for (int i = 0; i < UserBoostEditor.MAX_BOOSTS - 2; i++) {
            user.applied(noon(4), grant(i, "2026-03-04", null));
        }
        user.applied(noon(4), grant(200, "2026-03-01", "2026-03-03"));
        user.applied(noon(4), grant(201, "2026-03-01", "2026-03-02"));
        user.applied(noon(4), grant(202, "2026-03-04", null));
        assertEquals(UserBoostEditor.MAX_BOOSTS, user.state().boosts().size());
        assertEquals(
                List.of(200L, 202L),
                user.state().boosts().stream()
                        .map(b -> b.id().getLeastSignificantBits())
                        .filter(id -> id >= 200)
                        .toList());

        user.applied(noon(4), grant(203, "2026-03-04", null));
        assertEquals(
                Refusal.tooMany("boosts", UserBoostEditor.MAX_BOOSTS),
                user.refused(noon(4), grant(204, "2026-03-04", null)));
        user.applied(noon(4), grant(203, "2026-03-04", "2026-03-09"));
    }
}
