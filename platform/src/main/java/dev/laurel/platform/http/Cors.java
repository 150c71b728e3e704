package dev.laurel.platform.http;

import io.javalin.http.Context;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Allows web pages of any origin to call the application API, so that application keys work in browsers
 * (docs/application-api.md §1). The admin API has no CORS headers, because admin keys do not belong in browsers. Without
 * the header for credentials, browsers show other origins no answer to a request with a session cookie, so CORS grants
 * nothing beyond what the key grants.
 */
final class Cors {

    static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";

    private static final byte[] EMPTY = "{}".getBytes(US_ASCII);
    private static final String METHODS = "GET, POST, PUT, PATCH";

    /** The allowed headers by name, since old browsers do not support {@code *}. */
    private static final String HEADERS = "X-API-KEY, Content-Type, Idempotency-Key, Tenant-ID, X-Request-Id, X-SDK-VERSION, "
            + "X-Fern-Language, X-Fern-SDK-Name, X-Fern-SDK-Version, X-Fern-Runtime, X-Fern-Runtime-Version, *";

    /** The headers of answers that pages may read, besides those that browsers always expose. */
    private static final String EXPOSED = String.join(", ", HttpServer.REQUEST_ID, HttpServer.RETRY_AFTER,
            HttpServer.RATE_LIMIT_RESET, PeerCalls.STALE, KnownNames.HEADER);
    private static final String DAY_S = "86400";

    private Cors() {}

    /** Whether browsers may call this path. */
    static boolean isFor(String path) {
        return path.startsWith("/v1/") || path.startsWith("/api/");
    }

    /** Adds the CORS headers. Must be called before any check, so that browsers can read errors, too. */
    static void allow(Context context) {
        context.header(ALLOW_ORIGIN, "*").header("Access-Control-Expose-Headers", EXPOSED);
    }

    /** Whether the request is a preflight, which browsers send without the key. */
    static boolean isPreflight(Context context) {
        return context.req().getMethod().equals("OPTIONS")
                && context.header("Access-Control-Request-Method") != null;
    }

    /** Answers 200 with an empty object: every response has a JSON body. */
    static void answerPreflight(Context context) {
        context.header("Access-Control-Allow-Methods", METHODS).header("Access-Control-Allow-Headers", HEADERS)
                .header("Access-Control-Max-Age", DAY_S);
        HttpServer.answer(context, 200, EMPTY);
    }
}
