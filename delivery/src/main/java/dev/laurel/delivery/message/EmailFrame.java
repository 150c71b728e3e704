package dev.laurel.delivery.message;

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
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The frame around the body of an email: the operator's branding, and the link to the page of notifications. */
final class EmailFrame {

    private static final int MAX_LENGTH = MessageRenderer.MAX_EMAIL * 2;
    private static final String PAGE = resource("email.html");
    private static final String FOOTER = resource("email-footer.html");

    private final Map<String, @Nullable Object> branding = new HashMap<>();
    private final @Nullable String unsubscribeUrl;

    /** @param unsubscribeUrl null: no link */
    EmailFrame(Notifications.Sender sender, Settings.Branding settings, @Nullable String unsubscribeUrl) {
        this.unsubscribeUrl = unsubscribeUrl;
        branding.put("appName", settings.appName() == null ? sender.fromName() : settings.appName());
        branding.put("appUrl", settings.appUrl());
        branding.put("logoUrl", settings.logoUrl());
        branding.put("appIconUrl", settings.appIconUrl());
        branding.put("hasTitle", branding.get("appName") != null || settings.appIconUrl() != null);
        branding.put("color", settings.cssColor());
        branding.put("font", settings.cssFonts());
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

    /** The position of the end of the body. Values are escaped, so it is the end that the operator wrote. */
    static int lastEndOfBody(String page) {
        String lowerCase = page.toLowerCase(Locale.ROOT);
        int body = lowerCase.lastIndexOf("</body");
        int html = lowerCase.lastIndexOf("</html");
        int end = body >= 0 ? body : html;
        return end >= 0 && lowerCase.length() == page.length() ? end : page.length();
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
        try (InputStream in = EmailFrame.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name, e);
        }
    }
}
