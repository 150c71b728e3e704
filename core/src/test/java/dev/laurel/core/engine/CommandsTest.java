package dev.laurel.core.engine;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.USER;
import static dev.laurel.core.engine.UserSpecification.eventOf;
import static dev.laurel.core.engine.UserSpecification.given;
import static dev.laurel.core.engine.UserSpecification.keyed;
import static dev.laurel.core.engine.UserSpecification.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Idempotency keys, identification and refusals, which concern all commands. */
class CommandsTest {

    private static final String AT = "2026-03-04T10:00:00Z";
    private static final String RULES = """
            metrics: {laps: {}, litres: {}}
            attributes: {user: {plan: {}}, event: {pool: {}}}
            achievements: {ten: {trigger: metric, metric: laps, value: 10}}
            points: {xp: {triggers: {each: {type: metric, metric: laps, threshold: 1, points: 1}}}}
            """;

    @Test
    void shouldRefuseMoreAttributesThanARecordCanHold() {
        int max = UserChange.MAX_ATTRIBUTES;
        var user = given("metrics: {laps: {}}\nattributes: {user: {" + IntStream.rangeClosed(0, max)
                .mapToObj(i -> "a" + i + ": {}").collect(Collectors.joining(", ")) + "}}");
        for (int i = 0; i < max; i++) {
            user.identify(AT, UserSpecification.having("a" + i, "x"));
        }

        assertEquals(Refusal.tooManyAttributes(max),
                user.refused(AT, new IdentifyUser(UserSpecification.having("a" + max, "x"), false)));
        assertEquals("y", user.identify(AT, UserSpecification.having("a0", "y")).state().profile().attributes()
                .get("a0"), "one that is there may change");
    }

    @Test
    void shouldChangeNothingWhenAnIdempotencyKeyIsRepeated() {
        var user = given(RULES);
        var first = user.applied(AT, keyed(eventOf("laps", "4"), "k1"));
        UserState before = user.state();
        var again = user.apply("2026-03-04T11:00:00Z", keyed(
                with(eventOf("laps", "99"), UserChange.mention(USER).withName("Changed")), "k1"));

        var repeated = assertInstanceOf(Outcome.Repeated.class, again);
        assertEquals(before, repeated.state());
        assertEquals(UserSpecification.resultOf(first).eventId(), UserSpecification.resultOf(repeated).eventId());
        assertEquals(BigDecimal.valueOf(4), UserSpecification.resultOf(repeated).total());
        assertTrue(UserSpecification.resultOf(repeated).isRepeated());
        assertEquals(List.of(), UserSpecification.resultOf(repeated).points());
    }

    @Test
    void shouldShowThePresentWhenAnIdempotencyKeyIsRepeated() {
        var user = given(RULES);
        user.applied(AT, keyed(eventOf("laps", "4"), "k1"));
        user.event("2026-03-04T11:00:00Z", "laps", "5");
        var repeated = (Outcome.Repeated) user.apply("2026-03-09T10:00:00Z", keyed(eventOf("laps", "4"), "k1"));

        assertEquals(BigDecimal.valueOf(9), UserSpecification.resultOf(repeated).total());
        assertEquals(0, repeated.state().streak().length());
    }

    @Test
    void shouldKeepIdempotencyKeysOfMetricsApart() {
        var user = given(RULES);
        user.applied(AT, keyed(eventOf("laps", "4"), "k1"));
        user.applied(AT, keyed(eventOf("litres", "4"), "k1"));
        user.applied(AT, keyed(eventOf("laps", "4"), "K1"));

        assertEquals(BigDecimal.valueOf(8), user.total("laps"));
        assertEquals(BigDecimal.valueOf(4), user.total("litres"));
    }

