package dev.laurel.processors.delivery.message;

import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.template.TextTemplate.Markup;
import dev.laurel.schemas.template.TextTemplate.UnrenderableException;
import dev.laurel.schemas.template.TextTemplate;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The frame around the body of an email: the operator's branding, and the link to unsubscribe. */
final class EmailFrame {

    private static final int MAX_LENGTH = MessageRenderer.MAX_EMAIL * 2;
    private static final String PAGE = resource("email.html");
    private static final String FOOTER = resource("email-footer.html");
    private static final String FONT = "Arial, Helvetica, sans-serif";
    private static final String COLOR = "#2f6f4f";

    private final Map<String, Object> looks = new HashMap<>();
    private final String unsubscribeUrl;

    EmailFrame(Notifications.Sender sender, Settings.Branding branding, String unsubscribeUrl) {
        this.unsubscribeUrl = unsubscribeUrl;
        looks.put("appName", branding.appName() == null ? sender.fromName() : branding.appName());
        looks.put("appUrl", branding.appUrl());
        looks.put("logoUrl", branding.logoUrl());
        looks.put("color", branding.brandColor() == null ? COLOR : branding.brandColor());
        looks.put("font", branding.font() == null ? FONT : branding.font() + ", " + FONT);
        looks.put("unsubscribeUrl", unsubscribeUrl);
    }

    /** A page with this content. @param html escaped where necessary */
    String around(String title, String html) throws UnrenderableException {
        var values = new HashMap<>(looks);
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

    /** Values are escaped, so the end of the page is the one that the operator wrote. */
    private static int lastEndOfBody(String page) {
        String lowerCase = page.toLowerCase(Locale.ROOT);
        int body = lowerCase.lastIndexOf("</body");
        int html = lowerCase.lastIndexOf("</html");
        int end = body >= 0 ? body : html;
        return end >= 0 && lowerCase.length() == page.length() ? end : page.length();
    }

    /** A plain text with the link at its end. */
    String below(String plain) {
        return unsubscribeUrl == null ? plain + "\n" : plain + "\n\n-- \nUnsubscribe: " + unsubscribeUrl + "\n";
    }

    private String footer() throws UnrenderableException {
        return unsubscribeUrl == null ? "" : TextTemplate.html(FOOTER, looks, MAX_LENGTH);
    }

    private static String resource(String name) {
        try (InputStream in = EmailFrame.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}
