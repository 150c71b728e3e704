package dev.laurel.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.MessageRules;
import dev.laurel.core.user.Preferences;
import dev.laurel.core.user.Profile;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Template;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The decision about a recap: one row per condition. */
class MessageDecisionTest {

    private static final UserKey ANN = UserKey.of("ann");

    /** The ruleset with the parts that a row names, with these filters on the city. */
    private static final Map<String, String> PARTS = Map.ofEntries(
            Map.entry("E", template("e", "email", "active", "")),
            Map.entry("P", template("p", "push", "active", "")),
            Map.entry("e-", template("off", "email", "inactive", "")),
            Map.entry("eT", template("turku", "email", "active", "userAttributes: {city: Turku}, ")),
            Map.entry("eO", template("oulu", "email", "active", "userAttributes: {city: Oulu}, ")),
            Map.entry("eTV", template("turkuVip", "email", "active", "userAttributes: {city: Turku, club: vip}, ")),
            Map.entry(
                    "other",
                    "    other: {name: o, type: reactivation, channel: email, status: active, subject: s, body: b}\n"));

    private static String template(String key, String channel, String status, String filters) {
        return "    " + key + ": {name: n, type: recap, channel: " + channel + ", status: " + status + ", " + filters
                + (channel.equals("email") ? "subject" : "title") + ": s, body: b}\n";
    }

