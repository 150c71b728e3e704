package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.ruleset.RulesetSource.TemplateSource;
import dev.laurel.schemas.ruleset.RulesetSource.TextSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Templates of messages: admin-api.md B4. */
final class TemplateChecks {

    static final int MAX_TEMPLATES = 500;
    static final int MAX_VARIATIONS = 10;
    static final int MAX_HEADING_LENGTH = 255;
    static final int MAX_EMAIL_LENGTH = 50_000;

    /** The services that carry push messages take 4 KiB, all in all. */
    static final int MAX_PUSH_LENGTH = 2000;

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
        syntax(path + "/" + field, heading);
        checks.requiredText(path + "/body", text.body(), isEmail ? MAX_EMAIL_LENGTH : MAX_PUSH_LENGTH);
        syntax(path + "/body", text.body());
    }

    /** The first that is wrong is enough. */
    private void syntax(String path, String text) {
        String problem = text == null ? null : TemplateSyntax.problemWith(text);
        issues.expect(problem == null, path, problem);
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
