package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.ruleset.RulesetSource.NotificationsSource;
import dev.laurel.schemas.ruleset.RulesetSource.TemplateSource;
import dev.laurel.schemas.ruleset.RulesetSource.TextSource;
import dev.laurel.schemas.ruleset.RulesetSource.WebhookSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static dev.laurel.schemas.ruleset.FromSource.constant;
import static dev.laurel.schemas.ruleset.FromSource.or;

/**
 * The part of {@link RulesetEditor} that makes webhooks and notifications. Nothing that users have depends on either: they cost
 * nobody more than the number of a version. Belongs to one edit.
 */
final class MessageEditor {

    private final Instant now;
    private final Identities identities;
    private final Map<String, Webhook> webhooks = new HashMap<>();
    private final Map<String, Template> templates = new HashMap<>();

    MessageEditor(Ruleset current, Instant now, Identities identities) {
        this.now = now;
        this.identities = identities;
        current.webhooks().forEach(w -> webhooks.put(w.key(), w));
        current.notifications().templates().forEach(t -> templates.put(t.key(), t));
    }

    Webhook webhook(String key, WebhookSource source) {
        Retired object = identities.identify("webhook", key, source.id());
        Webhook before = webhooks.get(key);
        List<WebhookEvent> events = source.events().stream().map(WebhookEvent::ofType).toList();
        var next = new Webhook(object.number(), object.id(), key, or(source.name(), key), source.url(), events,
                isActive(source.status()), object.created(), before == null ? now : before.updated());
        return before == null || next.equals(before) ? next : updated(next);
    }

    private Webhook updated(Webhook w) {
        return new Webhook(w.number(), w.id(), w.key(), w.name(), w.url(), w.events(), w.active(), w.created(), now);
    }

    Notifications notifications(NotificationsSource source) {
        var next = new ArrayList<Template>();
        source.templates().forEach((key, template) -> next.add(template(key, template)));
        return new Notifications(next, NotificationsFromSource.timing(source.settings()),
                NotificationsFromSource.sender(source.channels()));
    }

    private Template template(String key, TemplateSource source) {
        Retired object = identities.identify("template", key, source.id());
        Template before = templates.get(key);
        var text = new TextSource(source.subject(), source.title(), source.body());
        List<TextSource> variations = or(source.variations(), List.of());
        var next = new Template(object.number(), object.id(), key, constant(NotificationType.class, source.type()),
                constant(NotificationChannel.class, source.channel()), or(source.name(), key), text(text),
                isActive(source.status()), FromSource.filters(source.userAttributes()),
                variations.stream().map(MessageEditor::text).toList(), object.created(),
                before == null ? now : before.updated());
        return before == null || next.equals(before) ? next : updated(next);
    }

    private Template updated(Template t) {
        return new Template(t.number(), t.id(), t.key(), t.type(), t.channel(), t.name(), t.text(), t.active(),
                t.userAttributes(), t.variations(), t.created(), now);
    }

    private static Template.Text text(TextSource source) {
        return new Template.Text(source.subject() == null ? source.title() : source.subject(), source.body());
    }

    private static boolean isActive(String status) {
        return or(status, "active").equals("active");
    }
}
