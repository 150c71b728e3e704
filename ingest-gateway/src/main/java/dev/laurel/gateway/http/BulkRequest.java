package dev.laurel.gateway.http;

import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.http.BulkInput.UserItem;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.Caller.AuditNote;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.EditBody.CreatedBody;
import dev.laurel.schemas.wire.EditBody.DeletedBody;
import dev.laurel.schemas.wire.EditBody.DeletedBody.Deleted;
import dev.laurel.schemas.wire.EditBody.IssueBody;
import dev.laurel.schemas.wire.ErrorBody;
import io.javalin.http.Context;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bulk request whose items become separate requests to the log (docs/admin-api.md A1). Requests with the same subject are sent
 * in order, others at the same time. Each item ends with a result or with an issue. Once anything has been stored, the response is
 * not a 5xx, after which clients would repeat everything: items that the log did not accept become issues like the others. Used by
 * one thread, except for {@link #send}.
 */
final class BulkRequest {

    private static final int MAX_AT_ONCE = 16;

    /** The kind of users in audit records. */
    static final String USER = "user";

    private static final String UNKNOWN =
            "The result is not known yet: the request is in the log, or may be. " + "Look before you send it again.";
    private static final String TOO_LARGE = "The item is too large for the log.";

    /** Creates the issue of an item. */
    @FunctionalInterface
    interface IssueFactory {

        IssueBody of(int index, String severity, String message);

        /** IssueFactory that name the user in this field of the item. */
        static IssueFactory ofUsers(List<Object> items, String userField) {
            return (index, severity, message) ->
                    IssueBody.ofUser(index, BulkInput.userIdOf(items.get(index), userField), severity, message);
        }

        /** IssueFactory that name the id of the item. */
        static IssueFactory ofIds(List<String> ids) {
            return (index, severity, message) -> IssueBody.ofThing(ids.get(index), severity, message);
        }

        default IssueFactory withOldNames() {
            return (index, severity, message) -> of(index, severity, message).withOldNames();
        }
    }

    /** Creates the command of an item. */
    @FunctionalInterface
    interface CommandFactory {

        UserCommand of(UserItem item) throws BadInputException;
    }

    /** Converts the reply to an item to the form that the response has. */
    @FunctionalInterface
    interface ResultView {

        /** The reply as it was written. */
        ResultView AS_WRITTEN = (_, body) -> Json.readTree(body);

        Object of(int index, byte[] body);
    }

    /** What an edit has done with objects, in the order in which it named them. */
    static final class Edited {

        private final Deque<Object> done;
        private final Deque<Object> issues;

        /** @param field of the reply with what was done */
        Edited(byte[] reply, String field) {
            var body = (Map<?, ?>) Json.readTree(reply);
            this.done = new ArrayDeque<>((List<?>) body.get(field));
            this.issues = new ArrayDeque<>((List<?>) body.get("issues"));
        }

        /** What was done with the next object: its fields, or the message that says why nothing was. */
        Object next(String id) {
            return !done.isEmpty()
                            && ((Map<?, ?>) done.getFirst()).get("id") instanceof String first
                            && first.equalsIgnoreCase(id)
                    ? done.remove()
                    : messageOf(issues.remove());
        }

        /** What was done with the next object, if issues name objects by their places in the request. */
        Object nextAt(int place) {
            boolean isRefused = !issues.isEmpty()
                    && ((Map<?, ?>) issues.getFirst()).get("index") instanceof Number index
                    && index.intValue() == place;
            return isRefused ? messageOf(issues.remove()) : done.remove();
        }

        private static String messageOf(Object issue) {
            return (String) Objects.requireNonNull(((Map<?, ?>) issue).get("message"));
        }
    }

    private final AuditNote audit;
    private final String kind;
    private final @Nullable Object[] results;
    private final @Nullable IssueBody[] issues;
    private final @Nullable String[] notStored;
    private final IssueFactory issueOf;
    private final ResultView view;
    private final @Nullable String warning;
    private final Map<Object, List<Runnable>> requests = new LinkedHashMap<>();

    /**
     * @param audit takes the subjects of the items that are carried out
     * @param kind kind of the subjects that are no users
     * @param warning message of the refusals that are warnings, not errors; null: none is
     */
    BulkRequest(
            AuditNote audit, String kind, int size, IssueFactory issueOf, ResultView view, @Nullable String warning) {
        this.audit = audit;
        this.kind = kind;
        this.results = new Object[size];
        this.issues = new IssueBody[size];
        this.notStored = new String[size];
        this.issueOf = issueOf;
        this.view = view;
        this.warning = warning;
    }

    /** A request to delete or revoke something by its ids. */
    static BulkRequest ofIds(
            AuditNote audit, String kind, List<String> ids, IssueFactory issueOf, @Nullable String warning) {
        return new BulkRequest(audit, kind, ids.size(), issueOf, (index, _) -> new Deleted(ids.get(index)), warning);
    }

    /**
     * Adds the request of an item.
     *
     * @param subject requests with equal subjects are sent in order: a user, or the id of an object
     */
    void add(int index, Object subject, Supplier<RequestResult> request) {
        add(index, subject, request, () -> note(subject));
    }

    /** Adds the request of an item, which is noted in another way. @param noteSuccess notes what has been changed */
    void add(int index, Object subject, Supplier<RequestResult> request, Runnable noteSuccess) {
        requests.computeIfAbsent(subject, _ -> new ArrayList<>()).add(() -> {
            RequestResult result = request.get();
            end(index, result);
            if (result.isSuccess()) {
                noteSuccess.run();
            }
        });
    }

    private void note(Object subject) {
        if (subject instanceof UserKey user) {
            audit.changed(USER, user.user().value(), null);
        } else {
            audit.changed(kind, subject.toString(), null);
        }
    }

    /** Adds the command of an item about one user, or refuses the item. */
    void addUserItem(
            int index,
            Caller caller,
            Object json,
            String userField,
            RequestReplyClient client,
            CommandFactory commandOf) {
        try {
            UserItem item = UserItem.read(caller, json, userField);
            UserCommand command = commandOf.of(item);
            add(index, item.user(), () -> client.ask(item.user(), command));
        } catch (BadInputException e) {
            refuse(index, e.refusal().message());
        }
    }

    /** Sends the requests and waits for their results. */
    void send() {
        if (requests.size() < 2) {
            requests.values().forEach(BulkRequest::run);
            return;
        }
        var sent = new ArrayList<Future<?>>();
        try (var pool = Executors.newFixedThreadPool(
                Math.min(MAX_AT_ONCE, requests.size()), Thread.ofVirtual().factory())) {
            requests.values().forEach(inOrder -> sent.add(pool.submit(() -> run(inOrder))));
        }
        for (Future<?> one : sent) {
            try {
                one.get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException("the request of an item failed", e);
            }
        }
    }

    private static void run(List<Runnable> inOrder) {
        inOrder.forEach(Runnable::run);
    }

    /** Ends an item with an error. */
    void refuse(int index, String message) {
        issue(index, IssueBody.ERROR, message);
    }

    private void issue(int index, String severity, String message) {
        issues[index] = issueOf.of(index, severity, message);
    }

    /** Ends an item with what an edit has done with it, see {@link Edited}. */
    void put(int index, Object next) {
        if (next instanceof String message) {
            refuse(index, message);
        } else {
            results[index] = next;
        }
    }

    /** Ends an item with the result of its request. */
    void end(int index, RequestResult result) {
        switch (result) {
            case RequestResult.Replied reply when reply.isSuccess() -> results[index] = view.of(index, reply.body());
            case RequestResult.Replied reply -> {
                String message = Objects.requireNonNull(
                        Json.read(reply.body(), ErrorBody.class).error());
                issue(index, message.equals(warning) ? IssueBody.WARNING : IssueBody.ERROR, message);
            }
            case RequestResult.Pending _ -> {
                audit.unknown();
                issue(index, IssueBody.WARNING, UNKNOWN);
            }
            case RequestResult.TooLarge _ -> refuse(index, TOO_LARGE);
            case RequestResult.Unavailable(String reason) -> {
                notStored[index] = reason;
                refuse(index, reason);
            }
        }
    }

    /** @throws HttpRefusal 503 if an item could not be stored and no other item is or may be stored */
    void expectStored() {
        String reason =
                Arrays.stream(notStored).filter(Objects::nonNull).findFirst().orElse(null);
        boolean isNothingStored = Arrays.stream(results).allMatch(Objects::isNull)
                && Arrays.stream(issues)
                        .noneMatch(issue -> issue != null && issue.message().equals(UNKNOWN));
        if (reason != null && isNothingStored) {
            throw HttpRefusal.busy(reason);
        }
    }

    /** Answers with what was created. @throws HttpRefusal as {@link #expectStored} */
    void answerCreated(Context context) {
        expectStored();
        var body = new CreatedBody(results(), issues());
        Answers.json(context, body.status(), body);
    }

    /** Answers with what was deleted. @throws HttpRefusal as {@link #expectStored} */
    void answerDeleted(Context context) {
        expectStored();
        Answers.json(context, 200, new DeletedBody(results(), issues()));
    }

    /** The results of the items that succeeded, in the order of the items. */
    List<Object> results() {
        return Arrays.stream(results).filter(Objects::nonNull).toList();
    }

    /** The issues of the others, in the order of the items. */
    List<IssueBody> issues() {
        return Arrays.stream(issues).filter(Objects::nonNull).toList();
    }
}
