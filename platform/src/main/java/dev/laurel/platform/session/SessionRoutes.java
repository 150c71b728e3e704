package dev.laurel.platform.session;

import dev.laurel.platform.access.Signed;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.http.Sessions;
import dev.laurel.platform.http.Sessions.Session;
import dev.laurel.platform.session.SignedSessions.Started;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.Json;
import io.github.bucket4j.TimeMeter;
import io.javalin.http.Context;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sign-in with a key or a one-time link, sign-out, and who is signed in (docs/admin-api.md B8); with a provider, also {@link OidcRoutes}.
 * A sign-in always starts a new session, whatever the browser had before.
 */
public final class SessionRoutes implements Routes, AutoCloseable {

    static final String PATH = "/admin/v1/session";

    private static final Logger LOG = LoggerFactory.getLogger(SessionRoutes.class);

    private final SignedSessions sessions;
    private final SignInLinks links;
    private final SignInLimits limits;
    private final @Nullable OidcSettings settings;
    private final OidcRoutes oidc;

    /**
     * @param settings null: people sign in with keys and links only
     * @param clock gives the time of day
     */
    public SessionRoutes(
            SignedSessions sessions, SignInLinks links, @Nullable OidcSettings settings, InstantSource clock) {
        this.sessions = sessions;
        this.links = links;
        this.settings = settings;
        this.limits = new SignInLimits(TimeMeter.SYSTEM_NANOTIME);
        this.oidc = new OidcRoutes(settings == null ? null : new OidcProvider(settings, clock), sessions, limits);
    }

    private record SessionBody(
            String name,
            String role,
            @Nullable String tenant,
            @Nullable String csrfToken,
            @Nullable Instant expiresAt) {

        /** @param session null: the caller has a key */
        static SessionBody of(Actor actor, @Nullable Session session) {
            return new SessionBody(
                    actor.name(),
                    actor.role().word(),
                    actor.tenant(),
                    session == null ? null : session.csrfToken(),
                    session == null ? null : session.expires());
        }
    }

    private record ProvidersBody(@Nullable ProviderBody oidc) {}

    private record ProviderBody(String name, String url) {}

    @Override
    public void mount(RouteTable routes) {
        routes.post(PATH, RequiredRole.PUBLIC, this::signIn);
        routes.get(PATH, RequiredRole.VIEWER, SessionRoutes::show);
        routes.delete(PATH, RequiredRole.PUBLIC, this::signOut);
        routes.get(PATH + "/providers", RequiredRole.PUBLIC, this::listProviders);
        oidc.mount(routes);
    }

    private void signIn(Context context) throws BadInputException {
        Sessions.expectOwnPage(context);
        Map<String, Object> body = Json.readForeignObject(context.bodyAsBytes());
        Object key = body.get("key");
        Object link = body.get("link");
        if (key != null && !(key instanceof String)
                || link != null && !(link instanceof String)
                || (key == null) == (link == null)) {
            throw new HttpRefusal(422, "The body must have either key or link, a string.");
        }
        limits.begin(context.req().getRemoteAddr());
        Started started = key != null
                ? sessions.startWithKey((String) key)
                : links.use((String) Objects.requireNonNull(link)) ? sessions.startWithStartKey() : null;
        if (started == null) {
            LOG.warn("Refused a sign-in: {} is not valid", key != null ? "the key" : "the link");
            throw new HttpRefusal(
                    401,
                    key != null
                            ? "The key is not a valid admin key."
                            : "The link is not valid: it works once, within 15 minutes, and at the process that showed"
                                    + " it.");
        }
        limits.uncount(context.req().getRemoteAddr());
        Actor actor = SetCookie.session(context, started, key != null ? "a key" : "a link");
        Answers.json(context, 200, SessionBody.of(actor, started.session()));
    }

    private static void show(Context context) {
        Caller caller = Caller.of(context);
        SetCookie.noStore(context);
        Answers.json(context, 200, SessionBody.of(Objects.requireNonNull(caller.actor()), caller.session()));
    }

    /** Also without a valid session, so that a browser can always remove the cookie. */
    private void signOut(Context context) {
        List<String> cookies = Sessions.cookiesOf(context, Sessions.COOKIE);
        if (cookies.size() == 1 && sessions.sessionOf(cookies.getFirst(), null) != null) {
            LOG.info(
                    "{} signed out",
                    SetCookie.loggable(
                            SetCookie.actorOf(sessions.expectSession(context)).name()));
        } else {
            Sessions.expectOwnPage(context);
        }
        SetCookie.noSession(context);
        context.status(204);
    }

    private void listProviders(Context context) {
        Answers.json(
                context,
                200,
                new ProvidersBody(settings == null ? null : new ProviderBody(settings.name(), OidcSettings.BEGIN)));
    }

    @Override
    public void close() {
        oidc.close();
    }

    /**
     * One-time tokens for sign-in, which only this process knows and which are lost when it ends. A token is found by its text: it is too
     * long and lives too briefly for a comparison to reveal it by its duration. Thread-safe.
     */
    public static final class SignInLinks {

        /** The time in which a link can be used. */
        public static final Duration LIFE = Duration.ofMinutes(15);

        /** The maximum number of unused links; a further one replaces the oldest. */
        private static final int MAX_LINKS = 100;

        private final SecureRandom random = new SecureRandom();
        private final InstantSource clock;
        private final Map<String, Instant> expiries = new LinkedHashMap<>();

        /** @param clock gives the time of day */
        public SignInLinks(InstantSource clock) {
            this.clock = clock;
        }

        /** The console's path for sign-in with a new token. */
        public synchronized String newPath() {
            if (expiries.size() >= MAX_LINKS) {
                Iterator<String> oldest = expiries.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
            String token = Signed.randomText(random);
            expiries.put(token, clock.instant().plus(LIFE));
            return "/console/#/sign-in?link=" + token;
        }

        /** Uses a token up. @return false if this process has not made it, or it was used, or has expired */
        synchronized boolean use(String token) {
            Instant expires = expiries.remove(token);
            return expires != null && clock.instant().isBefore(expires);
        }
    }
}
