package dev.laurel.platform.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.laurel.platform.access.ApiKeys;
import dev.laurel.platform.http.HttpSettings.RequestLimits;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.MDC;

/**
 * Prepares and checks each request before its route runs: request id, CORS, API key, permissions, rate limit and body
 * size. Thread-safe.
 *
 * @param keys checks the key of every request, except on public paths
 */
record RequestFilter(ApiKeys keys, HttpSettings settings) {

    static final String ALLOW_ORIGIN = "Access-Control-Allow-Origin";

    private static final int MAX_REQUEST_ID_LENGTH = 128;

    /** Paths of the requests in {@link RequestLimits.Tier#WRITE}. */
    private static final Pattern WRITES =
            Pattern.compile("/(v1|api)/(metrics/[^/]+/event|achievements/[^/]+/complete)/?|/admin/v1/metrics/events/?");

    /** @throws HttpRefusal if the request must not reach its route */
    void check(Context context) throws IOException {
        String given = context.header(AccessLog.REQUEST_ID);
        String id = given != null
                        && given.length() <= MAX_REQUEST_ID_LENGTH
                        && given.chars().allMatch(c -> c > ' ' && c < 127)
                ? given
                : UUID.randomUUID().toString();
        context.header(AccessLog.REQUEST_ID, id);
        MDC.put(AccessLog.REQUEST_ID_IN_LOG, id);
        if (Cors.isFor(context.path())) {
            Cors.allow(context);
            if (Cors.isPreflight(context)) {
                Cors.answerPreflight(context);
                context.skipRemainingHandlers();
                return;
            }
        }
        if (RequiredRole.isPublic(context.req().getMethod(), context.path())) {
            BodyLimits.check(context);
            return;
        }
        boolean isFromPeer = PeerCalls.isFromPeer(context, settings.peerKey());
        if (context.path().startsWith(PeerCalls.PATH)) {
            return;
        }
        Caller caller = callerOf(context);
        if (RequiredRole.isAdmin(context.path())) {
            caller.expectAdmin();
        }
        if (!RequiredRole.isAdmin(context.path()) || caller.isBound()) {
            caller.tenant();
        }
        caller.putOn(context);
        if (caller.hasTenant() && !isFromPeer) { // the peer has already counted the request
            limit(context, caller);
        }
        BodyLimits.check(context);
        RequestParameters.checkQuery(context);
    }

    /** A key has precedence over a session. */
    private Caller callerOf(Context context) {
        String key = RequestParameters.header(context, "X-API-KEY");
        Sessions.Session session = null;
        ApiKeys.Grant grant;
        if (key == null || key.isEmpty()) {
            session = settings.sessions().expectSession(context);
            grant = session.grant();
        } else {
            grant = keys.grantOf(key, PeerCalls.tenantOf(context));
            if (grant == null) {
                throw new HttpRefusal(401, "The API key is not valid.");
            }
        }
        AccessLog.setKeyPrefix(context, grant.prefix());
        return new Caller(grant, session, settings.limits());
    }

    private void limit(Context context, Caller caller) {
        int retryAfterS = settings.limits().retryAfterS(caller.tenant(), tierOf(context));
        if (retryAfterS > 0) {
            throw HttpRefusal.tooMany("Too many requests in this second. Nothing was stored; try again.", retryAfterS);
        }
    }

    private static RequestLimits.Tier tierOf(Context context) {
        String path = context.path();
        boolean isWrite =
                context.req().getMethod().equals("POST") && WRITES.matcher(path).matches();
        return isWrite ? RequestLimits.Tier.WRITE : RequestLimits.Tier.OTHER;
    }

    /**
     * Allows web pages of any origin to call the application API, so that application keys work in browsers
     * (docs/application-api.md §1). The admin API has no CORS headers, because admin keys do not belong in browsers. Without
     * the header for credentials, browsers show other origins no answer to a request with a session cookie, so CORS grants
     * nothing beyond what the key grants.
     */
    private static final class Cors {

        private static final byte[] EMPTY = "{}".getBytes(US_ASCII);
        private static final String METHODS = "GET, POST, PUT, PATCH";

        /** The allowed headers by name, since old browsers do not support {@code *}. */
        private static final String HEADERS =
                "X-API-KEY, Content-Type, Idempotency-Key, Tenant-ID, X-Request-Id, X-SDK-VERSION, X-Fern-Language,"
                        + " X-Fern-SDK-Name, X-Fern-SDK-Version, X-Fern-Runtime, X-Fern-Runtime-Version, *";

        /** The headers of answers that pages may read, besides those that browsers always expose. */
        private static final String EXPOSED = String.join(
                ", ",
                AccessLog.REQUEST_ID,
                Answers.RETRY_AFTER,
                Answers.RATE_LIMIT_RESET,
                PeerCalls.STALE,
                KnownNames.HEADER);

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
            context.header("Access-Control-Allow-Methods", METHODS)
                    .header("Access-Control-Allow-Headers", HEADERS)
                    .header("Access-Control-Max-Age", DAY_S);
            Answers.answer(context, 200, EMPTY);
        }
    }
}
