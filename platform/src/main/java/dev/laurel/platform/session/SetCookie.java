package dev.laurel.platform.session;

import dev.laurel.platform.http.Sessions;
import dev.laurel.platform.session.SignedSessions.Started;
import dev.laurel.schemas.access.Actor;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the cookies of sign-in. No script can read them, under TLS they never travel without it, and no answer that has one is stored.
 */
final class SetCookie {

    /** Cookie of a sign-in at a provider that has begun, and the time for it. */
    static final String SIGN_IN = "laurel_sign_in";

    static final Duration SIGN_IN_LIFE = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(SetCookie.class);

    private SetCookie() {}

    /** Gives the browser a session. Other sites cannot send its cookie, not even by a link. @param means of the sign-in, for the log */
    static Actor session(Context context, Started started, String means) {
        Actor actor = actorOf(started.session());
        add(context, Sessions.COOKIE, started.cookie(), SignedSessions.LIFE, "Strict");
        LOG.info(
                "{} signed in with {}, as {}{}",
                loggable(actor.name()),
                means,
                actor.role().word(),
                actor.tenant() == null ? "" : " of tenant " + loggable(actor.tenant()));
        return actor;
    }

    static Actor actorOf(Sessions.Session session) {
        return Objects.requireNonNull(session.grant().actor(), "application keys have no sessions");
    }

    static void noSession(Context context) {
        add(context, Sessions.COOKIE, "", Duration.ZERO, "Strict");
    }

    /** Is sent when the provider sends the browser back by a link. */
    static void signIn(Context context, String value) {
        add(context, SIGN_IN, value, SIGN_IN_LIFE, "Lax");
    }

    static void noSignIn(Context context) {
        add(context, SIGN_IN, "", Duration.ZERO, "Lax");
    }

    private static void add(Context context, String name, String value, Duration life, String sameSite) {
        // A proxy that terminates TLS says so. A client that says it of itself only gets a stricter cookie.
        boolean isSecure = context.req().isSecure() || "https".equalsIgnoreCase(context.header("X-Forwarded-Proto"));
        context.res()
                .addHeader(
                        "Set-Cookie",
                        name + "=" + value + "; Path=/; Max-Age=" + life.toSeconds() + "; HttpOnly; SameSite="
                                + sameSite + (isSecure ? "; Secure" : ""));
        noStore(context);
    }

    static void noStore(Context context) {
        context.header("Cache-Control", "no-store");
    }

    /** The text without what could add a line to the log. */
    static String loggable(String text) {
        return text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]", "_");
    }
}
