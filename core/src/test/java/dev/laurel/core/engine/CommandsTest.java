package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Idempotency keys, identification and refusals, which concern all commands. */
class CommandsTest {

    private static final String AT = "2026-03-04T10:00:00Z";

    @Test
    void shouldRefuseMoreAttributesThanARecordCanHold() {
        int max = UserChange.MAX_ATTRIBUTES;
        var user = given("metrics: {laps: {}}\nattributes: {user: {"
                + IntStream.rangeClosed(0, max).mapToObj(i -> "a" + i + ": {}").collect(Collectors.joining(", "))
                + "}}");
        for (int i = 0; i < max; i++) {
            user.identify(AT, UserSpecification.having("a" + i, "x"));
        }

        assertEquals(
                Refusal.invalid(
                        "attributes: the user would have more than " + max + ", which is the most a user can have."),
                user.refused(AT, new IdentifyUser(UserSpecification.having("a" + max, "x"), false)));
        assertEquals(
                "y",
                user.identify(AT, UserSpecification.having("a0", "y"))
                        .state()
                        .profile()
                        .attributes()
                        .get("a0"),
                "one that is there may change");
    }

    @Test
    void shouldDecideTheControlGroupByTheHashOfTenantAndUser() throws Exception {
        var rules = new CompiledRuleset(TestRulesets.first("settings: {controlRatio: 30}"));
        int inControl = 0;
        for (int i = 0; i < 200; i++) {
            for (String tenant : List.of("", "acme")) {
                var key = new UserKey(new TenantId(tenant), new UserId("user-" + i));
                byte[] hash = MessageDigest.getInstance("SHA-256").digest((tenant + "/user-" + i).getBytes("UTF-8"));
                boolean expected = new BigInteger(1, Arrays.copyOf(hash, 8))
                                .mod(BigInteger.valueOf(100))
                                .intValue()
                        < 30;
                assertEquals(expected, create(key, rules).control(), key.text());
                inControl += expected ? 1 : 0;
            }
        }
        assertTrue(inControl > 80 && inControl < 160, "about 30 % of 400, not " + inControl);
    }

    private static UserState create(UserKey key, CompiledRuleset rules) {
        var identify = new IdentifyUser(UserChange.mention(key.user()), false);
        var outcome = UserEngine.apply(
                null,
                rules,
                identify,
                new CommandContext(key, 1000, 0, 0, Long.MIN_VALUE),
                new UserSpecification.Memory());
        return ((Outcome.Applied) outcome).state();
    }
}
