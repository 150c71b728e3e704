package dev.laurel.gateway.http;

import dev.laurel.gateway.RequestReplyClient;
import dev.laurel.gateway.RequestReplyClient.StoreResult;
import dev.laurel.gateway.RequestReplyClient.UserEvent;
import dev.laurel.gateway.RequestResult;
import dev.laurel.gateway.RequestResult.Outcome;
import dev.laurel.gateway.RequestResult.Parts;
import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.admission.Admissions.Admission;
import dev.laurel.gateway.admission.Admissions.Verdict;
import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.BodyLimits;
import dev.laurel.platform.http.Caller;
import dev.laurel.platform.http.Caller.AuditNote;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequestParameters;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.TimedEvent;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.EditBody.IssueBody;
import dev.laurel.schemas.wire.EventBody;
import dev.laurel.schemas.wire.EventBody.BatchBody;
import dev.laurel.schemas.wire.EventBody.CompletionBody;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The routes that record events and completions.
 *
 * <p>{@code POST /metrics/{key}/event} (docs/application-api.md §3): 400 if the body is not a JSON object, 422 for missing or
 * ill-typed fields, 403 for another user than the caller's, 404 for an unknown metric, 422 for unknown attribute keys, in this
 * order; otherwise the reply, with the entries of the leaderboards that arrived in time.
 *
 * <p>{@code POST /admin/v1/metrics/events} (docs/admin-api.md A3): the whole batch is checked before any of it is stored, and is
 * answered when the log has acknowledged all of it. If Kafka fails, the log may accept only a part of a batch. A 5xx would then make
 * clients repeat the whole batch, and the stored events would count twice, unless every event has an idempotency key. Only in that
 * case is the response 503; otherwise it is 202, with the number of acknowledged events and an issue for each of the others.
 *
 * <p>{@code POST /achievements/{key}/complete} (docs/application-api.md §3): 400 if the body is not a JSON object, and 422 for missing or
 * ill-typed fields and for unknown attribute keys. The processing of the command decides everything else, such as whether the achievement
 * can be completed. The response is 202 if the user has completed it before, whatever its status (docs/semantics.md §4).
 */
