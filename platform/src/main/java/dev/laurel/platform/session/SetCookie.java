package dev.laurel.platform.session;

import dev.laurel.platform.http.Sessions;
import io.javalin.http.Context;
import java.time.Duration;

/** Writes the cookies of sign-in. No script can read them, and under TLS they never travel without it. */
final class SetCookie {

    private SetCookie() {}

    /** Other sites cannot send it, not even by a link. */
    static void session(Context context, String value) {
        add(context, Sessions.COOKIE, value, SignedSessions.LIFE, "Strict");
    }

    static void noSession(Context context) {
        add(context, Sessions.COOKIE, "", Duration.ZERO, "Strict");
    }

    /** Is sent when the provider sends the browser back by a link. */
    static void signIn(Context context, String value) {
        add(context, OidcRoutes.COOKIE, value, OidcRoutes.LIFE, "Lax");
    }

    static void noSignIn(Context context) {
        add(context, OidcRoutes.COOKIE, "", Duration.ZERO, "Lax");
    }

    private static void add(Context context, String name, String value, Duration life, String sameSite) {
        // A proxy that terminates TLS says so. A client that says it of itself only gets a stricter cookie.
        boolean isSecure = context.req().isSecure() || "https".equalsIgnoreCase(context.header("X-Forwarded-Proto"));
        context.res().addHeader("Set-Cookie", name + "=" + value + "; Path=/; Max-Age=" + life.toSeconds()
                + "; HttpOnly; SameSite=" + sameSite + (isSecure ? "; Secure" : ""));
    }
}
