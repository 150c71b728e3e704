package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Answer;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.IssueBody;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/**
 * What has become of each item of a bulk request (admin-api.md A1). An item that is done has something to show for it, any
 * other an issue. Once something was stored there is no 5xx any more, for clients send everything again then: items that the
 * log did not take become issues like the others. Thread-safe, as long as each item has one thread.
 */
final class ItemResults {

    private static final String UNKNOWN = "The result is not known yet: the request is in the log, or may be. "
            + "Look before you send it again.";
    private static final String TOO_LARGE = "The item is too large for the log.";

    /** Makes the issue of an item. */
    interface Issues {
        IssueBody of(int index, String severity, String message);
    }

    /** How an answer of the log is to be shown. */
    interface Shown {
        Object of(int index, byte[] body);
    }

    private final Object[] done;
    private final IssueBody[] issues;
    private final String[] notTaken;
    private final Issues issueOf;
    private final Shown shown;
    private final List<String> warnings;

    /**
     * @param warnings messages of refusals that are no errors
     * @param shown what an item that is done shows
     */
    ItemResults(int size, Issues issueOf, Shown shown, List<String> warnings) {
        this.done = new Object[size];
        this.issues = new IssueBody[size];
        this.notTaken = new String[size];
        this.issueOf = issueOf;
        this.shown = shown;
        this.warnings = warnings;
    }

    /** The answer as the log wrote it. */
    static Shown asWritten() {
        return (_, body) -> Json.readTree(body);
    }

    void refuse(int index, String message) {
        issue(index, IssueBody.ERROR, message);
    }

    private void issue(int index, String severity, String message) {
        issues[index] = issueOf.of(index, severity, message);
    }

    void put(int index, Object body) {
        done[index] = body;
    }

    void take(int index, Answer answer) {
        switch (answer) {
            case Answer.Replied(int status, byte[] body, var _) when status < 300 ->
                done[index] = shown.of(index, body);
            case Answer.Replied(int _, byte[] body, var _) -> {
                String message = Json.read(body, ErrorBody.class).error();
                issue(index, warnings.contains(message) ? IssueBody.WARNING : IssueBody.ERROR, message);
            }
            case Answer.Pending _ -> {
                issue(index, IssueBody.WARNING, UNKNOWN);
            }
            case Answer.TooLarge _ -> refuse(index, TOO_LARGE);
            case Answer.Unavailable(String reason) -> {
                notTaken[index] = reason;
                refuse(index, reason);
            }
        }
    }

    /** @throws HttpRefusal 503 if there is something that the log has not taken, and nothing that it has, or may have */
    void expectTaken() {
        String reason = Arrays.stream(notTaken).filter(Objects::nonNull).findFirst().orElse(null);
        boolean isNothingStored = Arrays.stream(done).allMatch(Objects::isNull)
                && Arrays.stream(issues).noneMatch(issue -> issue != null && issue.message().equals(UNKNOWN));
        if (reason != null && isNothingStored) {
            throw HttpRefusal.busy(reason, Answers.RETRY_AFTER_S);
        }
    }

    /** In the order of the items. */
    List<Object> done() {
        return inOrder(i -> done[i]);
    }

    /** In the order of the items. */
    List<IssueBody> issues() {
        return inOrder(i -> issues[i]);
    }

    private <T> List<T> inOrder(IntFunction<T> at) {
        var all = new ArrayList<T>();
        for (int i = 0; i < done.length; i++) {
            T one = at.apply(i);
            if (one != null) {
                all.add(one);
            }
        }
        return all;
    }
}
