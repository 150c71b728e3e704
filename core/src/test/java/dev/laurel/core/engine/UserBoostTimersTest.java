package dev.laurel.core.engine;

import dev.laurel.schemas.command.Command.BoostChange;
import dev.laurel.schemas.command.Command.ChangeBoost;
import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.RevokeBoost;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
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

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.ms;
import static dev.laurel.core.engine.UserSpecification.noon;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Announcements of starts and ends of a user's own boosts (docs/webhooks.md §3). */
class UserBoostTimersTest {

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
        return new GrantBoost(UserChange.mention(USER), new UUID(0, id), "xp", "Comeback", LocalDate.parse(start),
                end == null ? null : LocalDate.parse(end), BigDecimal.TWO, Rounding.DOWN);
    }

    private static ChangeBoost ending(int id, String end) {
        return new ChangeBoost(UserChange.mention(USER), new UUID(0, id), "xp", new BoostChange(Change.keep(),
                Change.keep(), end == null ? Change.clear() : Change.set(LocalDate.parse(end)), Change.keep(),
                Change.keep()));
    }

    private static ChangeBoost starting(int id, String start) {
        return new ChangeBoost(UserChange.mention(USER), new UUID(0, id), "xp", new BoostChange(Change.keep(),
                Change.set(LocalDate.parse(start)), Change.keep(), Change.keep(), Change.keep()));
    }

    /** {@code +1 …} for a start and {@code -1 …} for an end of boost 1, with the time. */
    private static List<String> announced(List<Effect> effects) {
        return effects.stream().filter(Effect.OfBoost.class::isInstance).map(effect -> {
            var boost = (Effect.OfBoost) effect;
            return (boost instanceof Effect.BoostStarted ? "+" : "-") + boost.boostId().getLeastSignificantBits() + " "
                    + boost.at();
        }).toList();
    }

    @Test
    void shouldAnnounceAtLocalMidnightAndAtTheEndOfTheLastDay() {
        var user = in("Europe/Helsinki");
        assertEquals(List.of(), announced(user.applied(noon(1), grant(1, "2026-03-04", "2026-03-05")).effects()));
        assertEquals(ms("2026-03-03T22:00:00Z"), user.state().wakeUpMs());
        var started = user.woken("2026-03-03T22:00:00Z");
        assertEquals(List.of(new Effect.BoostStarted(USER, Instant.parse("2026-03-03T22:00:00Z"),
                user.rules().pointsSystem("xp").id(), "xp", new UUID(0, 1), LocalDate.parse("2026-03-04"),
                LocalDate.parse("2026-03-05"))), started.effects());
        assertEquals(ms("2026-03-05T22:00:00Z"), user.state().wakeUpMs());
        var finished = user.woken(noon(6));

        assertEquals(List.of("-1 2026-03-05T22:00:00Z"), announced(finished.effects()));
        assertEquals(0, user.state().wakeUpMs(), "nothing is to come");
        assertEquals(List.of(new WebhookPayload.BoostStarted(Instant.parse("2026-03-03T22:00:00Z"),
                boost(user, "active"))), payloads(started.notices()));
        assertEquals(List.of(new WebhookPayload.BoostFinished(Instant.parse("2026-03-05T22:00:00Z"),
                boost(user, "finished"))), payloads(finished.notices()));
    }

    private static SystemBoostBody boost(UserSpecification user, String status) {
        return new SystemBoostBody(new UUID(0, 1), "Comeback", status, "swimmer-77",
                user.rules().pointsSystem("xp").id(), "xp", "XP", LocalDate.parse("2026-03-04"),
                LocalDate.parse("2026-03-05"), BigDecimal.TWO, "down");
    }

    private static List<WebhookPayload> payloads(List<Notice> notices) {
        return notices.stream().map(notice -> ((Notice.ForWebhooks) notice).payload()).toList();
    }

    @Test
    void shouldAnnouncePastDatesAtCreation() {
        var user = in("UTC");

        assertEquals(List.of("+1 " + noon(4)),
                announced(user.applied(noon(4), grant(1, "2026-03-04", null)).effects()));
        assertEquals(List.of("+2 " + noon(4), "-2 " + noon(4)),
                announced(user.applied(noon(4), grant(2, "2026-03-01", "2026-03-03")).effects()));
        assertEquals(List.of("+3 " + noon(4)),
                announced(user.applied(noon(4), grant(3, "2026-03-01", "2026-03-04")).effects()));
        assertEquals(List.of("-3 2026-03-05T00:00:00Z"), announced(user.tick("2027-01-01T00:00:00Z")),
                "the open one never ends");
    }

    @Test
    void shouldAnnounceEndsBeforeStartsAndBothBeforePoints() {
        var user = given(RULES.replace("{name: XP}", "{triggers: {day: {type: time, timeUnit: days, "
                + "timeInterval: 1, points: 10}}}"));
        user.identify("2026-03-01T00:00:00Z", UserChange.mention(USER));
        user.applied("2026-03-01T00:00:00Z", grant(1, "2026-03-02", null));
        user.applied("2026-03-01T00:00:00Z", grant(2, "2026-03-01", "2026-03-01"));
        var effects = user.tick("2026-03-02T00:00:00Z");

        assertEquals(List.of("-2 2026-03-02T00:00:00Z", "+1 2026-03-02T00:00:00Z"), announced(effects));
        assertEquals(20, ((Effect.PointsChanged) effects.getLast()).added());
    }

    @Test
    void shouldNotAnnounceAgainOnARepeatedDate() {
        var user = in("Asia/Tokyo");
        user.applied(noon(1), grant(1, "2026-03-04", "2026-03-04"));
        assertEquals(List.of("+1 2026-03-03T15:00:00Z"), announced(user.tick("2026-03-03T16:00:00Z")));
        user.moveTo("America/New_York", "2026-03-03T16:00:00Z");

        assertEquals(List.of("-1 2026-03-05T05:00:00Z"), announced(user.tick(noon(9))));
    }

    @Test
    void shouldAnnounceStartsThatAMoveBrings() {
        var user = in("America/New_York");
        user.applied(noon(1), grant(1, "2026-03-04", "2026-03-04"));

        assertEquals(List.of("+1 2026-03-03T20:00:00Z"),
                announced(user.moveTo("Asia/Tokyo", "2026-03-03T20:00:00Z").effects()));
        assertEquals(List.of("-1 2026-03-04T15:00:00Z"), announced(user.tick(noon(9))));
    }

    @Test
    void shouldAnnounceStartsOfAMoveBeforeALateBoost() {
        var user = in("America/New_York");
        user.applied(noon(1), grant(1, "2026-03-04", null));

        assertEquals(List.of("+1 2026-03-03T20:00:00Z"),
                announced(user.moveTo("Asia/Tokyo", "2026-03-03T20:00:00Z").effects()));
        assertEquals(List.of("+2 2026-03-03T19:00:00Z"),
                announced(user.applied("2026-03-03T19:00:00Z", grant(2, "2026-03-02", null)).effects()));
        assertEquals(List.of(), announced(user.tick(noon(9))));
    }

    @Test
    void shouldAnnounceAnEndMovedToThePastAtOnce() {
        var user = in("UTC");
        user.applied(noon(4), grant(1, "2026-03-02", null));

        assertEquals(List.of(), announced(user.applied(noon(4), ending(1, "2026-03-04")).effects()),
                "today is not over");
        assertEquals(List.of("-1 " + noon(4)), announced(user.applied(noon(4), ending(1, "2026-03-03")).effects()));
        assertEquals(List.of(), announced(user.applied(noon(4), ending(1, "2026-03-02")).effects()));
        assertEquals(List.of(), announced(user.tick(noon(9))));
    }

    @Test
    void shouldAnnounceTheEndAgainIfTheBoostContinues() {
        var user = in("UTC");
        user.applied(noon(4), grant(1, "2026-03-02", "2026-03-03"));

        assertEquals(List.of(), announced(user.applied(noon(5), ending(1, "2026-03-06")).effects()));
        assertEquals(List.of("-1 2026-03-07T00:00:00Z"), announced(user.tick(noon(9))));
    }

    @Test
    void shouldAnnounceAMovedStart() {
        var user = in("UTC");
        user.applied(noon(1), grant(1, "2026-03-04", null));
        user.applied(noon(2), starting(1, "2026-03-06"));
        assertEquals(List.of(), announced(user.tick(noon(5))));

        assertEquals(List.of("+1 " + noon(5)), announced(user.applied(noon(5), starting(1, "2026-03-05")).effects()));
        assertEquals(List.of(), announced(user.tick(noon(9))));
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
        var woken = UserEngine.wake(user.state(), user.rules(),
                new CommandContext(UserKey.of("swimmer-77"), ms(noon(20)), 0, 99, 0),
                user.memory(), 3);

        assertEquals(List.of("+2 2026-03-02T00:00:00Z", "+3 2026-03-03T00:00:00Z", "+4 2026-03-04T00:00:00Z"),
                announced(woken.effects()));
        assertEquals(ms("2026-03-05T00:00:00Z"), woken.state().wakeUpMs());
    }
}
