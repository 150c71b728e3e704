package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.processors.store.boards.HeldScore;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.boards.LeaderboardCodecs.Sent;
import dev.laurel.processors.stream.LeaderboardLayout.ScoreKey;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.TaskTrace;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.util.List;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages to the leaderboards, and the answers that these need not give. One task, one thread.
 *
 * @param scores outlet for messages to the leaderboards
 * @param replies outlet for answers
 */
record ScoreForwarder(ProcessorContext<Object, Object> context, TaskTrace trace, String scores, String replies) {

    private static final byte[] NOT_RANKED = {};

    /** Sends a score, and once more to each further client. */
    void send(Origin origin, Scored scored, boolean silently, List<ReplyTo> waiting) {
        ScoreKey key = ScoreKey.of(scored);
        send(key, origin, scored, scored.atMs(), silently, waiting.isEmpty() ? null : waiting.getFirst());
        for (int i = 1; i < waiting.size(); i++) {
            send(key, origin, scored.unchanged(), scored.atMs(), silently, waiting.get(i));
        }
    }

    /** @param key null: for all partitions of the leaderboards */
    void send(
            @Nullable ScoreKey key,
            Origin origin,
            LeaderboardMessage message,
            long atMs,
            boolean silently,
            @Nullable ReplyTo replyTo) {
        var record = new Record<@Nullable ScoreKey, byte[]>(
                key, LeaderboardCodecs.MESSAGE.encode(new Sent(origin, message)), atMs);
        if (replyTo != null) {
            ReplyHeaders.write(record.headers(), replyTo);
        }
        if (silently) {
            OutputWindow.markSilent(record.headers());
        }
        trace.write(record.headers());
        context.forward(record, scores);
    }

    /** Answers the waiting clients that the user is not on the leaderboard. */
    void answer(HeldScore judged) {
        for (ReplyTo replyTo : judged.waiting()) {
            var reply = new Record<Integer, byte[]>(
                    replyTo.partition(), NOT_RANKED, judged.score().atMs());
            ReplyHeaders.writePart(reply.headers(), replyTo.requestId(), judged.key());
            trace.write(reply.headers());
            context.forward(reply, replies);
        }
    }
}
