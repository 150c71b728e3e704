package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.platform.access.EmailToken;
import dev.laurel.platform.http.Access;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.RateLimits;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.link.EmailLinkPage;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.command.Command.RecordReaction.Reaction;
import dev.laurel.schemas.command.Command.RecordReaction;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings;
import io.javalin.http.Context;
import java.util.Base64;

/**
 * {@code /m/{token}} (docs/admin-api.md B4): the invisible image of an email, and the links of an email. No key is needed: the token names
 * the user, the email and the target, and is authentic, so that no link leads elsewhere. What the browser asked for is always answered at
 * once; the open or the click is counted if settings and limits allow it and the log takes it.
 */
final class EmailReactionRoutes implements Routes {

    /** A transparent image of one pixel. */
    private static final byte[] PIXEL = Base64.getDecoder()
            .decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

    private final Rulesets rulesets;
    private final AccessView access;
    private final RequestReplyClient client;
    private final RateLimits.PerMinute<UserKey> limits = EmailLinkPage.limits(EmailLinkPage.CHANGES);

    EmailReactionRoutes(Rulesets rulesets, AccessView access, RequestReplyClient client) {
        this.rulesets = rulesets;
        this.access = access;
        this.client = client;
    }

    @Override
    public void mount(RouteTable routes) {
        routes.get("/m/{token}", Access.PUBLIC, this::answer);
    }

    private void answer(Context context) {
        EmailLinkPage.hide(context);
        EmailToken.Content content = EmailToken.read(context.pathParam("token"), access.index());
        if (content == null) {
            EmailLinkPage.UNKNOWN.show(context, 404, Settings.Branding.NONE);
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
        if (isWanted && limits.retryAfterS(content.user()) == 0) {
            client.offer(content.user(), new RecordReaction(UserChange.mention(content.user().user()), content.email(),
                    reaction));
        }
    }
}