    @Test
    void shouldNotUseUpTheKeyOfARefusedEvent() {
        var user = given(RULES);
        var bad = new RecordEvent(UserChange.mention(USER), "laps", BigDecimal.ONE, Map.of("unknown", "x"), "k1", null);
        user.refused(AT, bad);
        user.applied(AT, keyed(eventOf("laps", "4"), "k1"));

        assertEquals(BigDecimal.valueOf(4), user.total("laps"));
    }

    @Test
    void shouldRecogniseARepeatWhateverTheRulesSayNow() {
        var user = given(RULES);
        var event = new RecordEvent(UserChange.mention(USER), "laps", BigDecimal.ONE, Map.of("pool", "25m"), "k1",
                null);
        user.applied(AT, event);
        user.rulesBecome("metrics: {laps: {}, litres: {}}");

        assertInstanceOf(Outcome.Repeated.class, user.apply(AT, event));
    }

    @Test
    void shouldUseTheProducersEventIdOrDeriveOne() {
        var user = given(RULES);
        UUID given = UUID.fromString("00000000-0000-4000-8000-000000000001");
        var named = user.applied(AT, new RecordEvent(UserChange.mention(USER), "laps", BigDecimal.ONE, Map.of(), null,
                given));
        var unnamed = user.applied(AT, keyed(eventOf("laps", "1"), "k1"));
        var other = user.applied(AT, keyed(eventOf("laps", "1"), "k2"));

        assertEquals(given, UserSpecification.resultOf(named).eventId());
        assertNotNull(UserSpecification.resultOf(unnamed).eventId());
        assertNotEquals(UserSpecification.resultOf(unnamed).eventId(), UserSpecification.resultOf(other).eventId());
    }

    @Test
    void shouldCreateAUserByIdentification() {
        var user = given(RULES);
        var created = user.identify(AT, UserChange.mention(USER).withName("Ann"));

        assertTrue(created.isNewUser());
        assertEquals(List.of(new Effect.UserCreated(USER, Instant.parse(AT))), created.effects());
        assertEquals(Instant.parse(AT).toEpochMilli(), user.state().createdMs());
        assertEquals(Instant.parse(AT).toEpochMilli(), user.state().updatedMs());
    }

    @Test
    void shouldNotCreateAUserThatMustExist() {
        var user = given(RULES);
        Refusal refusal = user.refused(AT, new IdentifyUser(UserChange.mention(USER), true));

        assertEquals(Refusal.Kind.NOT_FOUND, refusal.kind());
        assertNull(user.state());
    }

    @Test
    void shouldUpdateAUserThatMustExist() {
        var user = given(RULES);
        user.identify(AT, UserChange.mention(USER));
        var updated = user.applied(AT, new IdentifyUser(UserChange.mention(USER).withName("Ann"), true));

        assertFalse(updated.isNewUser());
        assertEquals("Ann", updated.state().profile().name());
    }

    @Test
    void shouldMoveUpdatedOnlyWhenAPropertyReallyChanges() {
        var user = given(RULES);
        user.identify("2026-03-04T10:00:00Z", UserChange.mention(USER).withName("Ann"));
        user.identify("2026-03-04T11:00:00Z", UserChange.mention(USER).withName("Ann"));
        user.event("2026-03-04T12:00:00Z", "laps", "1");
        assertEquals(Instant.parse("2026-03-04T10:00:00Z").toEpochMilli(), user.state().updatedMs());

        user.identify("2026-03-04T13:00:00Z", UserChange.mention(USER).withName("Bea"));
        assertEquals(Instant.parse("2026-03-04T13:00:00Z").toEpochMilli(), user.state().updatedMs());
    }

    @Test
    void shouldApplyTheFieldsOfALateCommand() {
        var user = given(RULES);
        user.identify("2026-03-06T10:00:00Z", UserChange.mention(USER).withName("Ann"));
        user.identify("2026-03-04T10:00:00Z", UserChange.mention(USER).withName("Bea"));

        assertEquals("Bea", user.state().profile().name());
    }

