package dev.laurel.platform.http;

import dev.laurel.platform.access.ApiKeys;
import dev.laurel.platform.http.HttpSettings.RequestLimits;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.MDC;

/**
 * Prepares and checks each request before its route runs: request id, CORS, API key, permissions, rate limit and body
 * size. Thread-safe.
 */
final class RequestFilter {

    private static final int MAX_REQUEST_ID_LENGTH = 128;

    /** Paths of the requests in {@link RequestLimits.Tier#WRITE}. */
    private static final Pattern WRITES = Pattern
            .compile("/(v1|api)/(metrics/[^/]+/event|achievements/[^/]+/complete)/?|/admin/v1/metrics/events/?");

    /**
     * Paths that need no key: health, metrics, schemas, API documents and sign-in. {@link #isPublic} adds the web pages.
     */
    private static final Set<String> PUBLIC_PATHS = Set.of("/healthz", "/readyz", "/metrics", "/v1/schemas",
            "/v1/openapi", "/v1/openapi.yaml", "/admin/v1/openapi", "/admin/v1/openapi.yaml",
            "/admin/v1/session/providers", "/admin/v1/session/oidc", "/admin/v1/session/oidc/callback");

    /** Sign-in and sign-out, which check what they need themselves. */
    private static final Set<String> SIGN_IN = Set.of("POST /admin/v1/session", "DELETE /admin/v1/session");

    private final ApiKeys keys;
    private final HttpSettings settings;

    /** @param keys checks the key of every request, except on public paths */
    RequestFilter(ApiKeys keys, HttpSettings settings) {
        this.keys = keys;
        this.settings = settings;
    }

    /** @throws HttpRefusal if the request must not reach its route */
    void check(Context context) throws IOException {
        String given = context.header(HttpServer.REQUEST_ID);
        String id = given != null && given.length() <= MAX_REQUEST_ID_LENGTH
                && given.chars().allMatch(c -> c > ' ' && c < 127) ? given : UUID.randomUUID().toString();
        context.header(HttpServer.REQUEST_ID, id);
        MDC.put(HttpServer.REQUEST_ID_IN_LOG, id);
        if (Cors.isFor(context.path())) {
            Cors.allow(context);
            if (Cors.isPreflight(context)) {
                Cors.answerPreflight(context);
                context.skipRemainingHandlers();
                return;
            }
        }
        if (isPublic(context.req().getMethod(), context.path())) {
            BodyLimits.check(context);
            return;
        }
        boolean isFromPeer = PeerCalls.isFromPeer(context, settings.peerKey());
        if (context.path().startsWith(PeerCalls.PATH)) {
            return;
        }
        Caller caller = callerOf(context);
        if (isAdmin(context.path())) {
            caller.expectAdmin();
        }
        if (!isAdmin(context.path()) || caller.isBound()) {
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
        boolean isWrite = context.req().getMethod().equals("POST") && WRITES.matcher(path).matches();
        return isWrite ? RequestLimits.Tier.WRITE : RequestLimits.Tier.OTHER;
    }

    static boolean isAdmin(String path) {
        return path.equals("/admin") || path.startsWith("/admin/");
    }

    /** @param method of the request or of the route */
    static boolean isPublic(String method, String path) {
        return PUBLIC_PATHS.contains(withoutSlash(path)) || SIGN_IN.contains(method + " " + withoutSlash(path))
                || path.startsWith("/v1/schemas/")
                || path.startsWith("/unsubscribe/") || path.startsWith("/m/") || path.equals("/console")
                || path.startsWith("/console/") || path.equals("/elements") || path.startsWith("/elements/");
    }

    /** Removes a trailing slash, which does not change the route. */
    static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
