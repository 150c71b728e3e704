package dev.laurel.processors.ledger;

import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.EventBody.TickBody;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes answers to {@code laurel.replies}, into the partition of the gateway that waits. One task, one thread. */
record ReplyWriter(ProcessorContext<Object, Object> context, String outlet, LedgerMeters meters) {

    private static final Logger LOG = LoggerFactory.getLogger(ReplyWriter.class);
    private static final byte[] NOTHING = Json.write(Map.of());

    /** Leaves room for the headers and the frame of the record. */
    private static final int MAX_REPLY_BYTES = Topics.MAX_RECORD_BYTES - 64 * 1024;

    /**
     * Answers a command.
     *
     * @param state of the user after the command
     * @param isRepeated whether the command was applied before
     * @param awaited keys of the leaderboards that answer separately; only for an event
     */
    void answer(ReplyTo replyTo, CommandContext at, CompiledRuleset rules, UserState state, UserHistory history,
            Outcome.Answer answer, boolean isRepeated, List<String> awaited) {
        // A repeated command changes nothing, so its record may be newer than the user's newest time; a late event is older.
        long nowMs = Math.max(state.newestMs(), at.atMs());
        int eventStatus = isRepeated ? 202 : 201;
        switch (answer) {
            case Outcome.EventResult result -> send(replyTo, eventStatus,
                    Json.write(result.body(at, state, rules, history, nowMs, awaited.isEmpty())), at.atMs(),
                    awaited);
            case Outcome.UserShown _ -> send(replyTo, 200, Json.write(Bodies.user(state)), at.atMs());
            case Outcome.CompletionResult result -> send(replyTo, eventStatus,
                    Json.write(result.body(at.user(), state, rules, nowMs)), at.atMs());
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

    /** Answers a command that shows nothing. */
    void answerDone(ReplyTo replyTo, long atMs) {
        send(replyTo, 200, NOTHING, atMs);
    }

    void refuse(ReplyTo replyTo, Refusal.Kind kind, Object body, long atMs) {
        send(replyTo, kind.status(), Json.write(body), atMs);
    }

    /**
     * Answers a tick.
     *
     * @param isMoreDue whether another tick of the same time would have work
     * @param awaited partitions of the leaderboards that answer separately
     */
    void answerTick(ReplyTo replyTo, boolean isMoreDue, long atMs, List<String> awaited) {
        send(replyTo, 200, Json.write(new TickBody(isMoreDue)), atMs, awaited);
    }

    private void send(ReplyTo replyTo, int status, byte[] body, long atMs) {
        send(replyTo, status, body, atMs, List.of());
    }

    private void send(ReplyTo replyTo, int status, byte[] body, long atMs, List<String> awaited) {
        if (body.length > MAX_REPLY_BYTES) {
            // Kafka would refuse it, and the task would fail at this command at every start. The client gets "pending".
            var position = context.recordMetadata().orElseThrow();
            LOG.warn("Did not answer {}-{}@{}: the answer would have {} bytes, the maximum is {}", position.topic(),
                    position.partition(), position.offset(), body.length, MAX_REPLY_BYTES);
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
