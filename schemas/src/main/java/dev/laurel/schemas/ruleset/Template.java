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
 * The text of a message (docs/admin-api.md B4). No two active templates of one type and channel have the same filters.
 *
 * @param number see {@link Ruleset}
 * @param userAttributes filters on users
 * @param variations alternatives to {@code text}, one of which may be chosen instead
 */
public record Template(int number, UUID id, String key, NotificationType type, NotificationChannel channel,
        String name, Text text, boolean active, List<AttributeFilter> userAttributes, List<Text> variations,
        Instant created, Instant updated) {

    private static final int MAX_VARIATIONS = 10;
    private static final int MAX_EMAIL_LENGTH = 50_000;

    /** Push services accept at most 4 KiB in total. */
    private static final int MAX_PUSH_LENGTH = 2000;

    // The subject of an email; with 'email' only.
    // API: The subject of an email; may use `{{variable}}`.
    private static final Field SUBJECT = heading("subject").of("channel", "email");
    // The title of a push message; with 'push' only.
    // API: The title of a push message.
    private static final Field TITLE = heading("title").of("channel", "push");
    // The text: at most 50000 characters for email, 2000 for push.
    // API: May use `{{variable}}` and sections: `{{#variable}}…{{/variable}}` is included if the variable has a value, once for each
    // entry of a list; `{{^variable}}…{{/variable}}` if it has none. A missing variable is empty. The body of an email is HTML if it
    // begins with a tag, otherwise plain text.
    private static final Field BODY = Field.fullText("body", MAX_EMAIL_LENGTH)
            .atMostWith("channel", "push", MAX_PUSH_LENGTH).must(TemplateSyntax::problemWith)
            .onlyWith("channel", "email", "push").required();

    /**
     * The text of a message. It may contain variables such as {{user.name}} and sections such as {{#user.name}}...{{/user.name}}. No two
     * active templates of one type and channel may have the same userAttributes (docs/admin-api.md B4).
     */
    public static final Kind<Template> KIND = Kind.of("template", Template.class, SharedFields.name(),
            // The type of message.
            Field.word("type", NotificationType.class).required(),
            // The channel of the message.
            Field.word("channel", NotificationChannel.class).required(),
            // Whether the template is used.
            // API: Active templates of one type and channel must have different filters.
            Field.either("status", "active", "inactive").as("active").defaultsTo("active").atCreation("inactive"),
            SUBJECT.as("text.heading"), TITLE.as("text.heading"), BODY.as("text.body"), SharedFields.userAttributes(),
            // Alternative texts, one of which may be chosen instead.
            Field.parts("variations", Kind.of("text", Text.class, SUBJECT, TITLE, BODY), MAX_VARIATIONS)
                    .of("channel", "email", "push").defaultsTo(List.of()).clearable())
            .identified(Keys.ID)
            .requiredAtCreation("type", "channel", "name")
            .shown("id", "name", "key", "type", "channel", "subject", "title", "body", "status", "userAttributes",
                    "variations", "created", "updated");

    private static Field heading(String name) {
        return Field.fullText(name, 255).must(SharedFields::lineProblem).must(TemplateSyntax::problemWith).required()
                .as("heading").schema(Map.of("pattern", "^[^\\u0000-\\u001F\\u007F-\\u009F]*"
                        + "[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"));
    }

    /** Reports active templates with equal filters at both templates, so that an edit of either one shows the issue. */
    public static void checkUnique(IssueList issues, String path, Draft templates) {
        var active = new HashMap<List<Object>, String>();
        templates.values().forEach((key, value) -> {
            Draft template = value instanceof Draft draft ? draft : Draft.EMPTY;
            boolean isSlot = isWord("type", template) && isWord("channel", template)
                    && (!template.has("status") || "active".equals(template.text("status")));
            String at = path + "/" + IssueList.escaped(key);
            String other = isSlot
                    ? active.putIfAbsent(List.of(template.text("type"), template.text("channel"),
                            template.part("userAttributes")), at)
                    : null;
            if (other != null) {
                addConflict(issues, at, other, template);
                addConflict(issues, other, at, template);
            }
        });
    }

    private static boolean isWord(String field, Draft template) {
        String word = template.text(field);
        return word != null && KIND.typeAt(List.of(field)) instanceof Type.Words words && words.words().contains(word);
    }

    private static void addConflict(IssueList issues, String path, String other, Draft template) {
        issues.add(path + "/status", "must be inactive while the template '"
                + other.substring(other.lastIndexOf('/') + 1) + "' is active: both are of type "
                + template.text("type") + " and channel " + template.text("channel")
                + " and have the same userAttributes");
    }

    /**
     * A text, which may contain {@code {{variable}}}.
     *
     * @param heading subject of an email or title of a push message
     */
    public record Text(String heading, String body) {}

    public Template {
        userAttributes = List.copyOf(userAttributes);
        variations = List.copyOf(variations);
    }
}
