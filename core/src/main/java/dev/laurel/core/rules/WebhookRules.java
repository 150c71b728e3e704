package dev.laurel.core.rules;

import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The active webhooks by the events to which they subscribe. */
public final class WebhookRules {

    private final Map<WebhookEvent, List<UUID>> webhooks = new EnumMap<>(WebhookEvent.class);

    WebhookRules(List<Webhook> all) {
        for (Webhook webhook : all) {
            if (webhook.active()) {
                webhook.events().forEach(
                        event -> webhooks.computeIfAbsent(event, _ -> new ArrayList<>()).add(webhook.id()));
            }
        }
        webhooks.replaceAll((_, ids) -> List.copyOf(ids));
    }

    public boolean want(WebhookEvent event) {
        return webhooks.containsKey(event);
    }

    /** The webhooks that subscribe to an event, in ruleset order. */
    public List<UUID> wanting(WebhookEvent event) {
        return webhooks.getOrDefault(event, List.of());
    }
}
