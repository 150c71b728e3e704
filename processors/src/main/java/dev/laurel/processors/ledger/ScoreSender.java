package dev.laurel.processors.ledger;

import dev.laurel.processors.core.engine.CommandContext;
import dev.laurel.processors.core.leaderboard.BoardFloors;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.core.leaderboard.BoardMessage.Scored;
import dev.laurel.processors.core.leaderboard.BoardMessage;
import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.BoardMessages;
import dev.laurel.processors.stream.BoardLayout.ScoreKey;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.ReplyHeaders;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Sends scores and markers to the leaderboards. Leaves out scores that cannot matter, because the user neither was nor becomes a
 * participant of a full group. The floors that the leaderboards published last ({@link BoardFloors}) decide this; they may lag, and in
 * doubt a score is sent. One task, one thread.
 */
final class ScoreSender {

    private final ProcessorContext<Object, Object> context;
    private final String outlet;
    private final BoardFloors floors;
    private final BoardLayout layout;
    private final List<String> partitions;
    private final BooleanSupplier isSilent;

    /** @param isSilent whether another generation produces the output that follows from what is sent */
    ScoreSender(ProcessorContext<Object, Object> context, String outlet, BoardFloors floors, BoardLayout layout,
            BooleanSupplier isSilent) {
        this.context = context;
        this.outlet = outlet;
        this.floors = floors;
        this.layout = layout;
        this.isSilent = isSilent;
        this.partitions = IntStream.range(0, layout.partitions()).mapToObj(Integer::toString).toList();
    }

    /**
     * Sends the scores that a command has changed.
     *
     * @param user after the command
     * @param rulesVersion under which the scores were computed
     * @param replyTo awaits the resulting ranks; null: no client waits
     * @return keys of the leaderboards that answer to {@code replyTo}, in the order of the scores
     */
    List<String> send(List<Score> scores, UserState user, long rulesVersion, CommandContext at,
            @Nullable ReplyTo replyTo) {
        if (scores.isEmpty()) {
            return List.of();
        }
        List<String> awaited = replyTo == null ? List.of() : new ArrayList<>(scores.size());
        for (Score score : scores) {
            boolean isOfInterest = score.kind() != Score.Kind.SAME || replyTo != null;
            if (!isOfInterest || !mayMatter(score, at)) {
                continue;
            }
            // The answer shows the current run only.
            boolean isAwaited = replyTo != null && score.isCurrent();
            send(score, user, rulesVersion, at, isAwaited ? replyTo : null);
            if (isAwaited) {
                awaited.add(score.rules().board().key());
            }
        }
        return awaited;
    }

    private void send(Score score, UserState user, long rulesVersion, CommandContext at,
            @Nullable ReplyTo replyTo) {
        var scored = new Scored(at.user().tenant(), rulesVersion, score.rules().number(), score.run(),
                score.isCurrent(), at.user().user(), user.profile().name(), score.group(), score.value(),
                score.changedMs(), score.kind(), at.atMs());
        forward(new ScoreKey(scored.tenant(), scored.board()), new Origin(at.partition(), at.offset()), scored,
                at.atMs(), replyTo);
    }

    /**
     * Sends a message to every partition of the leaderboards.
     *
     * @param atMs time of the command
     * @param replyTo awaits an answer of each of the {@link #partitions}; null: no client waits
     */
    void sendAll(BoardMessage message, Origin origin, long atMs, @Nullable ReplyTo replyTo) {
        forward(null, origin, message, atMs, replyTo);
    }

    private void forward(@Nullable ScoreKey key, Origin origin, BoardMessage message, long atMs,
            @Nullable ReplyTo replyTo) {
        var record = new Record<@Nullable ScoreKey, byte[]>(key, BoardMessages.write(origin, message), atMs);
        if (replyTo != null) {
            ReplyHeaders.write(record.headers(), replyTo);
        }
        if (isSilent.getAsBoolean()) {
            OutputWindow.markSilent(record.headers());
        }
        context.forward(record, outlet);
    }

    /** The names under which the partitions of the leaderboards answer to {@link #sendAll}. */
    List<String> partitions() {
        return partitions;
    }

    private boolean mayMatter(Score score, CommandContext at) {
        if (!score.isCurrent() && score.rules().isBrokenDown()) {
            // Participants of a past run are in their groups of that time, which only the leaderboard knows.
            return true;
        }
        if (score.formerOffset() == Score.UNREPORTED) {
            // The user may participate in any group.
            return true;
        }
        return switch (score.kind()) {
            case CHANGED -> mayTakePart(score, score.formerGroup(), score.before(), at)
                    || mayEnter(score, at);
            case RENAMED, SAME -> mayTakePart(score, score.group(), score.value(), at);
        };
    }

    /**
     * Whether the user may be a participant of this group with this value. This is impossible if the leaderboards knew of the value's
     * last change when they published a higher floor.
     */
    private boolean mayTakePart(Score score, @Nullable List<String> group, BigDecimal value, CommandContext at) {
        return group != null && value.signum() > 0 && (isNews(score, at) || isAtLeast(score, group, value, 0, at));
    }

    /**
     * Whether the user, who may be a newcomer, may enter a group: a full group only above its lowest value (docs/semantics.md §7). If
     * the group may not know yet that the user has left, the lowest value may be the user's own, or the rank may be free.
     */
    private boolean mayEnter(Score score, CommandContext at) {
        List<String> group = score.group();
        return group != null && score.value().signum() > 0
                && (isNews(score, at) || isAtLeast(score, group, score.value(), 1, at));
    }

    /** Whether the leaderboards may not have known of the previous change when they published their floors. */
    private boolean isNews(Score score, CommandContext at) {
        return floors.processedTo(layout.partitionOf(at.user().tenant(), score.rules().number()),
                at.partition()) <= score.formerOffset();
    }

    /** @param least the lowest sufficient result of comparing the value with the floor; without a floor any value suffices */
    private boolean isAtLeast(Score score, List<String> group, BigDecimal value, int least, CommandContext at) {
        // Read after the offsets: floors are published before the offsets they belong to, so that a floor read later is not older.
        BigDecimal floor = floorOf(score, group, at);
        return floor == null || value.compareTo(floor) >= least;
    }

    private @Nullable BigDecimal floorOf(Score score, List<String> group, CommandContext at) {
        return floors.floorOf(new BoardGroup(at.user().tenant(), score.rules().number(), score.run(), group));
    }
}
