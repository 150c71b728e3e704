package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Answer;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.admin.AccessEdit;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.ruleset.Rulesets;
import io.javalin.http.Context;
import java.time.Duration;

/**
 * Sends an edit to the one writer and answers with what became of it. A change is answered when this gateway itself knows it,
 * so that the client's next request is judged by it.
 */
public final class Edits {

    private final Exchange exchange;
    private final Rulesets rulesets;
    private final AccessView access;
    private final Duration timeout;

    /** @param timeout for a change to arrive here after it was published */
    public Edits(Exchange exchange, Rulesets rulesets, AccessView access, Duration timeout) {
        this.exchange = exchange;
        this.rulesets = rulesets;
        this.access = access;
        this.timeout = timeout;
    }

    void answer(Context context, Edit edit) {
        Answers.write(context, ask(Caller.of(context), edit), Answers::pending);
    }

    Answer ask(Caller caller, Edit edit) {
        Answer answer = edit instanceof AccessEdit.OfInstance ofAll
                ? exchange.ask(ofAll)
                : exchange.ask(caller.tenant(), edit);
        boolean isDone = answer instanceof Answer.Replied(int status, byte[] _, var _) && status < 300;
        return isDone && !isKnownHere(edit) ? Answer.PENDING : answer;
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
