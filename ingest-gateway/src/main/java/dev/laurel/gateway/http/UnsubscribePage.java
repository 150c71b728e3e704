package dev.laurel.gateway.http;

import dev.laurel.platform.http.HttpServer;
import dev.laurel.schemas.ruleset.Settings.Branding;
import dev.laurel.schemas.template.TextTemplate.UnrenderableException;
import dev.laurel.schemas.template.TextTemplate;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The pages of {@link UnsubscribeRoutes}, with the operator's branding. They do not name the user and contain no scripts. Other sites
 * do not receive the URL, because it authorizes to unsubscribe.
 */
enum UnsubscribePage {

    /** Asks for confirmation. */
    ASK("Unsubscribe?", "You will get no more emails", true),
    /** The user is unsubscribed. */
    DONE("You are unsubscribed", "You will get no more emails", false),
    /** The change cannot be stored now. */
    LATER("Please try again", "It could not be stored just now: nothing has changed.", true),
    /** The token belongs to no user. */
    UNKNOWN("This link does not work", "It may have been cut off in the email: please copy all of it.", false);

    private static final int MAX_LENGTH = 20_000;
    private static final String PAGE = resource();

    /** Allows only the operator's logo and icon from other sites. */
    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src http: https:; "
            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final String title;
    private final String words;
    private final boolean hasButton;

    UnsubscribePage(String title, String words, boolean hasButton) {
        this.title = title;
        this.words = words;
        this.hasButton = hasButton;
    }

    void show(Context context, int status, Branding branding) {
        var values = new HashMap<String, Object>();
        values.put("title", title);
        values.put("words", words);
        values.put("hasButton", hasButton);
        values.put("isAboutApp", this == ASK || this == DONE);
        values.put("appName", branding.appName());
        values.put("appUrl", branding.appUrl());
        values.put("logoUrl", branding.logoUrl());
        values.put("appIconUrl", branding.appIconUrl());
        values.put("color", branding.cssColor());
        values.put("font", branding.cssFonts());
        hide(context);
        context.header("Content-Security-Policy", POLICY);
        try {
            HttpServer.answerPage(context, status, TextTemplate.html(PAGE, values, MAX_LENGTH).getBytes(UTF_8));
        } catch (UnrenderableException e) {
            throw new IllegalStateException("the page cannot be rendered", e);
        }
    }

    /** Keeps an address with a token out of caches, search engines and the requests that follow. */
    static void hide(Context context) {
        context.header("Referrer-Policy", "no-referrer").header("Cache-Control", "no-store")
                .header("X-Content-Type-Options", "nosniff").header("X-Robots-Tag", "noindex");
    }

    private static String resource() {
        try (InputStream in = UnsubscribePage.class.getResourceAsStream("unsubscribe.html")) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the page", e);
        }
    }
}
