package dev.laurel.schemas.ruleset;

import static dev.laurel.schemas.kind.IssueList.quoted;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import dev.laurel.schemas.kind.Type;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of a message (docs/admin-api.md B4). No two active templates of one type and channel have the same filters.
 *
 * @param number see {@link Ruleset}
 * @param userAttributes filters on users
 * @param variations alternatives to {@code text}, one of which may be chosen instead
 */
public record Template(
        int number,
        UUID id,
        String key,
        NotificationType type,
        NotificationChannel channel,
        String name,
        Text text,
        boolean active,
        List<AttributeFilter> userAttributes,
        List<Text> variations,
        Instant created,
        Instant updated) {

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
    // API: May use `{{variable}}` and sections: `{{#variable}}…{{/variable}}` is included if the variable has a value,
    // once for each
    // entry of a list; `{{^variable}}…{{/variable}}` if it has none. A missing variable is empty. The body of an email
    // is HTML if it
    // begins with a tag, otherwise plain text.
    private static final Field BODY = Field.fullText("body", MAX_EMAIL_LENGTH)
            .atMostWith("channel", "push", MAX_PUSH_LENGTH)
            .must(TemplateSyntax::problemWith)
            .onlyWith("channel", "email", "push")
            .required();

    /**
     * The text of a message. It may contain variables such as {{user.name}} and sections such as {{#user.name}}...{{/user.name}}. No two
     * active templates of one type and channel may have the same userAttributes (docs/admin-api.md B4).
     */
    public static final Kind<Template> KIND = Kind.of(
                    "template",
                    Template.class,
                    SharedFields.name(),
                    // The type of message.
                    Field.word("type", NotificationType.class).required(),
                    // The channel of the message.
                    Field.word("channel", NotificationChannel.class).required(),
                    // Whether the template is used.
                    // API: Active templates of one type and channel must have different filters.
                    Field.either("status", "active", "inactive")
                            .as("active")
                            .defaultsTo("active")
                            .atCreation("inactive"),
                    SUBJECT.as("text.heading"),
                    TITLE.as("text.heading"),
                    BODY.as("text.body"),
                    SharedFields.userAttributes(),
                    // Alternative texts, one of which may be chosen instead.
                    Field.parts("variations", Kind.of("text", Text.class, SUBJECT, TITLE, BODY), MAX_VARIATIONS)
                            .of("channel", "email", "push")
                            .defaultsTo(List.of())
                            .clearable())
            .identified(Keys.ID)
            .requiredAtCreation("type", "channel", "name")
            .shown(
                    "id",
                    "name",
                    "key",
                    "type",
                    "channel",
                    "subject",
                    "title",
                    "body",
                    "status",
                    "userAttributes",
                    "variations",
                    "created",
                    "updated");

    private static Field heading(String name) {
        return Field.fullText(name, 255)
                .must(SharedFields::lineProblem)
                .must(TemplateSyntax::problemWith)
                .required()
                .as("heading")
                .schema(Map.of(
                        "pattern",
                        "^[^\\u0000-\\u001F\\u007F-\\u009F]*"
                                + "[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$"));
    }

    /** Reports active templates with equal filters at both templates, so that an edit of either one shows the issue. */
    public static void checkUnique(IssueList issues, String path, FieldMap templates) {
        var active = new HashMap<List<Object>, String>();
        templates.values().forEach((key, value) -> {
            FieldMap template = value instanceof FieldMap draft ? draft : FieldMap.EMPTY;
            boolean isSlot = isWord("type", template)
                    && isWord("channel", template)
                    && (!template.has("status") || "active".equals(template.text("status")));
            String at = path + "/" + IssueList.escaped(key);
            String other = isSlot
                    ? active.putIfAbsent(
                            List.of(template.text("type"), template.text("channel"), template.part("userAttributes")),
                            at)
                    : null;
            if (other != null) {
                addConflict(issues, at, other, template);
                addConflict(issues, other, at, template);
            }
        });
    }

    private static boolean isWord(String field, FieldMap template) {
        String word = template.text(field);
        return word != null
                && KIND.typeAt(List.of(field)) instanceof Type.Words words
                && words.words().contains(word);
    }

    private static void addConflict(IssueList issues, String path, String other, FieldMap template) {
        issues.add(
                path + "/status",
                "must be inactive while the template '"
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

    /**
     * The syntax of templates, a subset of Mustache: variables such as {@code {{user.name}}}, and sections.
     * {@code {{#user.name}}...{{/user.name}}} is included if the variable has a value, once for each entry of a list, in which
     * {@code {{.}}} is the entry; {@code {{^user.name}}...{{/user.name}}} is included if it has none. There are no unescaped
     * variables and no partials.
     */
    public static final class TemplateSyntax {

        /** The maximum nesting depth of sections. */
        static final int MAX_DEPTH = 4;

        private static final String OPENING = "{{";
        private static final String NAME = "[A-Za-z][A-Za-z0-9_-]{0,254}(?:\\.[A-Za-z0-9_-]{1,255}){0,5}";
        private static final Pattern TAG = Pattern.compile(
                "\\{\\{ *(?:(?<kind>[#^/]) *(?<section>" + NAME + ")|(?<value>" + NAME + "|\\.)) *\\}\\}");

        private TemplateSyntax() {}

        /**
         * The first problem, worded for the author; null if there is none. Only {@code {{} is special, because style sheets in
         * emails contain many {@code }}}.
         */
        public static @Nullable String problemWith(String text) {
            Deque<String> open = new ArrayDeque<>();
            Matcher tag = TAG.matcher(text);
            int at = text.indexOf(OPENING);
            while (at >= 0) {
                if (!tag.region(at, text.length()).lookingAt()) {
                    return "must have a variable such as {{user.name}} wherever it has {{; has "
                            + quoted(text.substring(at));
                }
                String problem = tag.group("kind") == null ? null : nest(tag.group("kind"), tag.group("section"), open);
                if (problem != null) {
                    return problem;
                }
                at = text.indexOf(OPENING, tag.end());
            }
            return open.isEmpty() ? null : "must end the section {{#" + open.peek() + "}} by {{/" + open.peek() + "}}";
        }

        /** A variable, or the beginning or end of a section. @param kind {@code #}, {@code ^} or {@code /} of a section, else empty */
        public record Tag(String kind, String name) {}

        /** The tags of a text of valid syntax, in order. */
        public static List<Tag> tags(String text) {
            var tags = new ArrayList<Tag>();
            Matcher tag = TAG.matcher(text);
            while (tag.find()) {
                tags.add(
                        tag.group("kind") == null
                                ? new Tag("", Objects.requireNonNull(tag.group("value")))
                                : new Tag(tag.group("kind"), Objects.requireNonNull(tag.group("section"))));
            }
            return tags;
        }

        /** Enters or leaves a section. @return the problem; null if there is none */
        private static @Nullable String nest(String kind, String name, Deque<String> open) {
            if (!kind.equals("/")) {
                open.push(name);
                return open.size() > MAX_DEPTH ? "must have at most " + MAX_DEPTH + " sections in one another" : null;
            }
            if (open.isEmpty()) {
                return "must not have {{/" + name + "}}, which ends no section";
            }
            String innermost = open.pop();
            return innermost.equals(name)
                    ? null
                    : "must end the section {{#" + innermost + "}} before it ends {{#" + name + "}}";
        }
    }
}
