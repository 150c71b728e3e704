package dev.laurel.delivery.message;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.command.LocalFiles;
import dev.laurel.platform.link.EmailLinkPage;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.template.TextTemplate;
import dev.laurel.schemas.template.TextTemplate.Markup;
import dev.laurel.schemas.template.TextTemplate.UnrenderableException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Renders templates for one user (docs/admin-api.md B4), for messages and previews. Pure; thread-safe. */
public final class MessageRenderer {

    static final int MAX_HEADING = 255;

    /** Mail clients cut off larger emails. */
    static final int MAX_EMAIL = 100_000;

    /** The push services accept 4 KiB in all. */
    static final int MAX_PUSH = 2_000;

    private static final int MAX_PUSH_WORK = 20_000;

    /** Line breaks and other control characters. */
    private static final Pattern NO_LINE = Pattern.compile("[\\p{Cntrl}\\s\u0080-\u009f\u2028\u2029]+");

    private MessageRenderer() {}

    /**
     * @param values see {@link MessageSender.OutgoingMessage}
     * @param unsubscribeUrl target of the link at the end of an email; null: no link
     */
    public static Rendered of(
            NotificationChannel channel,
            Template.Text text,
            Map<String, Object> values,
            Notifications.Sender sender,
            Settings.Branding branding,
            @Nullable String unsubscribeUrl) {
        try {
            return switch (channel) {
                case EMAIL -> email(text, values, new EmailFrame(sender, branding, unsubscribeUrl));
                case PUSH ->
                    new Rendered.Push(
                            heading(text, values),
                            shortened(
                                    TextTemplate.plain(text.body(), values, MAX_PUSH_WORK)
                                            .strip(),
                                    MAX_PUSH));
            };
        } catch (UnrenderableException e) {
            return new Rendered.Refused(String.valueOf(e.getMessage()));
        }
    }

    private static Rendered.Email email(Template.Text text, Map<String, Object> values, EmailFrame frame)
            throws UnrenderableException {
        String subject = heading(text, values);
        if (!HtmlBody.isHtml(text.body())) {
            String plain = TextTemplate.plain(text.body(), values, MAX_EMAIL).strip();
            return new Rendered.Email(subject, frame.around(subject, PlainBody.toHtml(plain)), frame.below(plain));
        }
        String html = TextTemplate.html(text.body(), values, MAX_EMAIL);
        return new Rendered.Email(
                subject,
                HtmlBody.isDocument(html) ? frame.inside(html) : frame.around(subject, html),
                frame.below(HtmlBody.toPlain(html)));
    }

    /** A heading of one line for any values, because it becomes a header of an email. */
    private static String heading(Template.Text text, Map<String, Object> values) throws UnrenderableException {
        String rendered = TextTemplate.plain(text.heading(), values, MAX_PUSH_WORK);
        return shortened(NO_LINE.matcher(rendered).replaceAll(" ").strip(), MAX_HEADING);
    }

    private static String shortened(String text, int maxLength) {
        return text.length() <= maxLength ? text : UnicodeText.cut(text, maxLength - 1) + "…";
    }

    /** The position of the end of the body. Values are escaped, so it is the end that the operator wrote. */
    public static int lastEndOfBody(String page) {
        String lowerCase = page.toLowerCase(Locale.ROOT);
        int body = lowerCase.lastIndexOf("</body");
        int html = lowerCase.lastIndexOf("</html");
        int end = body >= 0 ? body : html;
        return end >= 0 && lowerCase.length() == page.length() ? end : page.length();
    }

    /** A rendered message. */
    public sealed interface Rendered {

        /** @param subject one line @param html a whole document @param text the plain-text part */
        record Email(String subject, String html, String text) implements Rendered {}

        /** @param title one line */
        record Push(String title, String body) implements Rendered {}

        /** The template cannot be rendered. @param reason for the operator */
        record Refused(String reason) implements Rendered {}
    }

    /** Creates the HTML part of an email whose body is plain text. */
    static final class PlainBody {

        private static final Pattern PARAGRAPH = Pattern.compile("\n[ \t]*\n\\s*");

        /** Punctuation that ends a sentence, or closes a bracket, is not part of the URL before it. */
        private static final Pattern LINK = Pattern.compile("https?://[^\\s<>\"']*[^\\s<>\"'.,;:!?)\\]}]");

        private PlainBody() {}

        /** Keeps paragraphs and lines, turns URLs into links, and escapes the rest. */
        static String toHtml(String text) {
            var html = new StringBuilder();
            for (String paragraph : PARAGRAPH.split(text)) {
                html.append("<p style=\"margin:0 0 16px\">");
                linked(paragraph, html);
                html.append("</p>\n");
            }
            return html.toString();
        }

        private static void linked(String text, StringBuilder html) {
            Matcher link = LINK.matcher(text);
            int from = 0;
            while (link.find()) {
                html.append(lines(text.substring(from, link.start())));
                String url = TextTemplate.escaped(link.group());
                html.append("<a href=\"").append(url).append("\">").append(url).append("</a>");
                from = link.end();
            }
            html.append(lines(text.substring(from)));
        }

        private static String lines(String text) {
            return TextTemplate.escaped(text).replace("\n", "<br>\n");
        }
    }

    /** The frame around the body of an email: the operator's branding, and the link to the page of notifications. */
    static final class EmailFrame {

        private static final int MAX_LENGTH = MessageRenderer.MAX_EMAIL * 2;
        private static final String PAGE = resource("email.html");
        private static final String FOOTER = resource("email-footer.html");

        private final Map<String, @Nullable Object> branding;
        private final @Nullable String unsubscribeUrl;

        /** @param unsubscribeUrl null: no link */
        EmailFrame(Notifications.Sender sender, Settings.Branding settings, @Nullable String unsubscribeUrl) {
            this.unsubscribeUrl = unsubscribeUrl;
            this.branding = EmailLinkPage.values(settings);
            branding.putIfAbsent("appName", sender.fromName());
            branding.put("hasTitle", branding.get("appName") != null || settings.appIconUrl() != null);
            branding.put("unsubscribeUrl", unsubscribeUrl);
        }

        /** A page with this content. @param html escaped where necessary */
        String around(String title, String html) throws UnrenderableException {
            var values = new HashMap<>(branding);
            values.put("title", title);
            values.put("body", new Markup(html));
            values.put("footer", new Markup(footer()));
            return TextTemplate.html(PAGE, values, MAX_LENGTH);
        }

        /** A page of the operator, with the link at its end. */
        String inside(String page) throws UnrenderableException {
            if (unsubscribeUrl == null) {
                return page;
            }
            int end = lastEndOfBody(page);
            return page.substring(0, end) + footer() + page.substring(end);
        }

        /** A plain text with the link at its end. */
        String below(String plain) {
            return unsubscribeUrl == null
                    ? plain + "\n"
                    : plain + "\n\n-- \nChoose what you get, or unsubscribe: " + unsubscribeUrl + "\n";
        }

        private String footer() throws UnrenderableException {
            return unsubscribeUrl == null ? "" : TextTemplate.html(FOOTER, branding, MAX_LENGTH);
        }

        private static String resource(String name) {
            return new String(LocalFiles.resource(EmailFrame.class, name), UTF_8);
        }
    }
}
