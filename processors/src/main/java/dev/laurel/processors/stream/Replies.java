package dev.laurel.processors.stream;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.CommandContext;
import dev.laurel.processors.core.user.Outcome;
import dev.laurel.processors.core.user.Pause;
import dev.laurel.processors.core.user.UserBoost;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.core.view.PointsBodies;
import dev.laurel.processors.core.view.StreakBodies;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.TickBody;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers to those who wait: {@code laurel.replies}, the partition of the waiting gateway. One task, one thread. */
final class Replies {

    private static final Logger LOG = LoggerFactory.getLogger(Replies.class);
    private static final byte[] NOTHING = Json.write(Map.of());
    static final byte[] MORE_IS_DUE = Json.write(new TickBody(true));
    static final byte[] ALL_HAS_FIRED = Json.write(new TickBody(false));

    /** Leaves room for the headers and the frame of the record. */
    private static final int MAX_REPLY_BYTES = Topics.MAX_RECORD_BYTES - 64 * 1024;

    private final ProcessorContext<Object, Object> context;
    private final String outlet;
    private final LedgerMeters meters;

    Replies(ProcessorContext<Object, Object> context, String outlet, LedgerMeters meters) {
        this.context = context;
        this.outlet = outlet;
        this.meters = meters;
    }

    /**
     * Tells what a command has come to.
     *
     * @param state of the user after it
     * @param isRepeated it had been done before
     * @param awaited keys of leaderboards that answer by themselves; only to an event
     */
    void answer(ReplyTo replyTo, CommandContext at, CompiledRuleset rules, UserState state, UserHistory history,
            Outcome.Answer answer, boolean isRepeated, List<String> awaited) {
        // A repeated key moves nothing, so the record may be newer than the user's newest time; a late event is older.
        long nowMs = Math.max(state.newestMs(), at.atMs());
        int done = isRepeated ? 202 : 201;
        switch (answer) {
            case Outcome.EventResult result -> send(replyTo, done,
                    Json.write(Bodies.event(at, state, rules, history, result, nowMs, awaited.isEmpty())), at.atMs(),
                    awaited);
            case Outcome.UserShown _ -> send(replyTo, 200, Json.write(Bodies.user(state)), at.atMs());
            case Outcome.CompletionResult result -> send(replyTo, done,
                    Json.write(Bodies.completion(at.user(), state, rules, result, nowMs)), at.atMs());
            case Outcome.PreferencesShown _ ->
                send(replyTo, 200, Json.write(Bodies.preferences(state.preferences(), rules)), at.atMs());
            case Outcome.StreakShown _ -> send(replyTo, 200,
                    Json.write(StreakBodies.event(state, rules, history, false, nowMs)), at.atMs());
            case Outcome.PauseShown(Pause pause) ->
                send(replyTo, 201, Json.write(Bodies.pause(state, pause)), at.atMs());
            case Outcome.BoostShown(UserBoost boost) -> send(replyTo, 201,
                    Json.write(PointsBodies.boost(state.id(), boost, Bodies.today(state, rules, nowMs))), at.atMs());
            case Outcome.MessageQueued _ -> send(replyTo, 202, NOTHING, at.atMs());
            case Outcome.Done _ -> send(replyTo, 200, NOTHING, at.atMs());
        }
    }

    void refuse(ReplyTo replyTo, Refusal refusal, long atMs) {
        send(replyTo, refusal.kind().status(), Json.write(new ErrorBody(refusal.message())), atMs);
    }

    /**
     * Tells what a tick has come to.
     *
     * @param isMoreDue another one of the same time would find something to do
     * @param awaited partitions of the leaderboards that say by themselves whether they have something left
     */
    void answerTick(ReplyTo replyTo, boolean isMoreDue, long atMs, List<String> awaited) {
        send(replyTo, 200, isMoreDue ? MORE_IS_DUE : ALL_HAS_FIRED, atMs, awaited);
    }

    private void send(ReplyTo replyTo, int status, byte[] body, long atMs) {
        send(replyTo, status, body, atMs, List.of());
    }

    private void send(ReplyTo replyTo, int status, byte[] body, long atMs, List<String> awaited) {
        if (body.length > MAX_REPLY_BYTES) {
            // Kafka would not take it, and the task would fail on this command at every start. Who waits is told "pending".
            var place = context.recordMetadata().orElseThrow();
            LOG.warn("no answer to {}-{}@{}: it would take {} bytes", place.topic(), place.partition(), place.offset(),
                    body.length);
            return;
        }
        var reply = new Record<Integer, byte[]>(replyTo.partition(), body, atMs);
        ReplyHeaders.writeAnswer(reply.headers(), replyTo.requestId(), status);
        if (!awaited.isEmpty()) {
            ReplyHeaders.writeAwaits(reply.headers(), awaited);
        }
        context.forward(reply, outlet);
        meters.answered(atMs);
    }
}