record EventRoutes(Admissions admissions, RequestReplyClient client, InstantSource clock, EventIds eventIds)
        implements Routes {

    private static final byte[] COMPLETION_PENDING = Json.write(CompletionBody.ofPending());
    private static final int MAX_EVENTS = 1000;

    /** The limit of the body of a single event. */
    private static final int MAX_EVENT_BYTES = 1024 * 1024;

    @Override
    public void mount(RouteTable routes) {
        for (String base : List.of("/v1", "/api")) {
            routes.post(base + "/metrics/{key}/event", RequiredRole.SUPPORT, this::record);
            routes.post(base + "/achievements/{key}/complete", RequiredRole.SUPPORT, this::complete);
        }
        routes.post("/admin/v1/metrics/events", RequiredRole.SUPPORT, this::recordBatch);
    }

    private void record(Context context) throws BadInputException {
        UUID eventId = eventIds.next();
        RecordEvent event = CommandJson.readEventBody(
                context.bodyAsBytes(),
                context.pathParam("key"),
                RequestParameters.headerText(context, "Idempotency-Key"),
                eventId);
        UserKey user = Caller.of(context).userKey(event.user().id());
        Metric metric =
                Objects.requireNonNull(HttpReplies.admit(admissions, user.tenant(), admission -> admission.check(event))
                        .metric());
        HttpReplies.write(
                context, assemble(client.ask(user, event)), () -> Json.write(EventBody.pending(eventId, metric.id())));
    }

    private static RequestResult assemble(RequestResult result) {
        return result instanceof RequestResult.Replied(int status, byte[] body, Parts parts, var _) && !parts.areNone()
                ? new RequestResult.Replied(status, EventReplyJson.assemble(body, parts))
                : result;
    }

    private void complete(Context context) throws BadInputException {
        CompleteAchievement completion =
                CommandJson.readCompletionBody(context.bodyAsBytes(), context.pathParam("key"));
        UserKey user = Caller.of(context).userKey(completion.user().id());
        HttpReplies.admit(admissions, user.tenant(), admission -> admission.check(completion));
        HttpReplies.write(context, client.ask(user, completion), () -> COMPLETION_PENDING);
    }

    private void recordBatch(Context context) throws BadInputException, IOException {
        Caller caller = Caller.of(context);
        List<TimedEvent> events = CommandJson.readBatch(BodyLimits.read(context), MAX_EVENTS, eventIds::next);
        Instant now = clock.instant();
        List<UserEvent> userEvents = events.stream()
                .map(timed -> new UserEvent(
                        caller.userKey(timed.event().user().id()),
                        timed.event(),
                        CommandJson.write(timed.event()),
                        timed.time()))
                .toList();
        HttpReplies.admit(admissions, caller.tenant(), admission -> check(userEvents, admission, now));
        caller.countBatch(events.size());
        switch (client.store(userEvents)) {
            case StoreResult.Unavailable(String reason) -> throw HttpRefusal.busy(reason);
            case StoreResult.Ended(List<Outcome> outcomes) -> {
                note(caller.audit(), outcomes);
                answer(context, events, outcomes);
            }
        }
    }

    private static void note(AuditNote audit, List<Outcome> outcomes) {
        audit.recorded((int)
                outcomes.stream().filter(outcome -> outcome == Outcome.STORED).count());
        if (outcomes.contains(Outcome.UNKNOWN)) {
            audit.unknown();
        }
    }

    /** Admits all events or denies the first one that may not go into the log. */
    private static Verdict check(List<UserEvent> events, Admission admission, Instant now) {
        for (int i = 0; i < events.size(); i++) {
            if (check(events.get(i), admission, now) instanceof Verdict.Denied(Refusal refusal)) {
                return new Verdict.Denied(refusal.at(i));
            }
        }
        return new Verdict.Admitted(null);
    }

    private static Verdict check(UserEvent timed, Admission admission, Instant now) {
        if (timed.time() != null && timed.time().isAfter(now)) {
            return invalid("time must not be in the future; here it is " + Json.time(now) + ".");
        }
        if (timed.time() != null && timed.time().toEpochMilli() <= 0) {
            return invalid("time must not be before 1970.");
        }
        if (timed.json().length > MAX_EVENT_BYTES) {
            return invalid("An event must not take more than 1 MiB.");
        }
        return admission.check(timed.event());
    }

    private static Verdict invalid(String message) {
        return new Verdict.Denied(Refusal.invalid(message));
    }

    private static void answer(Context context, List<TimedEvent> events, List<Outcome> outcomes) {
        var issues = new ArrayList<IssueBody>();
        for (int i = 0; i < outcomes.size(); i++) {
            switch (outcomes.get(i)) {
                case STORED -> {}
                case UNKNOWN ->
                    issues.add(issue(
                            i,
                            events.get(i),
                            "The log has not acknowledged this event: " + "it may be stored, or not."));
                case NOT_STORED, TOO_LARGE ->
                    issues.add(issue(i, events.get(i), "The log has not taken this event. It is not stored."));
            }
        }
        int accepted = outcomes.size() - issues.size();
        if (!issues.isEmpty()) {
            refuseIfRetryable(events, outcomes, accepted);
        }
        Answers.json(context, 202, new BatchBody(accepted, issues.isEmpty() ? Optional.empty() : Optional.of(issues)));
    }

    /** @throws HttpRefusal 503 if the client can send all events again without counting any twice */
    private static void refuseIfRetryable(List<TimedEvent> events, List<Outcome> outcomes, int accepted) {
        boolean isNothingStored =
                outcomes.stream().noneMatch(outcome -> outcome == Outcome.STORED || outcome == Outcome.UNKNOWN);
        if (isNothingStored) {
            throw HttpRefusal.busy("The log could not be written. Nothing was stored; try again.");
        }
        if (events.stream().allMatch(timed -> timed.event().idempotencyKey() != null)) {
            throw HttpRefusal.busy(
                    "Only " + accepted + " of " + events.size() + " events were acknowledged. Send all of "
                            + "them again with the same idempotency keys: none counts twice.");
        }
    }

    private static IssueBody issue(int index, TimedEvent timed, String message) {
        return IssueBody.ofUser(index, timed.event().user().id().value(), IssueBody.ERROR, message);
    }

    /**
     * Random UUIDs (version 4), as unique and as hard to guess as those of {@link UUID#randomUUID}. That method calls the secure
     * generator for each id; this class calls it once for 256 ids. A generator with 64 bits of state would be faster, but event ids
     * must not repeat among billions that any number of gateways create. Thread-safe.
     */
    static final class EventIds {

        private static final int BATCH = 256;

        private final SecureRandom random = new SecureRandom();
        private final byte[] bytes = new byte[BATCH * 2 * Long.BYTES];
        private final ByteBuffer unused = ByteBuffer.wrap(bytes).limit(0);
        private final ReentrantLock lock = new ReentrantLock();

        UUID next() {
            lock.lock();
            try {
                if (!unused.hasRemaining()) {
                    random.nextBytes(bytes);
                    unused.clear();
                }
                return new UUID(unused.getLong() & ~0xF000L | 0x4000L, unused.getLong() & ~0L >>> 2 | Long.MIN_VALUE);
            } finally {
                lock.unlock();
            }
        }
    }
}
