package dev.laurel.processors.delivery.message;

import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.key.UnicodeText;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.template.TextTemplate;
import dev.laurel.schemas.template.UnrenderableException;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a template says to one user (admin-api.md B4). Pure: the same of the same, without clock or network; thread-safe. Used
 * for what is sent and for what is only looked at.
 */
public final class Rendering {

    static final int MAX_HEADING = 255;

    /** Larger emails are cut by those who show them. */
    static final int MAX_EMAIL = 100_000;

    /** The services take 4 KiB, all in all. */
    static final int MAX_PUSH = 2_000;

    private static final int MAX_PUSH_WORK = 20_000;

    /** Everything that breaks a line or does something else than to be read. */
    private static final Pattern NO_LINE = Pattern.compile("[\\p{Cntrl}\\s\u0085\u2028\u2029]+");

    private Rendering() {}

    /**
     * @param facts see {@link OutMessage}
     * @param unsubscribeUrl where the link at the end of an email leads; null: there is none
     */
    public static Rendered of(NotificationChannel channel, Template.Text text, Map<String, Object> facts,
            Notifications.Sender sender, Settings.Branding branding, String unsubscribeUrl) {
        try {
            return switch (channel) {
                case EMAIL -> email(text, facts, new EmailFrame(sender, branding, unsubscribeUrl));
                case PUSH -> new Rendered.Push(heading(text, facts),
                        shortened(TextTemplate.plain(text.body(), facts, MAX_PUSH_WORK).strip(), MAX_PUSH));
            };
        } catch (UnrenderableException e) {
            return new Rendered.Refused(e.getMessage());
        }
    }

    private static Rendered.Email email(Template.Text text, Map<String, Object> facts, EmailFrame frame)
            throws UnrenderableException {
        String subject = heading(text, facts);
        if (!HtmlBody.isHtml(text.body())) {
            String plain = TextTemplate.plain(text.body(), facts, MAX_EMAIL).strip();
            return new Rendered.Email(subject, frame.around(subject, PlainBody.toHtml(plain)), frame.below(plain));
        }
        String html = TextTemplate.html(text.body(), facts, MAX_EMAIL);
        return new Rendered.Email(subject,
                HtmlBody.isDocument(html) ? frame.inside(html) : frame.around(subject, html),
                frame.below(HtmlBody.toPlain(html)));
    }

    /** One line whatever the values have in them: it becomes the header of an email. */
    private static String heading(Template.Text text, Map<String, Object> facts) throws UnrenderableException {
        String rendered = TextTemplate.plain(text.heading(), facts, MAX_PUSH_WORK);
        return shortened(NO_LINE.matcher(rendered).replaceAll(" ").strip(), MAX_HEADING);
    }

    private static String shortened(String text, int maxLength) {
        return text.length() <= maxLength ? text : UnicodeText.cut(text, maxLength - 1) + "…";
    }
}
