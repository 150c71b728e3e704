package dev.laurel.schemas.http;

import io.javalin.http.Context;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Lets web pages of any origin call the application API, so that application keys work in browsers (application-api.md §1). The
 * admin API says nothing of the kind: an admin key has no business in a browser. Cookies are not used, so nothing is given
 * away that the key does not give.
 */
final class Cors {

    static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";

    private static final byte[] EMPTY = "{}".getBytes(US_ASCII);
    private static final String METHODS = "GET, POST, PUT, PATCH";

    /** Old browsers do not know the {@code *} behind the names. */
    private static final String HEADERS = "X-API-KEY, Content-Type, Idempotency-Key, Tenant-ID, X-Request-Id, X-SDK-VERSION, "
            + "X-Fern-Language, X-Fern-SDK-Name, X-Fern-SDK-Version, X-Fern-Runtime, X-Fern-Runtime-Version, *";
    private static final String DAY_S = "86400";

    private Cors() {}

    /** Whether browsers may call it. */
    static boolean isFor(String path) {
        return path.startsWith("/v1/") || path.startsWith("/api/");
    }

    /** To be called before anything can go wrong: errors must be readable, too. */
    static void allow(Context context) {
        context.header(ALLOW_ORIGIN, "*").header("Access-Control-Expose-Headers", "X-Request-Id, Retry-After");
    }

    /** A browser asks before it calls, without the key. */
    static boolean isPreflight(Context context) {
        return context.req().getMethod().equals("OPTIONS")
                && context.header("Access-Control-Request-Method") != null;
    }

    /** 200 with an empty object, since no answer of ours is empty. */
    static void answerPreflight(Context context) {
        context.header("Access-Control-Allow-Methods", METHODS).header("Access-Control-Allow-Headers", HEADERS)
                .header("Access-Control-Max-Age", DAY_S);
        HttpServer.answer(context, 200, EMPTY);
    }
}
