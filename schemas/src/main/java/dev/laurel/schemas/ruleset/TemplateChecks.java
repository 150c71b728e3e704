package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.ruleset.RulesetSource.TemplateSource;
import dev.laurel.schemas.ruleset.RulesetSource.TextSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static dev.laurel.schemas.ruleset.IssueList.quoted;

/** Templates of messages: admin-api.md B4. */
final class TemplateChecks {

    static final int MAX_TEMPLATES = 500;
    static final int MAX_VARIATIONS = 10;
    static final int MAX_HEADING_LENGTH = 255;
    static final int MAX_EMAIL_LENGTH = 50_000;

    /** The services that carry push messages take 4 KiB, all in all. */
    static final int MAX_PUSH_LENGTH = 2000;

    private static final Pattern VARIABLE = Pattern
            .compile("\\{\\{ *[A-Za-z][A-Za-z0-9_-]{0,254}(?:\\.[A-Za-z0-9_-]{1,255}){0,5} *\\}\\}");
    private static final String OPENING = "{{";

    /** What no two active templates have in common. */
    private record Slot(String type, String channel, Map<String, String> userAttributes) {}

    private final SourceChecks checks;
    private final IssueList issues;
    private final Map<Slot, String> active = new HashMap<>();

    TemplateChecks(SourceChecks checks, IssueList issues) {
        this.checks = checks;
        this.issues = issues;
    }

    void check(Map<String, TemplateSource> templates) {
        checks.entries("/notifications/templates", templates, MAX_TEMPLATES, this::template);
    }

    private void template(String path, TemplateSource template) {
        checks.id(path, template.id());
        checks.name(path, template.name());
        boolean isTyped = issues.required(path + "/type", template.type())
                && issues.oneOf(path + "/type", template.type(), NotificationChecks.words(NotificationType.values()));
        boolean isStatus = issues.oneOf(path + "/status", template.status(), "active", "inactive");
        checks.filters(path + "/userAttributes", template.userAttributes(), AttributeType.USER);
        if (issues.required(path + "/channel", template.channel()) && issues.oneOf(path + "/channel",
                template.channel(), NotificationChecks.words(NotificationChannel.values()))) {
            texts(path, template);
            if (isTyped && isStatus && !"inactive".equals(template.status())) {
                alone(path, template);
            }
        }
    }

    private void texts(String path, TemplateSource template) {
        boolean isEmail = template.channel().equals("email");
        text(path, isEmail, new TextSource(template.subject(), template.title(), template.body()));
        List<TextSource> variations = template.variations();
        if (variations == null) {
            return;
        }
        issues.expect(variations.size() <= MAX_VARIATIONS, path + "/variations",
                "must have at most " + MAX_VARIATIONS + " entries");
        for (int i = 0; i < variations.size(); i++) {
            String at = path + "/variations/" + i;
            if (issues.required(at, variations.get(i))) {
                text(at, isEmail, variations.get(i));
            }
        }
    }

    private void text(String path, boolean isEmail, TextSource text) {
        String field = isEmail ? "subject" : "title";
        String foreign = isEmail ? "title" : "subject";
        String heading = isEmail ? text.subject() : text.title();
        issues.expect((isEmail ? text.title() : text.subject()) == null, path + "/" + foreign, "belongs to channel "
                + (isEmail ? "push" : "email") + ", not to channel " + (isEmail ? "email" : "push"));
        checks.requiredText(path + "/" + field, heading, MAX_HEADING_LENGTH);
        checks.oneLine(path + "/" + field, heading);
        variables(path + "/" + field, heading);
        checks.requiredText(path + "/body", text.body(), isEmail ? MAX_EMAIL_LENGTH : MAX_PUSH_LENGTH);
        variables(path + "/body", text.body());
    }

    /** Only {@code {{} is special: style sheets in emails are full of {@code }}}. The first that is wrong is enough. */
    private void variables(String path, String text) {
        if (text == null) {
            return;
        }
        Matcher variable = VARIABLE.matcher(text);
        int at = text.indexOf(OPENING);
        while (at >= 0) {
            if (!variable.region(at, text.length()).lookingAt()) {
                issues.add(path, "must have a variable such as {{user.name}} wherever it has {{; has "
                        + quoted(text.substring(at)));
                return;
            }
            at = text.indexOf(OPENING, variable.end());
        }
    }

    /** Said at both, so that whoever edits either hears it. */
    private void alone(String path, TemplateSource template) {
        String other = active.putIfAbsent(
                new Slot(template.type(), template.channel(), template.userAttributes()), path);
        if (other != null) {
            notAlone(path, other, template);
            notAlone(other, path, template);
        }
    }

    private void notAlone(String path, String other, TemplateSource template) {
        issues.add(path + "/status", "must be inactive while the template '"
                + other.substring(other.lastIndexOf('/') + 1) + "' is active: both are of type "
                + template.type() + " and channel " + template.channel() + " and have the same userAttributes");
    }
}
