package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.gateway.reply.RequestResult;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import io.javalin.http.Context;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest rulesets and sends edits to the ruleset writer. A ruleset that it reads contains every edit that any gateway has
 * answered. An edit is answered once this gateway knows the change, so that the client's next request is checked against it.
 * Thread-safe.
 *
 * @param timeout limit on the wait for newer versions
 */
record Configuration(RequestReplyClient client, Rulesets rulesets, AccessView access, Duration timeout) {

    /** @throws HttpRefusal 503 if the newest version is not known in time */
    Ruleset newest(TenantId tenant) {
        boolean isKnown;
        try {
            isKnown = rulesets.awaitNewest(timeout);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            isKnown = false;
        }
        if (!isKnown) {
            throw HttpRefusal.busy("The rulesets cannot be followed now. Nothing was stored; try again.");
        }
        return rulesets.newest(tenant);
    }

    /** Returns null if the version does not exist. @throws HttpRefusal like {@link #newest} */
    @Nullable
    Ruleset version(TenantId tenant, long version) {
        return version > newest(tenant).version() ? null : rulesets.version(tenant, version);
    }

    /** Sends the edit and writes its result to the response. */
    void edit(Context context, Edit edit) {
        HttpReplies.write(context, edit(Caller.of(context), edit));
    }

    RequestResult edit(Caller caller, Edit edit) {
        RequestResult result = edit instanceof AccessEdit.OfInstance ofInstance
                ? client.ask(ofInstance)
                : client.ask(caller.tenant(), edit);
        boolean isDone = result instanceof RequestResult.Replied reply && reply.isSuccess();
        return isDone && !isKnownHere(edit) ? RequestResult.PENDING : result;
    }

    private boolean isKnownHere(Edit edit) {
        try {
            return switch (edit) {
                // Secrets of webhooks and channels are written beside the ruleset.
                case Edit.OfRuleset _ -> rulesets.awaitNewest(timeout) && access.awaitNewest(timeout);
                case AccessEdit _ -> access.awaitNewest(timeout);
            };
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
