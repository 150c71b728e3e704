package dev.laurel.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.access.ApiKeys;
import io.javalin.http.Context;
import jakarta.servlet.http.Cookie;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks session cookies (docs/operations/security.md, Sessions). Thread-safe. */
public interface Sessions {

    /** Accepts no cookie. */
    Sessions NONE = (_, _) -> null;

    /** Name of the cookie. */
    String COOKIE = "laurel_session";

    /** Header that each change by a session must have. */
    String CSRF_TOKEN = "X-CSRF-Token";

    /** Sites of a request that a page of this server made, or a person by hand. */
    Set<String> OWN_SITES = Set.of("same-origin", "none");

    /**
     * A valid session at one request.
     *
     * @param grant permission of the request
     * @param csrfToken required value of {@link #CSRF_TOKEN}
     */
    record Session(ApiKeys.Grant grant, String csrfToken, Instant expires) {}

    /**
     * The session of this cookie; null if the cookie is not valid, or not any more.
     *
     * @param customerId the tenant that the request names; null or empty if it names none
     */
    @Nullable
    Session sessionOf(String cookie, @Nullable String customerId);

    /**
     * The session of a request.
     *
     * @throws HttpRefusal 401 if the request has no valid session; 403 if it comes from a page of another origin, or is a change without
     *         the CSRF token
     */
    default Session expectSession(Context context) {
        List<String> cookies = cookiesOf(context, COOKIE);
        if (cookies.isEmpty()) {
            throw new HttpRefusal(401, "The header X-API-KEY is missing.");
        }
        // Only another site of the same domain, or another port, could have added a second one.
        Session session = cookies.size() == 1 ? sessionOf(cookies.getFirst(), PeerCalls.tenantOf(context)) : null;
        if (session == null) {
            throw new HttpRefusal(401, "The session has ended. Sign in again.");
        }
        expectOwnPage(context);
        String given = context.header(CSRF_TOKEN);
        boolean isRead = context.req().getMethod().equals("GET");
        if (!isRead
                && (given == null
                        || !MessageDigest.isEqual(session.csrfToken().getBytes(UTF_8), given.getBytes(UTF_8)))) {
            throw new HttpRefusal(
                    403,
                    "A change by a session needs the header " + CSRF_TOKEN
                            + " with the csrfToken of GET /admin/v1/session.");
        }
        return session;
    }

    /** The values of all cookies of this name in a request; browsers send one. */
    static List<String> cookiesOf(Context context, String name) {
        Cookie[] cookies = context.req().getCookies();
        return cookies == null
                ? List.of()
                : Arrays.stream(cookies)
                        .filter(cookie -> cookie.getName().equals(name))
                        .map(Cookie::getValue)
                        .toList();
    }

    /**
     * Checks what browsers say about the page that made a request. Programs say nothing.
     *
     * @throws HttpRefusal 403 if it is a page of another origin
     */
    static void expectOwnPage(Context context) {
        String site = context.header("Sec-Fetch-Site");
        String origin = context.header("Origin");
        // Old browsers, and those that came by plain HTTP, send only the origin.
        boolean isOwn = site != null ? OWN_SITES.contains(site) : origin == null || isOwn(origin, context);
        if (!isOwn) {
            throw new HttpRefusal(403, "A page of another origin cannot use a session or sign in.");
        }
    }

    /** Compares without the scheme, because a proxy may terminate TLS. */
    private static boolean isOwn(String origin, Context context) {
        String host = context.header("Host");
        try {
            URI page = new URI(origin);
            return host != null
                    && page.getRawAuthority() != null
                    && withoutDefaultPort(page.getRawAuthority()).equals(withoutDefaultPort(host));
        } catch (URISyntaxException _) {
            return false;
        }
    }

    private static String withoutDefaultPort(String authority) {
        return authority.toLowerCase(Locale.ROOT).replaceFirst(":(80|443)$", "");
    }
}
