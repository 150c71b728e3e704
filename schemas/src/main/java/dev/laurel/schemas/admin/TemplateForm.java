package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.TemplateSource;
import dev.laurel.schemas.ruleset.RulesetSource.TextSource;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.wire.TemplateBody;
import dev.laurel.schemas.wire.TemplateBody.TextBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Templates of messages (admin-api.md B4). */
final class TemplateForm implements ObjectForm {

    private static final int MAX_VARIATIONS = 100;

    @Override
    public void create(SourceDraft draft, String parent, UUID id, Item item) throws BadInputException {
        item.require("type");
        item.require("channel");
        // Unlike in a document, where what is written down is meant to be in force.
        var blank = new TemplateSource(id, item.requiredText("name"), null, item.text("channel"), "inactive", null,
                null, null, Map.of(), null);
        draft.templates.put(id.toString(), read(item, blank, draft));
    }

    @Override
    public void update(SourceDraft draft, String parent, String key, Item item) throws BadInputException {
        TemplateSource before = draft.templates.get(key);
        String channel = SharedFields.text(item, "channel", before.channel());
        draft.templates.put(key,
                read(item, channel.equals(before.channel()) ? before : movedTo(channel, before), draft));
    }

    /** What only the other channel has does not come along. */
    private static TemplateSource movedTo(String channel, TemplateSource before) {
        return new TemplateSource(before.id(), before.name(), before.type(), channel, before.status(), null, null,
                before.body(), before.userAttributes(), null);
    }

    private static TemplateSource read(Item item, TemplateSource before, SourceDraft draft) throws BadInputException {
        return new TemplateSource(before.id(), SharedFields.text(item, "name", before.name()),
                SharedFields.text(item, "type", before.type()), before.channel(),
                SharedFields.text(item, "status", before.status()),
                SharedFields.text(item, "subject", before.subject()),
                SharedFields.text(item, "title", before.title()), SharedFields.text(item, "body", before.body()),
                SharedFields.filters(item, "userAttributes", AttributeType.USER, draft, before.userAttributes()),
                variations(item, before.variations()));
    }

    /** Null takes all of them out. */
    private static List<TextSource> variations(Item item, List<TextSource> before) throws BadInputException {
        if (item.isNull("variations")) {
            return null;
        }
        List<Item> given = item.items("variations", MAX_VARIATIONS);
        if (given == null) {
            return before;
        }
        var variations = new ArrayList<TextSource>();
        for (Item text : given) {
            variations.add(new TextSource(text.text("subject"), text.text("title"), text.text("body")));
        }
        return variations;
    }

    @Override
    public void delete(SourceDraft draft, String parent, String key) {
        draft.templates.remove(key);
    }

    @Override
    public String keyOf(SourceDraft draft, String parent, UUID id) {
        return draft.templateKey(id);
    }

    @Override
    public String place(String parent, String key) {
        return Place.pointer("notifications", "templates", key);
    }

    @Override
    public List<TemplateBody> bodies(Ruleset ruleset, UUID parent, Instant now) {
        var ids = new ObjectIds(ruleset);
        return ruleset.notifications().templates().stream().sorted(Comparator.comparingInt(Template::number))
                .map(template -> body(template, ids)).toList();
    }

    private static TemplateBody body(Template template, ObjectIds ids) {
        boolean isEmail = template.channel() == NotificationChannel.EMAIL;
        TextBody text = text(template.text(), isEmail);
        return new TemplateBody(template.id(), template.name(),
                SharedFields.shownKey(template.key(), template.id()), word(template.type()), word(template.channel()),
                text.subject(), text.title(), text.body(), SharedFields.status(template.active()),
                ids.filters(AttributeType.USER, template.userAttributes()),
                template.variations().stream().map(variation -> text(variation, isEmail)).toList(),
                template.created(), template.updated());
    }

    private static TextBody text(Template.Text text, boolean isEmail) {
        Optional<String> heading = Optional.of(text.heading());
        return new TextBody(isEmail ? heading : Optional.empty(), isEmail ? Optional.empty() : heading, text.body());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
