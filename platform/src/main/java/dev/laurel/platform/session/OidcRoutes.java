package dev.laurel.platform.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.http.Sessions;
import dev.laurel.platform.session.OidcProvider.Outcome;
import dev.laurel.platform.session.OidcProvider.UnavailableException;
import io.javalin.http.Context;
import java.security.SecureRandom;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sign-in at the provider of OpenID Connect (docs/operations/security.md, People). Browsers come here by links, so refusals are pages.
 * Any process can complete what another has begun: the browser keeps the state.
 */
final class OidcRoutes implements Routes, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(OidcRoutes.class);
    private static final String CONSOLE = "/console/";
    private static final int MAX_PATH_LENGTH = 1_000;

    /** Below the console, in characters that have no meaning to servers and browsers beyond that of a path. */
    private static final Pattern PATH = Pattern.compile("/console/[A-Za-z0-9._~!$&'()*+,;=:@%/?#-]*");

    private static final Pattern UP = Pattern.compile("(^|/)(\\.|%2e){1,2}(/|[?#]|$)", Pattern.CASE_INSENSITIVE);
    private static final Pattern ERROR = Pattern.compile("[a-z_]{1,40}");
    private static final int MAX_CODE_LENGTH = 4_000;
    private static final String POLICY =
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    private static final String PAGE = """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Sign-in</title></head>
        <body><h1>You are not signed in</h1><p>%s</p><p><a href="/console/#/sign-in">Back to sign-in</a></p></body>
        </html>
        """;

    private final @Nullable OidcProvider provider;
    private final SignedSessions sessions;
    private final SignInLimits limits;
    private final SecureRandom random = new SecureRandom();

    /** @param provider null: the routes answer 404. Closed with this */
    OidcRoutes(@Nullable OidcProvider provider, SignedSessions sessions, SignInLimits limits) {
        this.provider = provider;
        this.sessions = sessions;
        this.limits = limits;
    }

    @Override
    public void mount(RouteTable routes) {
        routes.get(OidcSettings.BEGIN, RequiredRole.PUBLIC, this::begin);
        routes.get(OidcSettings.CALLBACK, RequiredRole.PUBLIC, this::complete);
    }

    private void begin(Context context) {
        withProvider(context, configured -> {
            var state = SignInState.begin(
                    random,
                    sessions.now().plus(SetCookie.SIGN_IN_LIFE),
                    pathOf(context.queryParam("returnTo")),
                    sessions.key());
            String address = configured.authorization(state).toString();
            SetCookie.signIn(context, state.encoded());
            redirect(context, address);
        });
    }

    private interface Step {
        void take(OidcProvider provider) throws UnavailableException;
    }

    /** Takes a step of a sign-in; a refusal becomes a page. @throws HttpRefusal 404 without a provider */
    private void withProvider(Context context, Step step) {
        if (provider == null) {
            throw new HttpRefusal(404, "No provider for sign-in is configured.");
        }
        try {
            step.take(provider);
        } catch (UnavailableException e) {
            LOG.warn("A sign-in failed, because the provider is not available: {}", e.getMessage());
            refuse(context, HttpRefusal.busy("The provider cannot be reached. Try again, or sign in with a key."));
        } catch (HttpRefusal e) {
            refuse(context, e);
        }
    }

    /** The path to show after the sign-in: no address outside of the console. @param given null: none */
    static String pathOf(@Nullable String given) {
        return given != null
                        && given.length() <= MAX_PATH_LENGTH
                        && PATH.matcher(given).matches()
                        && !UP.matcher(given).find()
                        && given.indexOf("//") < 0
                ? given
                : CONSOLE;
    }

    private void complete(Context context) {
        withProvider(context, configured -> {
            SignInState state = stateOf(context);
            SetCookie.noSignIn(context); // Whatever follows, it was the only use.
            if (state == null || !state.isState(context.queryParam("state"))) {
                throw new HttpRefusal(403, "The sign-in has expired, or was begun in another browser. Try again.");
            }
            String code = context.queryParam("code");
            if (code == null || code.isEmpty() || code.length() > MAX_CODE_LENGTH) {
                String error = context.queryParam("error");
                throw new HttpRefusal(
                        403,
                        "The provider refused the sign-in"
                                + (error != null && ERROR.matcher(error).matches() ? ": " + error + "." : "."));
            }
            limits.begin(context.req().getRemoteAddr());
            switch (exchange(context, configured, code, state)) {
                case Outcome.Refused(String reason) -> throw new HttpRefusal(403, reason);
                case Outcome.Known(var person) -> {
                    SetCookie.session(context, sessions.start(person), "OpenID Connect");
                    limits.uncount(context.req().getRemoteAddr());
                    redirect(context, state.returnTo());
                }
            }
        });
    }

    /** While the provider is away, tries do not count: people can still sign in with keys. */
    private Outcome exchange(Context context, OidcProvider configured, String code, SignInState state)
            throws UnavailableException {
        try {
            return configured.exchange(code, state);
        } catch (UnavailableException e) {
            limits.uncount(context.req().getRemoteAddr());
            throw e;
        }
    }

    /** Null if the browser has begun no sign-in, or it has expired. */
    private @Nullable SignInState stateOf(Context context) {
        List<String> values = Sessions.cookiesOf(context, SetCookie.SIGN_IN);
        return values.size() == 1 ? SignInState.read(values.getFirst(), sessions.key(), sessions.now()) : null;
    }

    private static void redirect(Context context, String address) {
        context.header("Referrer-Policy", "no-referrer").status(302).header("Location", address);
    }

    /** The reasons contain no text of the request but an error that is one word. */
    private static void refuse(Context context, HttpRefusal refusal) {
        LOG.info("Refused a sign-in with OpenID Connect: {}", refusal.getMessage());
        Answers.setRetry(context, refusal.status(), refusal.retryAfterS());
        SetCookie.noStore(context);
        context.header("Content-Security-Policy", POLICY)
                .header("Referrer-Policy", "no-referrer")
                .header("X-Content-Type-Options", "nosniff");
        Answers.answerPage(
                context,
                refusal.status(),
                PAGE.formatted(String.valueOf(refusal.getMessage())).getBytes(UTF_8));
    }

    @Override
    public void close() {
        if (provider != null) {
            provider.close();
        }
    }
}
