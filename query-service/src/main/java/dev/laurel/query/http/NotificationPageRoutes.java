package dev.laurel.query.http;

import dev.laurel.platform.access.EmailToken;
import dev.laurel.platform.http.PeerCalls;
import dev.laurel.platform.http.RateLimits;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.platform.link.EmailLinkPage;
import dev.laurel.platform.link.EmailLinkPage.Choices;
import dev.laurel.query.http.Relay.Subject;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.read.UserReads;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings.Branding;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /unsubscribe/{token}} (docs/admin-api.md B4): the page at the end of an email where its recipient chooses notifications. No
 * key is needed: the token names the user. It changes nothing, because malware scanners follow links, too. While the choices cannot be
 * read, or are read too often, the page still has the button that turns everything off.
 */
record NotificationPageRoutes(
        @Nullable UserReads reads,
        Relay relay,
        Rulesets rulesets,
        AccessView access,
        RateLimits.PerMinute<UserKey> limits)
        implements Routes {

    /** @param reads null: this process has no stores, and shows the form without choices */
    NotificationPageRoutes(@Nullable UserReads reads, Relay relay, Rulesets rulesets, AccessView access) {
        this(reads, relay, rulesets, access, EmailLinkPage.limits(EmailLinkPage.VIEWS));
    }

    @Override
    public void mount(RouteTable routes) {
        routes.get("/unsubscribe/{token}", RequiredRole.PUBLIC, this::show);
    }

    private void show(Context context) throws Exception {
        UserKey user = EmailToken.unsubscriber(context.pathParam("token"), access.index());
        if (user == null) {
            EmailLinkPage.UNKNOWN.show(context, 404, Branding.NONE);
            return;
        }
        UserReads users = reads;
        if (users == null || limits.retryAfterS(user) > 0) {
            form(context, user, null);
            return;
        }
        EmailLinkPage.protect(context);
        Handler read = relay.wrap(Subject.USER, present -> answer(present, user, users));
        try {
            read.handle(context);
        } catch (NotReadyException e) {
            if (PeerCalls.isForwarded(context)) {
                throw e; // the node that was asked first may find a copy
            }
            form(context, user, null);
        }
    }

    private void answer(Context context, UserKey user, UserReads users) {
        Choices choices;
        try {
            choices = new Choices(
                    users.user(user).subscribeToEmails(),
                    users.preferences(user).notifications());
        } catch (Refused _) {
            EmailLinkPage.UNSUBSCRIBED.show(context, 200, branding(user)); // erased
            return;
        }
        form(context, user, choices);
    }

    private void form(Context context, UserKey user, @Nullable Choices choices) {
        EmailLinkPage.showForm(
                context, branding(user), choices, "true".equals(context.queryParam(EmailLinkPage.SAVED)));
    }

    private Branding branding(UserKey user) {
        return rulesets.newest(user.tenant()).settings().branding();
    }
}