    @Test
    void shouldCompleteNothingByIdentification() {
        var user = given("metrics: {laps: {}, litres: {}}");
        user.event(AT, "laps", "50");
        user.rulesBecome(RULES.replace("value: 10}", "value: 10, backdate: false}"));

        assertEquals(List.of(), user.identify(AT, UserChange.mention(USER).withName("Ann")).completed());
    }

    @Test
    void shouldRefuseAnUnknownMetricAndLeaveNoTrace() {
        var user = given(RULES);
        Refusal refusal = user.refused(AT, with(eventOf("lapz", "1"), UserChange.mention(USER).withName("Ann")));

        assertEquals(Refusal.unknownMetric("lapz"), refusal);
        assertNull(user.state());
    }

    @Test
    void shouldNameEachUnknownAttribute() {
        var user = given(RULES);
        user.event(AT, "laps", "1");
        UserState before = user.state();
        var change = new UserChange(USER, Change.keep(), Change.set("Ann"), Change.keep(), Change.keep(),
                Change.keep(), Change.keep(),
                Map.of("pln", Change.set("pro"), "plan", Change.set("pro"), "clb", Change.clear()));
        Refusal refusal = user.refused(AT, with(eventOf("laps", "1"), change));

        assertEquals(Refusal.unknownAttributes(List.of("pln", "clb")), refusal);
        assertSame(before, user.state());
    }

    @Test
    void shouldNotTakeAUserAttributeForAnEventAttribute() {
        var user = given(RULES);
        Refusal refusal = user.refused(AT, new RecordEvent(UserChange.mention(USER), "laps", BigDecimal.ONE,
                Map.of("plan", "pro"), null, null));

        assertEquals(Refusal.unknownAttributes(List.of("plan")), refusal);
    }

    @Test
    void shouldRefuseASubscriptionWithoutEmail() {
        var user = given(RULES);
        var change = new UserChange(USER, Change.keep(), Change.keep(), Change.keep(), Change.keep(), Change.set(true),
                Change.keep(), Map.of());

        assertEquals(Refusal.subscribeWithoutEmail(), user.refused(AT, new IdentifyUser(change, false)));
        assertNull(user.state());
    }

    @Test
    void shouldDecideTheControlGroupByTheHashOfTenantAndUser() throws Exception {
        var rules = new CompiledRuleset(TestRulesets.first("settings: {controlRatio: 30}"));
        int inControl = 0;
        for (int i = 0; i < 200; i++) {
            for (String tenant : List.of("", "acme")) {
                var key = new UserKey(new TenantId(tenant), new UserId("user-" + i));
                byte[] hash = MessageDigest.getInstance("SHA-256").digest((tenant + "/user-" + i).getBytes("UTF-8"));
                boolean expected = new BigInteger(1, Arrays.copyOf(hash, 8)).mod(BigInteger.valueOf(100))
                        .intValue() < 30;
                assertEquals(expected, create(key, rules).control(), key.text());
                inControl += expected ? 1 : 0;
            }
        }
        assertTrue(inControl > 80 && inControl < 160, "about 30 % of 400, not " + inControl);
    }

    @Test
    void shouldKeepTheControlGroupWhenTheRatioChanges() {
        var user = given("metrics: {laps: {}}\nsettings: {controlRatio: 100}");
        user.event(AT, "laps", "1");
        user.rulesBecome("metrics: {laps: {}}\nsettings: {controlRatio: 0}");

        assertTrue(user.event(AT, "laps", "1").state().control());
        assertFalse(given("metrics: {laps: {}}").event(AT, "laps", "1").state().control());
    }

    private static UserState create(UserKey key, CompiledRuleset rules) {
        var identify = new IdentifyUser(UserChange.mention(key.user()), false);
        var outcome = UserEngine.apply(null, rules, identify, new CommandContext(key, 1000, 0, 0, Long.MIN_VALUE),
                new UserSpecification.Memory());
        return ((Outcome.Applied) outcome).state();
    }
}
