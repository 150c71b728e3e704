package dev.laurel.processors.ledger;

import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.GlobalBoostNotices;
import dev.laurel.core.engine.Notice;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.leaderboard.BoardMessage;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.ledger.LedgerMeters.End;
import dev.laurel.processors.store.boards.HeldScoreStore;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.KeyBody.KeysNotRevokedBody;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Writes the output of one partition of the ledger: effects, the outbox, scores, answers and rejections. Where another generation
 * produces the output, only scores are written, marked as silent. One task, one thread.
 */
final class LedgerOutput {

    private final ProcessorContext<Object, Object> context;
    private final String effects;
    private final LogCursor cursor;
    private final LedgerMeters meters;
    private final RejectionWriter rejections;
    private final ReplyWriter replies;
    private final OutboxWriter outbox;
    private final ScoreSender scores;

    LedgerOutput(ProcessorContext<Object, Object> context, CommandProcessor.Sinks sinks,
            CommandProcessor.Dependencies shared,
            LogCursor cursor) {
        this.context = context;
        this.effects = sinks.effects();
        this.cursor = cursor;
        this.meters = shared.meters();
        this.rejections = new RejectionWriter(context, sinks.rejections(), meters);
        this.replies = new ReplyWriter(context, sinks.replies(), meters);
        this.outbox = new OutboxWriter(context, sinks.outbox());
        this.scores = new ScoreSender(new ScoreOutlet(context, sinks.scores(), sinks.replies()), shared.floors(),
                shared.boards(), shared.spareScores(), cursor::isSilent,
                new RepeatedCommands(shared.ticks(), cursor.partition()));
    }

    void sendEffects(byte[] key, List<Effect> produced, long atMs) {
        if (cursor.isSilent()) {
            return;
        }
        for (Effect effect : produced) {
            context.forward(new Record<>(key, effect, atMs), effects);
        }
    }

    /** @param key of the user */
    void sendNotices(byte[] key, List<Notice> notices, CompiledRuleset rules, CommandContext at) {
        if (!cursor.isSilent()) {
            outbox.send(key, notices, rules, at);
        }
    }

    /** @param key of the erased user */
    void sendErased(byte[] key, CommandContext at) {
        if (!cursor.isSilent()) {
            outbox.sendErased(key, at);
        }
    }

    /** Announces starts and ends of boosts that concern all users of a tenant. */
    void sendBoosts(TenantId tenant, GlobalBoostNotices boosts) {
        if (!cursor.isSilent()) {
            sendEffects(tenant.bytes(), boosts.effects(), boosts.atMs());
            outbox.send(tenant, boosts.notices(), boosts.rules(), cursor.origin(), boosts.atMs());
        }
    }

    /** See {@link ScoreSender#send}. */
    List<String> sendScores(List<Score> changed, UserState user, long rulesVersion, CommandContext at,
            @Nullable ReplyTo replyTo) {
        return scores.send(changed, user, rulesVersion, at, replyTo);
    }

    /** Sends the scores that a tick has changed. */
    void sendTickScores(List<Score> changed, UserState user, long rulesVersion, CommandContext at) {
        if (!changed.isEmpty()) {
            scores.beginTick(cursor.boardOrigin());
            scores.send(changed, user, rulesVersion, at, null);
        }
    }

    /** See {@link ScoreSender#judge}. @param clockMs time of the leaderboards in this partition of the log */
    void judgeScores(long clockMs) {
        scores.judge(cursor.boardOrigin(), clockMs);
    }

    /** See {@link ScoreSender#restore}. */
    void restoreScores(HeldScoreStore stored) {
        scores.restore(stored);
    }

    /** See {@link ScoreSender#save}. */
    void saveScores(HeldScoreStore stored) {
        scores.save(stored, cursor.offset());
    }

    /** Sends a message to every partition of the leaderboards. @param replyTo awaits an answer of each; null: no client waits */
    void sendToBoards(BoardMessage message, long atMs, @Nullable ReplyTo replyTo) {
        scores.sendAll(message, cursor.boardOrigin(), atMs, replyTo);
    }

    /** See {@link ScoreSender#sendRules}. */
    void sendRules(BoardMessage.RulesPublished message, CompiledRuleset former, CompiledRuleset rules, boolean isHome,
            long atMs) {
        scores.sendRules(message, former, rules, isHome, cursor.boardOrigin(), atMs);
    }

    /** The client that waits for an answer of this generation; null if none does. */
    @Nullable
    ReplyTo replyTo(Record<byte[], byte[]> record) {
        return cursor.isSilent() ? null : ReplyHeaders.read(record.headers());
    }

    /** See {@link ReplyWriter#answer}. @param replyTo null: no client waits */
    void answer(@Nullable ReplyTo replyTo, CommandContext at, CompiledRuleset rules, UserState state,
            UserHistory history, Outcome.Answer answer, boolean isRepeated, List<String> awaited) {
        if (replyTo != null) {
            replies.answer(replyTo, at, rules, state, history, answer, isRepeated, awaited);
        }
    }

    /** Answers a command that shows nothing. */
    void answerDone(Record<byte[], byte[]> record) {
        ReplyTo replyTo = replyTo(record);
        if (replyTo != null) {
            replies.answerDone(replyTo, record.timestamp());
        }
    }

    /** @param doBoardsAnswer whether every partition of the leaderboards answers, too */
    void answerTick(ReplyTo replyTo, boolean isMoreDue, long atMs, boolean doBoardsAnswer) {
        replies.answerTick(replyTo, isMoreDue, atMs, doBoardsAnswer ? scores.partitions() : List.of());
    }

    void reject(Record<byte[], byte[]> record, String reason) {
        if (!cursor.isSilent()) {
            rejections.reject(record, reason);
        }
    }

    /** Answers the client that waits; without one, the record is rejected. */
    void refuse(Record<byte[], byte[]> record, Refusal refusal) {
        refuse(record, refusal, new ErrorBody(refusal.message()));
    }

    /** Refuses the erasure of a user. @param keys ids of the user's application keys whose revocation the erasure does not name */
    void refuseErasure(Record<byte[], byte[]> record, List<UUID> keys) {
        Refusal refusal = Refusal.keysNotRevoked(keys.size());
        refuse(record, refusal, new KeysNotRevokedBody(refusal.message(), keys));
    }

    private void refuse(Record<byte[], byte[]> record, Refusal refusal, Object body) {
        if (cursor.isSilent()) {
            return;
        }
        ReplyTo replyTo = ReplyHeaders.read(record.headers());
        if (replyTo == null) {
            rejections.reject(record, refusal.message());
        } else {
            meters.count(End.REFUSED);
            replies.refuse(replyTo, refusal.kind(), body, record.timestamp());
        }
    }
}
