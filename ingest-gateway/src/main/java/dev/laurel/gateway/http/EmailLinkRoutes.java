package dev.laurel.gateway.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.RequestResult.Replied;
import dev.laurel.platform.access.EmailToken;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RateLimits;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.link.EmailLinkPage;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordReaction;
import dev.laurel.schemas.command.Command.RecordReaction.Reaction;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.LeaderboardsChange;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.Settings.Branding;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Base64;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What the recipient of an email does by it (docs/admin-api.md B4). No key is needed: tokens name the user and authorize the rest.
 *
 * <p>{@code POST /unsubscribe/{token}} changes the notifications of the user to whom an email went. The form of the page, which nodes
 * show, sets preferences, and leads back to the page. Any other body ends all emails, as does the one-click request of a mail program
 * (RFC 8058). There is a limit per minute. Responses are HTML pages.
 *
 * <p>{@code /m/{token}} is the invisible image of an email, or a link of it. Its token names the target, too, so that no link leads
 * elsewhere. What the browser asked for is always answered at once; the open or the click is counted if settings and limits allow it and
 * the log takes it.
 */
record EmailLinkRoutes(
        Rulesets rulesets,
        AccessView access,
        RequestReplyClient client,
        RateLimits.PerMinute<UserKey> limits,
        RateLimits.PerMinute<UserKey> reactions)
        implements Routes {

    private static final int NOT_FOUND = 404;
    private static final int SEE_OTHER = 303;

    /** Exceeds the longest body that the form sends. */
    private static final int MAX_FORM_BYTES = 1_000;

    /** A transparent image of one pixel. */
    private static final byte[] PIXEL =
            Base64.getDecoder().decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

    EmailLinkRoutes(Rulesets rulesets, AccessView access, RequestReplyClient client) {
        this(
                rulesets,
                access,
                client,
                EmailLinkPage.limits(EmailLinkPage.CHANGES),
                EmailLinkPage.limits(EmailLinkPage.CHANGES));
    }

    @Override
    public void mount(RouteTable routes) {
        routes.post("/unsubscribe/{token}", RequiredRole.PUBLIC, this::change);
        routes.get("/m/{token}", RequiredRole.PUBLIC, this::react);
    }

    private void change(Context context) throws IOException {
        UserKey user = EmailToken.unsubscriber(context.pathParam("token"), access.index());
        if (user == null) {
            EmailLinkPage.UNKNOWN.show(context, NOT_FOUND, Branding.NONE);
            return;
        }
        int retryAfterS = limits.retryAfterS(user);
        if (retryAfterS > 0) {
            Answers.setRetry(context, 429, retryAfterS);
            page(context, 429, user, EmailLinkPage.LATER);
            return;
        }
        Set<String> form = formOf(context);
        boolean isSaved = form.contains(EmailLinkPage.ACTION + "=" + EmailLinkPage.SAVE);
        boolean isOff = form.contains(EmailLinkPage.ACTION + "=" + EmailLinkPage.OFF);
        if (isSaved || isOff) {
            UserCommand preferences = preferences(user.user(), isOff ? Set.of() : form);
            answer(context, user, preferences, EmailLinkPage.STORED);
        } else {
            answer(context, user, new IdentifyUser(withoutEmails(user.user()), true), EmailLinkPage.UNSUBSCRIBED);
        }
    }

    private void answer(Context context, UserKey user, UserCommand command, EmailLinkPage done) {
        switch (client.ask(user, command)) {
            // An erased user gets no emails, either.
            case Replied reply when reply.status() == NOT_FOUND -> page(context, 200, user, EmailLinkPage.UNSUBSCRIBED);
            case Replied reply
            when !reply.isSuccess() ->
                throw new IllegalStateException("the command of a link got the status " + reply.status());
            case Replied _
            when done == EmailLinkPage.STORED -> {
                EmailLinkPage.hide(context);
                // Relative to this address, which may be another one for the browser.
                context.status(SEE_OTHER).header("Location", "?" + EmailLinkPage.SAVED + "=true");
            }
            // A pending command is in the log and will be carried out.
            case Replied _, RequestResult.Pending _ -> page(context, 200, user, done);
            case RequestResult.Unavailable _ -> {
                Answers.setRetry(context, 503, HttpRefusal.BUSY_RETRY_AFTER_S);
                page(context, 503, user, EmailLinkPage.LATER);
            }
            case RequestResult.TooLarge _ -> throw new IllegalStateException("the command of a link was too large");
        }
    }

    /** The fields of a form as {@code name=value}. Those of the page are plain words, so nothing is decoded. */
    private static Set<String> formOf(Context context) throws IOException {
        byte[] body = context.bodyInputStream().readNBytes(MAX_FORM_BYTES + 1);
        return body.length > MAX_FORM_BYTES ? Set.of() : Set.copyOf(List.of(new String(body, ISO_8859_1).split("&")));
    }

    private static SetPreferences preferences(UserId user, Collection<String> form) {
        var chosen = new EnumMap<NotificationType, Change<Set<NotificationChannel>>>(NotificationType.class);
        for (NotificationType type : NotificationType.values()) {
            var channels = EnumSet.noneOf(NotificationChannel.class);
            for (NotificationChannel channel : NotificationChannel.values()) {
                if (form.contains((type + "=" + channel).toLowerCase(Locale.ROOT))) {
                    channels.add(channel);
                }
            }
            chosen.put(type, Change.set(channels));
        }
        return new SetPreferences(UserChange.mention(user), chosen, StreakChange.NONE, LeaderboardsChange.NONE);
    }

    private static UserChange withoutEmails(UserId user) {
        return Records.with(UserChange.mention(user), "subscribeToEmails", Change.set(false));
    }

    private void page(Context context, int status, UserKey user, EmailLinkPage page) {
        page.show(context, status, rulesets.newest(user.tenant()).settings().branding());
    }

    private void react(Context context) {
        EmailLinkPage.hide(context);
        EmailToken.Content content = EmailToken.read(context.pathParam("token"), access.index());
        if (content == null) {
            EmailLinkPage.UNKNOWN.show(context, 404, Branding.NONE);
        } else if (content.target() == null) {
            count(content, Reaction.OPENED);
            Answers.answerFile(context, "image/gif", PIXEL);
        } else {
            count(content, Reaction.CLICKED);
            context.status(302).header("Location", content.target());
        }
    }

    private void count(EmailToken.Content content, Reaction reaction) {
        Settings settings = rulesets.newest(content.user().tenant()).settings();
        boolean isWanted = switch (reaction) {
            case OPENED -> settings.trackOpens();
            case CLICKED -> settings.trackClicks();
        };
        if (isWanted && reactions.retryAfterS(content.user()) == 0) {
            client.offer(
                    content.user(),
                    new RecordReaction(UserChange.mention(content.user().user()), content.email(), reaction));
        }
    }
}
