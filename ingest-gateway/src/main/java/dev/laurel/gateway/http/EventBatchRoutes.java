package dev.laurel.gateway.http;

import dev.laurel.gateway.admission.Admission;
import dev.laurel.gateway.admission.Admissions;
import dev.laurel.gateway.admission.Verdict;
import dev.laurel.gateway.publish.Publisher.Outcome;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.gateway.reply.Occurrence;
import dev.laurel.gateway.reply.Stored;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.TimedEvent;
import dev.laurel.schemas.http.BodyLimits;
import dev.laurel.schemas.http.Caller;
import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.BatchBody;
import dev.laurel.schemas.wire.IssueBody;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code POST /admin/v1/metrics/events} (admin-api.md A3): all of a batch is checked before any of it is stored, and it is
 * answered when the log has acknowledged all of it.
 *
 * <p>If the log takes only a part, which a broken Kafka alone can cause, a 5xx would make clients send the whole again, and
 * what is there would count twice, unless every event has an idempotency key: only then the answer is 503. Else it is 202 with
 * the number of those that were acknowledged and an issue for each of the others.
 */
public final class EventBatchRoutes implements Routes {

    private static final int MAX_EVENTS = 1000;

    /** As much as the body of a single event may take. */
    private static final int MAX_EVENT_BYTES = 1024 * 1024;

    private final Admissions admissions;
    private final Exchange exchange;
    private final InstantSource clock;
    private final EventIds eventIds = new EventIds();

    public EventBatchRoutes(Admissions admissions, Exchange exchange, InstantSource clock) {
        this.admissions = admissions;
        this.exchange = exchange;
        this.clock = clock;
    }

    @Override
    public void mount(RoutesConfig routes) {
        routes.post("/admin/v1/metrics/events", this::store);
    }

    private void store(Context context) throws BadInputException, IOException {
        Caller caller = Caller.of(context);
        List<TimedEvent> events = CommandJson.readBatch(BodyLimits.read(context), MAX_EVENTS, eventIds::next);
        Instant now = clock.instant();
        Entry.orRefuse(admissions, caller.tenant(), admission -> judge(events, admission, now));
        List<Occurrence> occurrences = events.stream().map(timed -> new Occurrence(
                caller.userKey(timed.event().user().id()), timed.event(), timed.time())).toList();
        switch (exchange.store(occurrences)) {
            case Stored.Unavailable(String reason) -> throw HttpRefusal.busy(reason, Answers.RETRY_AFTER_S);
            case Stored.Ended(List<Outcome> outcomes) -> answer(context, events, outcomes);
        }
    }

    /** All of them, or the first that may not go into the log. */
    private static Verdict judge(List<TimedEvent> events, Admission admission, Instant now) {
        for (int i = 0; i < events.size(); i++) {
            if (judge(events.get(i), admission, now) instanceof Verdict.Refused(Refusal refusal)) {
                return new Verdict.Refused(refusal.at(i));
            }
        }
        return new Verdict.Admitted(null);
    }

    private static Verdict judge(TimedEvent timed, Admission admission, Instant now) {
        if (timed.time() != null && timed.time().isAfter(now)) {
            return invalid("time must not be in the future; here it is " + Json.time(now) + ".");
        }
        if (timed.time() != null && timed.time().toEpochMilli() <= 0) {
            return invalid("time must not be before 1970.");
        }
        if (CommandJson.write(timed.event()).length > MAX_EVENT_BYTES) {
            return invalid("An event must not take more than 1 MiB.");
        }
        return admission.check(timed.event());
    }

    private static Verdict invalid(String message) {
        return new Verdict.Refused(Refusal.invalid(message));
    }

    private static void answer(Context context, List<TimedEvent> events, List<Outcome> outcomes) {
        var issues = new ArrayList<IssueBody>();
        for (int i = 0; i < outcomes.size(); i++) {
            switch (outcomes.get(i)) {
                case STORED -> {
                }
                case UNKNOWN -> issues.add(issue(i, events.get(i), "The log has not acknowledged this event: "
                        + "it may be stored, or not."));
                case NOT_STORED, TOO_LARGE ->
                    issues.add(issue(i, events.get(i), "The log has not taken this event. It is not stored."));
            }
        }
        int accepted = outcomes.size() - issues.size();
        if (!issues.isEmpty()) {
            expectNoRetry(events, outcomes, accepted);
        }
        HttpServer.answer(context, 202, Json.write(
                new BatchBody(accepted, issues.isEmpty() ? Optional.empty() : Optional.of(issues))));
    }

    /** @throws HttpRefusal 503 where it does no harm if the client sends everything again */
    private static void expectNoRetry(List<TimedEvent> events, List<Outcome> outcomes, int accepted) {
        boolean isNothingStored = outcomes.stream()
                .noneMatch(outcome -> outcome == Outcome.STORED || outcome == Outcome.UNKNOWN);
        if (isNothingStored) {
            throw HttpRefusal.busy("The log could not be written. Nothing was stored; try again.",
                    Answers.RETRY_AFTER_S);
        }
        if (events.stream().allMatch(timed -> timed.event().idempotencyKey() != null)) {
            throw HttpRefusal
                    .busy("Only " + accepted + " of " + events.size() + " events were acknowledged. Send all of "
                            + "them again with the same idempotency keys: none counts twice.", Answers.RETRY_AFTER_S);
        }
    }

    private static IssueBody issue(int index, TimedEvent timed, String message) {
        return IssueBody.ofUser(index, timed.event().user().id().value(), IssueBody.ERROR, message);
    }
}