    /** {@code rules}: parts of the ruleset; {@code user}: differences from a user who gets all messages. */
    @ParameterizedTest(name = "{0} | {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                // rules          | user                 | out            | why not                              |
                // webhooks
                "E P hook         |                      | email:e push:p |                                      | yes",
                "E P              |                      | email:e push:p |                                      | no",
                "hook             |                      |                | email:NO_TEMPLATE push:NO_TEMPLATE   | yes",
                "E                |                      | email:e        | push:NO_TEMPLATE                     | no",
                "e- P             |                      | push:p         | email:NO_TEMPLATE                    | no",
                "other P          |                      | push:p         | email:NO_TEMPLATE                    | no",
                "E P hook off     |                      |                | email:NO_TEMPLATE push:NO_TEMPLATE   | no",
                "E P hook off-hook|                      | email:e push:p |                                      | no",
                "E P hook         | control              |                | email:CONTROL push:CONTROL           | no",
                "E P hook         | wants=               |                | email:PREFERENCES push:PREFERENCES   | no",
                "E P hook         | wants=email          | email:e        | push:PREFERENCES                     | yes",
                "E P hook         | wants=push           | push:p         | email:PREFERENCES                    | no",
                "E P hook         | wants=email,push     | email:e push:p |                                      | yes",
                "E P hook         | unsubscribed         | push:p         | email:UNSUBSCRIBED                   | no",
                "E P hook         | subscribed           | email:e push:p |                                      | yes",
                "E P hook         | no-email             | push:p         | email:NO_ADDRESS                     | yes",
                "E P hook         | no-tokens            | email:e        | push:NO_ADDRESS                      | yes",
                "eT P             | city=Turku           | email:turku push:p |                                  | no",
                "eT P hook        | city=Oulu            | push:p         | email:FILTERS                        | yes",
                "eT P hook        |                      | push:p         | email:FILTERS                        | yes",
                "E eT             | city=Turku           | email:turku    | push:NO_TEMPLATE                     | no",
                "E eT             | city=Oulu            | email:e        | push:NO_TEMPLATE                     | no",
                "eT eTV           | city=Turku club=vip  | email:turku    | push:NO_TEMPLATE                     | no",
                "eTV eT           | city=Turku club=vip  | email:turkuVip | push:NO_TEMPLATE                     | no",
                "eTV eT eO        | city=Turku           | email:turku    | push:NO_TEMPLATE                     | no",
                "eTV eT eO        | city=Oulu            | email:oulu     | push:NO_TEMPLATE                     | no"
            })
    void shouldDecideByTheConditionsOfEachRow(String rules, String user, String out, String whyNot, String toWebhooks) {
        CompiledRuleset compiled = rules(rules.strip());

        MessageDecision decision = decide(compiled.messages(), user == null ? "" : user.strip());

        assertEquals(out == null ? "" : out.strip(), outOf(decision, compiled));
        assertEquals(
                whyNot == null ? "" : whyNot.strip(),
                String.join(
                        " ",
                        decision.withheld().entrySet().stream()
                                .map(e -> lower(e.getKey()) + ":" + e.getValue())
                                .toList()));
        assertEquals(toWebhooks.strip().equals("yes"), decision.toWebhooks());
    }

    private static CompiledRuleset rules(String parts) {
        var templates = new StringBuilder();
        List<String> names = Arrays.asList(parts.split(" +"));
        names.stream().filter(PARTS::containsKey).forEach(name -> templates.append(PARTS.get(name)));
        return new CompiledRuleset(TestRulesets.first("attributes: {user: {city: {}, club: {}}}\n" + "notifications:\n"
                + (templates.isEmpty() ? "" : "  templates:\n" + templates) + "  settings: {enabled: {recap: "
                + !names.contains("off") + "}}\n"
                + (names.contains("hook")
                        ? "webhooks: {crm: {name: c, url: 'https://crm.example', events: [emails.recap_due], status: "
                                + (names.contains("off-hook") ? "inactive" : "active") + "}}\n"
                        : "")));
    }

    private static MessageDecision decide(MessageRules rules, String user) {
        List<String> traits = Arrays.asList(user.split(" +"));
        var attributes = new TreeMap<String, String>();
        Preferences preferences = Preferences.NONE;
        for (String trait : traits) {
            if (trait.startsWith("wants=")) {
                preferences = new Preferences(
                        Map.of(NotificationType.RECAP, channels(trait.substring(6))), null, null, null, null, null);
            } else if (trait.contains("=")) {
                attributes.put(trait.split("=")[0], trait.split("=")[1]);
            }
        }
        Boolean subscribes =
                traits.contains("unsubscribed") ? Boolean.FALSE : traits.contains("subscribed") ? Boolean.TRUE : null;
        var profile = new Profile(
                traits.contains("no-email") ? null : "ann@example.net",
                null,
                null,
                traits.contains("no-tokens") ? List.of() : List.of("t1"),
                subscribes,
                null,
                attributes);
        return MessageDecision.of(
                NotificationType.RECAP, ANN, 0, profile, preferences, traits.contains("control"), rules);
    }

    private static Set<NotificationChannel> channels(String names) {
        var channels = EnumSet.noneOf(NotificationChannel.class);
        for (NotificationChannel channel : NotificationChannel.values()) {
            if (names.contains(lower(channel))) {
                channels.add(channel);
            }
        }
        return channels;
    }

    private static String outOf(MessageDecision decision, CompiledRuleset rules) {
        return String.join(
                " ",
                decision.copies().stream()
                        .map(copy -> lower(copy.channel()) + ":"
                                + rules.messages().template(copy.template()).key())
                        .toList());
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    @Test
    void shouldChooseAllTextsOfATemplateEquallyOften() {
        CompiledRuleset rules = new CompiledRuleset(TestRulesets.first("""
            notifications:
              templates:
                e: {name: n, type: recap, channel: email, status: active, subject: s, body: b,
                  variations: [{subject: s1, body: b1}, {subject: s2, body: b2}]}
            """));
        Template template = rules.document().notifications().templates().getFirst();
        var counts = new int[3];
        for (int user = 0; user < 300; user++) {
            for (long moment = 0; moment < 10; moment++) {
                counts[MessageDecision.variation(template, UserKey.of("user-" + user), moment * 86_400_000)]++;
            }
        }

        for (int count : counts) {
            assertTrue(count > 900 && count < 1100, () -> Arrays.toString(counts));
        }
    }

    @Test
    void shouldChooseTheSameTextForTheSameUserAndMoment() {
        CompiledRuleset rules = new CompiledRuleset(TestRulesets.first("""
            notifications:
              templates:
                e: {name: n, type: recap, channel: email, status: active, subject: s, body: b,
                  variations: [{subject: s1, body: b1}]}
            """));
        Template template = rules.document().notifications().templates().getFirst();
        var texts = new ArrayList<Integer>();
        for (long moment = 0; moment < 8; moment++) {
            texts.add(MessageDecision.variation(template, ANN, moment));
        }

        // The choice must be the same after a replay, and in every version of the program.
        assertEquals(List.of(1, 0, 0, 1, 0, 1, 0, 1), texts);
    }
}
