package dev.laurel.processors.cases;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.serde.Json;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The messages to users in a step, and the notifications of webhooks. */
final class CaseMessages {

    private CaseMessages() {}

    static ArrayNode of(LedgerDriver ledger, Published published, TenantId tenant) {
        var shown = Json.mapperForTools().createArrayNode();
        for (Outgoing outgoing : ledger.outbox()) {
            if (!outgoing.tenant().equals(tenant)) {
                continue;
            }
            switch (outgoing) {
                case Outgoing.Message message -> show(message, published, shown.addObject());
                case Outgoing.HookEvent event -> {
                    ObjectNode hook = shown.addObject();
                    hook.put("at", event.at().toString());
                    hook.put("webhook", event.event().type());
                    hook.set("body", Json.mapperForTools().readTree(event.body()));
                }
                case Outgoing.LeaderboardEvent _,
                        Outgoing.UserErased _,
                        Outgoing.HookTest _,
                        Outgoing.HookRetry _,
                        Outgoing.Question _ -> {
                    // no messages
                }
            }
        }
        return shown;
    }

    private static void show(Outgoing.Message message, Published published, ObjectNode into) {
        into.put("at", message.at().toString());
        into.put("user", message.user().value());
        into.put("type", message.notification().name().toLowerCase(Locale.ROOT));
        ObjectNode copies = into.putObject("copies");
        for (MessageCopy copy : message.copies()) {
            Template template =
                    published.version(message.tenant(), message.rulesVersion()).notifications().templates().stream()
                            .filter(t -> t.id().equals(copy.template()))
                            .findFirst()
                            .orElseThrow();
            copies.put(copy.channel().name().toLowerCase(Locale.ROOT), template.key());
        }
        into.set("facts", Json.mapperForTools().readTree(message.facts().getBytes(UTF_8)));
    }
}
