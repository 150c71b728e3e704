package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.gateway.reply.RequestResult;
import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpServer.Routes;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.UnsubscribeToken;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings.Branding;
import io.github.bucket4j.TimeMeter;
import io.javalin.http.Context;
import java.util.Map;
import java.util.function.Consumer;

/**
 * {@code /unsubscribe/{token}} (docs/admin-api.md B4): the target of the link at the end of an email. No key is needed: the token
 * names the user and authorizes the change. A GET only asks for confirmation, because malware scanners follow links, too. A POST with
 * any body unsubscribes, including the one-click request of a mail program (RFC 8058), with a limit per minute. Responses are HTML
 * pages.
 */
final class UnsubscribeRoutes implements Routes {

    private static final int NOT_FOUND = 404;

    private final Rulesets rulesets;
    private final AccessView access;
    private final RequestReplyClient client;
    private final EmailLinkLimits limits = new EmailLinkLimits(TimeMeter.SYSTEM_NANOTIME);

    UnsubscribeRoutes(Rulesets rulesets, AccessView access, RequestReplyClient client) {
        this.rulesets = rulesets;
        this.access = access;
        this.client = client;
    }

    @Override
    public void mount(RouteTable routes) {
        routes.get("/unsubscribe/{token}", Access.PUBLIC,
                context -> answer(context, user -> page(context, 200, user, UnsubscribePage.ASK)));
        routes.post("/unsubscribe/{token}", Access.PUBLIC,
                context -> answer(context, user -> unsubscribe(context, user)));
    }

    /** Runs the action for the user of the token, or shows that the token is not valid. */
    private void answer(Context context, Consumer<UserKey> action) {
        UserKey user = UnsubscribeToken.read(context.pathParam("token"), access.index());
        if (user == null) {
            UnsubscribePage.UNKNOWN.show(context, NOT_FOUND, Branding.NONE);
        } else {
            action.accept(user);
        }
    }

    private void unsubscribe(Context context, UserKey user) {
        int retryAfterS = limits.retryAfterS(user);
        if (retryAfterS > 0) {
            HttpServer.setRetry(context, 429, retryAfterS);
            page(context, 429, user, UnsubscribePage.LATER);
            return;
        }
        switch (client.ask(user, new IdentifyUser(withoutEmails(user.user()), true))) {
            // An erased user gets no emails, either.
            case RequestResult.Replied(int status, _, _, _) when status < 300 || status == NOT_FOUND ->
                page(context, 200, user, UnsubscribePage.DONE);
            // The command is in the log and will be carried out.
            case RequestResult.Pending _ -> page(context, 200, user, UnsubscribePage.DONE);
            case RequestResult.Unavailable _ -> {
                HttpServer.setRetry(context, 503, HttpRefusal.BUSY_RETRY_AFTER_S);
                page(context, 503, user, UnsubscribePage.LATER);
            }
            case RequestResult.Replied(int status, _, _, _) ->
                throw new IllegalStateException("the command to unsubscribe got the status " + status);
            case RequestResult.TooLarge _ ->
                throw new IllegalStateException("the command to unsubscribe was too large");
        }
    }

    private static UserChange withoutEmails(UserId user) {
        return new UserChange(user, Change.keep(), Change.keep(), Change.keep(), Change.keep(), Change.set(false),
                Change.keep(), Map.of());
    }

    private void page(Context context, int status, UserKey user, UnsubscribePage page) {
        page.show(context, status, rulesets.newest(user.tenant()).settings().branding());
    }
}
