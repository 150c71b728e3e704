package dev.laurel.processors.ledger;

import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.GlobalBoostNotices;
import dev.laurel.core.engine.Notice;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.processors.ledger.LedgerMeters.End;
import dev.laurel.processors.stream.TaskTrace;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Rejection;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.EventBody.TickBody;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the output of one partition of the ledger: effects, the outbox, answers and rejections. Where another generation produces the
 * output, it writes nothing, and {@code scores} marks what it sends as silent. One task, one thread.
 *
 * @param scores sends scores and messages to the leaderboards
 */
record LedgerOutput(
        ProcessorContext<Object, Object> context,
        TaskTrace trace,
        LogCursor cursor,
        LedgerMeters meters,
        ScoreSender scores) {

    /** The names of the nodes that get the output. */
    static final String EFFECTS_SINK = "effects-sink";

    static final String OUTBOX_SINK = "outbox-sink";
    static final String SCORES_SINK = "scores-sink";
    static final String REPLIES_SINK = "replies-sink";
    static final String REJECTIONS_SINK = "rejections-sink";

    private static final Logger LOG = LoggerFactory.getLogger(LedgerOutput.class);

    private static final Map<String, Object> NOTHING = Map.of();
    /** Leaves room for the headers and the frame of the record. */
    private static final int MAX_REPLY_BYTES = Topics.MAX_RECORD_BYTES - 64 * 1024;
    /** Follows the tenant in the owner of an id; no text of a user's key ends like this. */
    private static final String NO_USER = "//";

    void sendEffects(byte[] key, List<Effect> produced, long atMs) {
        if (cursor.isSilent()) {
            return;
        }
        for (Effect effect : produced) {
            context.forward(new Record<>(key, effect, atMs), EFFECTS_SINK);
        }
    }

    /** @param key of the user */
    void sendNotices(byte[] key, List<Notice> notices, CompiledRuleset rules, CommandContext at) {
        if (cursor.isSilent()) {
            return;
        }
        for (int i = 0; i < notices.size(); i++) {
            UUID id = Notice.idOf(at.first(), i, at.user().text());
            send(key, outgoing(notices.get(i), id, at.user(), rules), at.atMs());
        }
    }

    /** @param key of the erased user */
    void sendErased(byte[] key, CommandContext at) {
        send(
                key,
                new Outgoing.UserErased(
                        Notice.idOf(at.first(), 0, at.user().text()),
                        at.user().tenant(),
                        Instant.ofEpochMilli(at.atMs()),
                        at.user().user()),
                at.atMs());
    }

    /** Announces starts and ends of boosts that concern all users of a tenant. A record causes them only once. */
    void sendBoosts(TenantId tenant, GlobalBoostNotices boosts) {
        if (cursor.isSilent()) {
            return;
        }
        byte[] key = tenant.bytes();
        sendEffects(key, boosts.effects(), boosts.atMs());
        List<Notice.ForWebhooks> notices = boosts.notices();
        for (int i = 0; i < notices.size(); i++) {
            UUID id = Notice.idOf(cursor.origin(), i, tenant.value() + NO_USER);
            send(key, hookEvent(notices.get(i), id, tenant, boosts.rules()), boosts.atMs());
        }
    }

    private void send(byte[] key, Outgoing outgoing, long atMs) {
        if (!cursor.isSilent()) {
            context.forward(new Record<>(key, outgoing, atMs), OUTBOX_SINK);
        }
    }

    private static Outgoing outgoing(Notice notice, UUID id, UserKey user, CompiledRuleset rules) {
        return switch (notice) {
            case Notice.ForWebhooks event -> hookEvent(event, id, user.tenant(), rules);
            case Notice.ForUser message ->
                new Outgoing.Message(
                        id,
                        user.tenant(),
                        message.at(),
                        message.rulesVersion(),
                        user.user(),
                        message.type(),
                        message.copies(),
                        Json.text(message.body()));
        };
    }

    private static Outgoing hookEvent(Notice.ForWebhooks notice, UUID id, TenantId tenant, CompiledRuleset rules) {
        return new Outgoing.HookEvent(
                id,
                tenant,
                notice.at(),
                notice.event(),
                rules.hooks().wanting(notice.event()),
                notice.about(),
                Json.text(notice.payload()));
    }

    /** The client that waits for an answer of this generation; null if none does. */
    @Nullable
    ReplyTo replyTo(Record<byte[], byte[]> record) {
        return cursor.isSilent() ? null : ReplyHeaders.read(record.headers());
    }

    /**
     * Answers a command, into the partition of the gateway that waits.
     *
     * @param replyTo null: no client waits
     * @param state of the user after the command
     * @param isRepeated whether the command was applied before
     * @param awaited keys of the leaderboards that answer separately; only for an event
     */
    void answer(
            @Nullable ReplyTo replyTo,
            CommandContext at,
            CompiledRuleset rules,
            UserState state,
            UserHistory history,
            Outcome.Answer answer,
            boolean isRepeated,
            List<String> awaited) {
        if (replyTo == null) {
            return;
        }
        // A repeated command changes nothing, so its record may be newer than the user's newest time; a late event is
        // older.
        long nowMs = Math.max(state.newestMs(), at.atMs());
        int eventStatus = isRepeated ? 202 : 201;
        switch (answer) {
            case Outcome.EventResult result ->
                send(
                        replyTo,
                        eventStatus,
                        result.body(at, state, rules, history, nowMs, awaited.isEmpty()),
                        at.atMs(),
                        awaited);
            case Outcome.UserShown _ -> send(replyTo, 200, Bodies.user(state), at.atMs());
            case Outcome.CompletionResult result ->
                send(replyTo, eventStatus, result.body(at.user(), state, rules, nowMs), at.atMs());
            case Outcome.PreferencesShown _ ->
                send(replyTo, 200, Bodies.preferences(state.preferences(), rules), at.atMs());
            case Outcome.StreakShown _ ->
                send(replyTo, 200, StreakBodies.event(state, rules, history, false, nowMs), at.atMs());
            case Outcome.PauseShown(Pause pause) -> send(replyTo, 201, Bodies.pause(state, pause), at.atMs());
            case Outcome.BoostShown(UserBoost boost) ->
                send(replyTo, 201, PointsBodies.boost(state.id(), boost, Bodies.today(state, rules, nowMs)), at.atMs());
            case Outcome.MessageQueued _ -> send(replyTo, 202, NOTHING, at.atMs());
            case Outcome.Done _ -> send(replyTo, 200, NOTHING, at.atMs());
        }
    }

    /** Answers a command that shows nothing. */
    void answerDone(Record<byte[], byte[]> record) {
        ReplyTo replyTo = replyTo(record);
        if (replyTo != null) {
            send(replyTo, 200, NOTHING, record.timestamp());
        }
    }

    /**
     * Answers a tick.
     *
     * @param isMoreDue whether another tick of the same time would have work
     * @param doBoardsAnswer whether every partition of the leaderboards answers, too
     */
    void answerTick(ReplyTo replyTo, boolean isMoreDue, long atMs, boolean doBoardsAnswer) {
        send(replyTo, 200, new TickBody(isMoreDue), atMs, doBoardsAnswer ? scores.partitions() : List.of());
    }

    /** Writes a record that cannot be used to {@code laurel.rejections}, counts and logs it. The partition continues. */
    void reject(Record<byte[], byte[]> record, String reason) {
        if (cursor.isSilent()) {
            return;
        }
        var position = context.recordMetadata().orElseThrow();
        meters.count(End.REJECTED);
        // The reason may quote a user's input, so it is only in the rejection.
        LOG.warn(
                "Rejected {}-{}@{}; the reason is in {}",
                position.topic(),
                position.partition(),
                position.offset(),
                Topics.REJECTIONS.name());
        LOG.debug("Reason of the rejection: {}", reason);
        var rejection = Rejection.of(
                new TopicPartition(position.topic(), position.partition()),
                position.offset(),
                record.timestamp(),
                Rejection.keyOf(record.key()),
                record.value(),
                reason);
        context.forward(new Record<>(record.key(), rejection, rejection.time().toEpochMilli()), REJECTIONS_SINK);
    }

    /** Answers the client that waits; without one, the record is rejected. */
    void refuse(Record<byte[], byte[]> record, Refusal refusal) {
        refuse(record, refusal, new ErrorBody(refusal.message()));
    }

    /** Works like {@link #refuse(Record, Refusal)}. @param body of the answer */
    void refuse(Record<byte[], byte[]> record, Refusal refusal, Object body) {
        ReplyTo replyTo = replyTo(record);
        if (replyTo == null) {
            reject(record, refusal.message());
        } else {
            meters.count(End.REFUSED);
            send(replyTo, refusal.kind().status(), body, record.timestamp());
        }
    }

    private void send(ReplyTo replyTo, int status, Object body, long atMs) {
        send(replyTo, status, body, atMs, List.of());
    }

    private void send(ReplyTo replyTo, int status, Object answer, long atMs, List<String> awaited) {
        byte[] body = Json.write(answer);
        if (body.length > MAX_REPLY_BYTES) {
            // Kafka would refuse it, and the task would fail at this command at every start. The client gets "pending".
            var position = context.recordMetadata().orElseThrow();
            LOG.warn(
                    "Did not answer {}-{}@{}: the answer would have {} bytes, the maximum is {}",
                    position.topic(),
                    position.partition(),
                    position.offset(),
                    body.length,
                    MAX_REPLY_BYTES);
            return;
        }
        var reply = new Record<Integer, byte[]>(replyTo.partition(), body, atMs);
        ReplyHeaders.writeAnswer(reply.headers(), replyTo.requestId(), status);
        if (!awaited.isEmpty()) {
            ReplyHeaders.writeAwaits(reply.headers(), awaited);
        }
        trace.write(reply.headers());
        context.forward(reply, REPLIES_SINK);
        meters.answered(atMs);
    }
}
