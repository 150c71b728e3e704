package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Answer;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.access.UnsubscribeToken;
import dev.laurel.schemas.command.Change;
import dev.laurel.schemas.command.IdentifyUser;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings.Branding;
import io.github.bucket4j.TimeMeter;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/**
 * {@code /unsubscribe/{token}} (admin-api.md B4): where the link at the end of an email leads. Open to everyone: the token says
 * who it is, and is proof enough. A GET only asks, since programs that look for malware follow links, too; a POST does it,
 * whatever its body, so also the one click of a mail program (RFC 8058), so many times a minute. Answers are pages for people.
 */
public final class UnsubscribeRoutes implements Routes {

    private static final int NOT_FOUND = 404;

    private final Rulesets rulesets;
    private final AccessView access;
    private final Exchange exchange;
    private final UnsubscribeLimits limits = new UnsubscribeLimits(TimeMeter.SYSTEM_NANOTIME);

    public UnsubscribeRoutes(Rulesets rulesets, AccessView access, Exchange exchange) {
        this.rulesets = rulesets;
        this.access = access;
        this.exchange = exchange;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.get("/unsubscribe/{token}", this::ask);
        routes.post("/unsubscribe/{token}", this::unsubscribe);
    }

    private void ask(Context context) {
        UserKey user = userOf(context);
        if (user == null) {
            unknown(context);
            return;
        }
        page(context, 200, user, UnsubscribePage.ASK);
    }

    private void unsubscribe(Context context) {
        UserKey user = userOf(context);
        if (user == null) {
            unknown(context);
            return;
        }
        int retryAfterS = limits.retryAfterS(user);
        if (retryAfterS > 0) {
            context.header("Retry-After", Integer.toString(retryAfterS));
            page(context, 429, user, UnsubscribePage.LATER);
            return;
        }
        switch (exchange.ask(user, new IdentifyUser(withoutEmails(user.user()), true))) {
            // Whoever has been erased gets no emails, either.
            case Answer.Replied(int status, _, _) when status < 300 || status == NOT_FOUND ->
                page(context, 200, user, UnsubscribePage.DONE);
            // It is in the log, and will be done.
            case Answer.Pending _ -> page(context, 200, user, UnsubscribePage.DONE);
            case Answer.Unavailable _ -> {
                context.header("Retry-After", Integer.toString(Answers.RETRY_AFTER_S));
                page(context, 503, user, UnsubscribePage.LATER);
            }
            case Answer.Replied(int status, _, _) ->
                throw new IllegalStateException("to unsubscribe was answered with " + status);
            case Answer.TooLarge _ -> throw new IllegalStateException("to unsubscribe was too large");
        }
    }

    private static UserChange withoutEmails(UserId user) {
        return new UserChange(user, Change.keep(), Change.keep(), Change.keep(), Change.keep(), Change.set(false),
                Map.of());
    }

    /** Null if the token is none of ours. */
    private UserKey userOf(Context context) {
        return UnsubscribeToken.read(context.pathParam("token"), access.book());
    }

    private static void unknown(Context context) {
        UnsubscribePage.UNKNOWN.show(context, NOT_FOUND, Branding.NONE);
    }

    private void page(Context context, int status, UserKey user, UnsubscribePage page) {
        page.show(context, status, rulesets.newest(user.tenant()).settings().branding());
    }
}
