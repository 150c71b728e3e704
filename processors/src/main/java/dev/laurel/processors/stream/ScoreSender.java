package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardFloors;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardMessage;
import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.core.leaderboard.BoardMessage.Scored;
import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.core.user.CommandContext;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.BoardMessages;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Tells the leaderboards what they need to know, and keeps at home what cannot matter to them: a value that neither was nor
 * comes among the participants of a full group. That is judged by what the leaderboards have last said ({@link BoardFloors}),
 * which may lag; in doubt a score travels. One task, one thread.
 */
final class ScoreSender {

    private final ProcessorContext<Object, Object> context;
    private final String outlet;
    private final BoardFloors floors;
    private final BoardLayout layout;
    private final List<String> partitions;

    /** Whether another generation tells what follows from what is sent. */
    private boolean isSilent;

    ScoreSender(ProcessorContext<Object, Object> context, String outlet, BoardFloors floors, BoardLayout layout) {
        this.context = context;
        this.outlet = outlet;
        this.floors = floors;
        this.layout = layout;
        this.partitions = IntStream.range(0, layout.partitions()).mapToObj(Integer::toString).toList();
    }

    /** From here on. */
    void beSilent(boolean silent) {
        isSilent = silent;
    }

    /**
     * Sends what a command has made of a user's scores.
     *
     * @param user after the command
     * @param rulesVersion under which the scores were worked out
     * @param replyTo who waits for the ranks that come of it, null if nobody
     * @return keys of the leaderboards that answer to {@code replyTo}, in the order of the scores
     */
    List<String> send(List<Score> scores, UserState user, long rulesVersion, CommandContext at, ReplyTo replyTo) {
        if (scores.isEmpty()) {
            return List.of();
        }
        List<String> awaited = replyTo == null ? List.of() : new ArrayList<>(scores.size());
        for (Score score : scores) {
            boolean isOfInterest = score.kind() != Score.Kind.SAME || replyTo != null;
            if (!isOfInterest || !mayMatter(score, at)) {
                continue;
            }
            // The answer shows the current run; another one is only brought up to date.
            boolean isAwaited = replyTo != null && score.isCurrent();
            send(score, user, rulesVersion, at, isAwaited ? replyTo : null);
            if (isAwaited) {
                awaited.add(score.rules().board().key());
            }
        }
        return awaited;
    }

    private void send(Score score, UserState user, long rulesVersion, CommandContext at, ReplyTo replyTo) {
        var scored = new Scored(at.user().tenant(), rulesVersion, score.rules().number(), score.run(),
                score.isCurrent(), at.user().user(), user.profile().name(), score.group(), score.value(),
                score.changedMs(), score.kind(), at.atMs());
        forward(new ScoreKey(scored.tenant(), scored.board()), new Origin(at.partition(), at.offset()), scored,
                at.atMs(), replyTo);
    }

    /**
     * Tells every partition of the leaderboards.
     *
     * @param atMs time of the command
     * @param replyTo who waits for an answer of each of them, {@link #partitions}; null if nobody
     */
    void tellAll(BoardMessage message, Origin origin, long atMs, ReplyTo replyTo) {
        forward(null, origin, message, atMs, replyTo);
    }

    private void forward(ScoreKey key, Origin origin, BoardMessage message, long atMs, ReplyTo replyTo) {
        var record = new Record<ScoreKey, byte[]>(key, BoardMessages.write(origin, message), atMs);
        if (replyTo != null) {
            ReplyHeaders.write(record.headers(), replyTo);
        }
        if (isSilent) {
            SilentHeader.write(record.headers());
        }
        context.forward(record, outlet);
    }

    /** The names under which the partitions of the leaderboards answer to {@link #tellAll}. */
    List<String> partitions() {
        return partitions;
    }

    private boolean mayMatter(Score score, CommandContext at) {
        if (!score.isCurrent() && score.rules().isBrokenDown()) {
            // Whoever takes part in such a run does so in the group of that time, which only the leaderboard remembers.
            return true;
        }
        if (score.formerOffset() == Score.UNHEARD) {
            // The leaderboard may know the user in any group.
            return true;
        }
        return switch (score.kind()) {
            case CHANGED -> mayTakePart(score, score.formerGroup(), score.before(), at)
                    || mayEnter(score, at);
            case RENAMED, SAME -> mayTakePart(score, score.group(), score.value(), at);
        };
    }

    /**
     * Whether the user may be among the participants of this group, with this value, which was the last to change. Surely not,
     * if the leaderboards had heard of that change when they asked for more.
     */
    private boolean mayTakePart(Score score, List<String> group, BigDecimal value, CommandContext at) {
        return group != null && value.signum() > 0 && (isNews(score, at) || isAtLeast(score, group, value, 0, at));
    }

    /**
     * Whether a group would take the user, who may be a newcomer: a full one only above its lowest (semantics.md §7). While it
     * may not have heard that the user has left, that lowest may be the user's own, or the place that the user made free.
     */
    private boolean mayEnter(Score score, CommandContext at) {
        List<String> group = score.group();
        return group != null && score.value().signum() > 0
                && (isNews(score, at) || isAtLeast(score, group, score.value(), 1, at));
    }

    /** Whether the leaderboards may not have heard of the last change before this one when they said their floors. */
    private boolean isNews(Score score, CommandContext at) {
        return floors.heardTo(layout.partitionOf(at.user().tenant(), score.rules().number()),
                at.partition()) <= score.formerOffset();
    }

    /** @param least how the value compares at least with the floor; anything is enough where there is none */
    private boolean isAtLeast(Score score, List<String> group, BigDecimal value, int least, CommandContext at) {
        // After the positions: floors are published before the positions they go with, so one read later is no older.
        BigDecimal floor = floorOf(score, group, at);
        return floor == null || value.compareTo(floor) >= least;
    }

    private BigDecimal floorOf(Score score, List<String> group, CommandContext at) {
        return floors.floorOf(new BoardGroup(at.user().tenant(), score.rules().number(), score.run(), group));
    }
}
