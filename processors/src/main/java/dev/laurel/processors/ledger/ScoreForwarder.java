package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scores;
import dev.laurel.core.leaderboard.LeaderboardMessage.TeamScores;
import dev.laurel.core.leaderboard.LeaderboardMessage.TeamScores.Team;
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
 * Writes messages to the leaderboards. One task, one thread.
 *
 * @param outlet the name of the node that gets them
 */
record ScoreForwarder(ProcessorContext<Object, Object> context, TaskTrace trace, String outlet) {

    /**
     * Sends scores of one partition of the leaderboards, of teams or users.
     *
     * @param replyTo awaits the rank by the last one; null: no client waits
     */
    void send(Origin origin, List<Team> teams, List<Scored> scores, boolean silently, @Nullable ReplyTo replyTo) {
        if (teams.isEmpty()) {
            Scored last = scores.getLast();
            send(ScoreKey.of(last), origin, new Scores(scores), last.atMs(), silently, replyTo);
        } else {
            Team last = teams.getLast();
            var key = new ScoreKey(last.group().tenant(), last.group().board(), 0);
            long atMs = scores.isEmpty()
                    ? last.part().changedMs()
                    : scores.getLast().atMs();
            send(key, origin, new TeamScores(teams, scores), atMs, silently, replyTo);
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
        context.forward(record, outlet);
    }
}
