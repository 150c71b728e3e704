package dev.laurel.delivery.message;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.topology.LedgerDriver.Published;
import java.util.UUID;

/** A ruleset with a template that has a variation, for tests of sending. */
final class SendingTemplates {

    static final UUID TEMPLATE = UUID.fromString("00000000-0000-4000-8000-000000000007");
    static final long VERSION = 1;

    private static final String RULES = """
        metrics: {laps: {}}
        settings: {branding: {appName: Pool}}
        notifications:
          templates:
            recap: {id: %s, type: recap, channel: email, subject: Your week, body: "Well done, {{user.name}}",
              variations: [{subject: Seven days, body: "What a week, {{user.name}}"}]}
          channels: {email: {from: team@pool.example}}
        """.formatted(TEMPLATE);

    private SendingTemplates() {}

    static Published published() {
        var published = new Published();
        published.add(TestRulesets.first(RULES));
        return published;
    }
}
