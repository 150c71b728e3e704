package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.WebhookSource;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.WebhookBody;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Webhooks (admin-api.md B5). Their secrets are no part of the ruleset: {@link WebhookSecrets}. */
final class WebhookForm implements ObjectForm {

    private static final int MAX_EVENTS = 100;

    @Override
    public void create(SourceDraft draft, String parent, UUID id, Item item) throws BadInputException {
        String key = id.toString();
        draft.webhooks.put(key, read(item, new WebhookSource(id, item.requiredText("name"), null, null, "active")));
    }

    @Override
    public void update(SourceDraft draft, String parent, String key, Item item) throws BadInputException {
        draft.webhooks.put(key, read(item, draft.webhooks.get(key)));
    }

    private static WebhookSource read(Item item, WebhookSource before) throws BadInputException {
        List<String> events = item.texts("events", MAX_EVENTS);
        return new WebhookSource(before.id(), SharedFields.text(item, "name", before.name()),
                SharedFields.text(item, "url", before.url()), events == null ? before.events() : events,
                SharedFields.text(item, "status", before.status()));
    }

    @Override
    public void delete(SourceDraft draft, String parent, String key) {
        draft.webhooks.remove(key);
    }

    @Override
    public String keyOf(SourceDraft draft, String parent, UUID id) {
        return draft.webhookKey(id);
    }

    @Override
    public String place(String parent, String key) {
        return Place.pointer("webhooks", key);
    }

    @Override
    public List<WebhookBody> bodies(Ruleset ruleset, UUID parent, Instant now) {
        return ruleset.webhooks().stream().sorted(Comparator.comparingInt(Webhook::number)).map(WebhookForm::body)
                .toList();
    }

    private static WebhookBody body(Webhook webhook) {
        return new WebhookBody(webhook.id(), webhook.name(), SharedFields.shownKey(webhook.key(), webhook.id()),
                webhook.url(), webhook.events().stream().map(WebhookEvent::type).toList(),
                SharedFields.status(webhook.active()), webhook.created(), webhook.updated(), Optional.empty());
    }
}
