package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind.Keys;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Type;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What users are written (docs/admin-api.md B4). Of one type and channel, no two active ones have the same filters.
 *
 * @param number see {@link Ruleset}
 * @param userAttributes which users it is for
 * @param variations other texts of which one can take the place of {@code text}
 */
public record Template(int number, UUID id, String key, NotificationType type, NotificationChannel channel,
        String name, Text text, boolean active, List<AttributeFilter> userAttributes, List<Text> variations,
        Instant created, Instant updated) {

    private static final int MAX_VARIATIONS = 10;
    private static final int MAX_EMAIL_LENGTH = 50_000;

    /** The services that carry push messages take 4 KiB, all in all. */
    private static final int MAX_PUSH_LENGTH = 2000;

    private static final Field SUBJECT = heading("subject").of("channel", "email")
            .about("Of an email; with 'email' only.").adminAbout("Of an email; may use `{{variable}}`.");
    private static final Field TITLE = heading("title").of("channel", "push")
            .about("Of a push message; with 'push' only.").adminAbout("Of a push message.");
    private static final Field BODY = Field.fullText("body", MAX_EMAIL_LENGTH)
            .atMostWith("channel", "push", MAX_PUSH_LENGTH).must(TemplateSyntax::problemWith)
            .onlyWith("channel", "email", "push").required()
            .about("The text: at most 50000 characters of an email, 2000 of a push message.")
            .adminAbout(
                    "May use `{{variable}}`, and sections: `{{#variable}}…{{/variable}}` for what is there, once for each "
                            + "entry of a list; `{{^variable}}…{{/variable}}` for what is not. What is missing is empty. That of an "
                            + "email is HTML if it begins with a tag, and text otherwise.");

    /** docs/admin-api.md B4. */
    public static final Kind<Template> KIND = Kind.of("template", Template.class, SharedFields.name(),
            Field.word("type", NotificationType.class).required().about("What it tells of."),
            Field.word("channel", NotificationChannel.class).required().about("How it is sent."),
            Field.either("status", "active", "inactive").as("active").defaultsTo("active").atCreation("inactive")
                    .about("Whether it is used.")
                    .adminAbout("At most one active per type and channel, unless their filters differ."),
            SUBJECT.as("text.heading"), TITLE.as("text.heading"), BODY.as("text.body"), SharedFields.userAttributes(),
            Field.parts("variations", Kind.of("text", Text.class, SUBJECT, TITLE, BODY), MAX_VARIATIONS)
                    .of("channel", "email", "push").defaultsTo(List.of()).clearable()
                    .about("Other texts of which one can take the place of this one."))
            .identified(Keys.ID)
            .about("What users are written. The texts may have variables such as {{user.name}}, and sections such as "
                    + "{{#user.name}}...{{/user.name}}. No two active templates of one type and channel have the same "
                    + "userAttributes.")
            .requiredAtCreation("type", "channel", "name")
            .shown("id", "name", "key", "type", "channel", "subject", "title", "body", "status", "userAttributes",
                    "variations", "created", "updated");

    private static Field heading(String name) {
        return Field.fullText(name, 255).must(SharedFields::lineProblem).must(TemplateSyntax::problemWith).required()
                .as("heading").schema(Map.of("pattern", "^[^\\u0000-\\u001F\\u007F-\\u009F]*"
                        + "[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"));
    }

    /** The message stands at both templates, so that an edit of either one shows it. */
    static void alone(IssueList issues, String path, Draft templates) {
        var active = new HashMap<List<Object>, String>();
        templates.values().forEach((key, value) -> {
            Draft template = value instanceof Draft draft ? draft : Draft.EMPTY;
            boolean isSlot = isWord("type", template) && isWord("channel", template)
                    && template.values().getOrDefault("status", "active").equals("active");
            String at = path + "/" + IssueList.escaped(key);
            String other = isSlot
                    ? active.putIfAbsent(List.of(template.text("type"), template.text("channel"),
                            template.part("userAttributes")), at)
                    : null;
            if (other != null) {
                notAlone(issues, at, other, template);
                notAlone(issues, other, at, template);
            }
        });
    }

    private static boolean isWord(String field, Draft template) {
        return template.has(field) && KIND.field(field).type() instanceof Type.Words words
                && words.words().contains(template.text(field));
    }

    private static void notAlone(IssueList issues, String path, String other, Draft template) {
        issues.add(path + "/status", "must be inactive while the template '"
                + other.substring(other.lastIndexOf('/') + 1) + "' is active: both are of type "
                + template.text("type") + " and channel " + template.text("channel")
                + " and have the same userAttributes");
    }

    /**
     * May hold {@code {{variable}}}.
     *
     * @param heading the subject of an email, the title of a push message
     */
    public record Text(String heading, String body) {}

    public Template {
        userAttributes = List.copyOf(userAttributes);
        variations = List.copyOf(variations);
    }
}
