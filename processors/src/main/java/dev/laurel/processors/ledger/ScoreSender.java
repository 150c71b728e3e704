package dev.laurel.processors.ledger;

import dev.laurel.processors.core.engine.CommandContext;
import dev.laurel.processors.core.leaderboard.BoardFloors;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardMessage.ClockMoved;
import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.core.leaderboard.BoardMessage.RulesPublished;
import dev.laurel.processors.core.leaderboard.BoardMessage.Scored;
import dev.laurel.processors.core.leaderboard.BoardMessage.UserForgotten;
import dev.laurel.processors.core.leaderboard.BoardMessage;
import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.ledger.HeldScores.Held;
import dev.laurel.processors.store.BoardMessages;
import dev.laurel.processors.stream.BoardLayout.ScoreKey;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.ReplyHeaders;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * Sends scores and markers to the leaderboards. Holds back scores that seem not to matter, because the user neither was nor becomes a
 * participant of a full group. The floors that decide this lag behind the leaderboards, so a score that is held back is judged once
 * more by floors that were published after it, and sent if they have fallen (docs/leaderboards.md). One task, one thread.
 */
final class ScoreSender {

    /** The time between two calls of {@link #judge}. */
    static final Duration ROUND = Duration.ofMillis(100);

    /**
     * The scores below floors that are sent in each {@link #ROUND}: while there are few, all of them travel, so that clients get a rank
     * at once. A partition of the leaderboards ranks many times more.
     */
    static final int MAX_SPARE = 100;

    private static final byte[] NOT_RANKED = {};

    private final ProcessorContext<Object, Object> context;
    private final String outlet;
    private final String replies;
    private final LoweredFloors floors;
    private final BoardLayout layout;
    private final int maxSpare;
    private final List<String> partitions;
    private final BooleanSupplier isSilent;
    private final HeldScores held = new HeldScores();
    private int spare;

    /** The offsets of the last marks, by partition of the leaderboards. */
    private final long[] marked;

    /**
     * @param outlet for messages to the leaderboards
     * @param replies outlet for answers
     * @param maxSpare scores below floors that are sent in each round
     * @param isSilent whether another generation produces the output that follows from what is sent
     */
    ScoreSender(ProcessorContext<Object, Object> context, String outlet, String replies, BoardFloors floors,
            BoardLayout layout, int maxSpare, BooleanSupplier isSilent) {
        this.context = context;
        this.outlet = outlet;
        this.replies = replies;
        this.floors = new LoweredFloors(floors);
        this.layout = layout;
        this.maxSpare = maxSpare;
        this.spare = maxSpare;
        this.isSilent = isSilent;
        this.partitions = IntStream.range(0, layout.partitions()).mapToObj(Integer::toString).toList();
        this.marked = new long[layout.partitions()];
        Arrays.fill(marked, -1);
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
        floors.reached(at.offset());
        List<String> awaited = replyTo == null ? List.of() : new ArrayList<>(scores.size());
        for (Score score : scores) {
            boolean isOfInterest = score.kind() != Score.Kind.SAME || replyTo != null;
            // The answer shows the current run only.
            ReplyTo waiting = score.isCurrent() ? replyTo : null;
            if (isOfInterest && sendOrHold(score, user, rulesVersion, at, waiting) && waiting != null) {
                awaited.add(score.rules().board().key());
            }
        }
        return awaited;
    }

    /** @return whether the leaderboard gives the verdict on the score, or {@link #judge} does */
    private boolean sendOrHold(Score score, UserState user, long rulesVersion, CommandContext at,
            @Nullable ReplyTo replyTo) {
        boolean isChange = score.kind() == Score.Kind.CHANGED;
        boolean mayEnter = score.group() != null && score.value().signum() > 0;
        Held unsent = takeUnsent(score, at);
        List<ReplyTo> waiting = waiting(replyTo, unsent);
        if (unsent != null && !isChange) {
            // The leaderboard has not received the value yet.
            offer(scored(score, Score.Kind.CHANGED, user, rulesVersion, at), origin(at), isSilent.getAsBoolean(),
                    waiting);
            return true;
        }
        if (mayMatter(score, at)) {
            if (isChange) {
                lowerFloor(score, at);
            }
        } else if (!isChange) {
            return false;
        } else if (!mayEnter) {
            if (unsent != null) {
                answer(unsent);
            }
            return false;
        } else if (spare == 0 && !held.isFull()) {
            hold(score, unsent, user, rulesVersion, at, waiting);
            return true;
        } else {
            spare = Math.max(0, spare - 1);
        }
        forward(origin(at), scored(score, score.kind(), user, rulesVersion, at), isSilent.getAsBoolean(), waiting);
        return true;
    }

    /** @param unsent the former score of the user, if that was held back, too */
    private void hold(Score score, @Nullable Held unsent, UserState user, long rulesVersion, CommandContext at,
            List<ReplyTo> waiting) {
        BigDecimal before = unsent == null ? score.before() : unsent.before().max(score.before());
        held.add(group(score, requireNonNull(score.group()), at),
                new Held(scored(score, score.kind(), user, rulesVersion, at), at.offset(), before,
                        isSilent.getAsBoolean(), score.rules().board().key(), waiting));
    }

    private static List<ReplyTo> waiting(@Nullable ReplyTo replyTo, @Nullable Held unsent) {
        if (unsent == null || unsent.waiting().isEmpty()) {
            return replyTo == null ? List.of() : List.of(replyTo);
        }
        return replyTo == null
                ? unsent.waiting()
                : Stream.concat(Stream.of(replyTo), unsent.waiting().stream()).toList();
    }

    /** Removes the former score of the user if that is held back: it is not the newest any more. */
    private @Nullable Held takeUnsent(Score score, CommandContext at) {
        if (held.isEmpty()) {
            return null;
        }
        Held present = takeUnsent(score, score.group(), at);
        return present != null ? present : takeUnsent(score, score.formerGroup(), at);
    }

    private @Nullable Held takeUnsent(Score score, @Nullable List<String> values, CommandContext at) {
        return values == null ? null : held.remove(group(score, values, at), at.user().user());
    }

    private static Origin origin(CommandContext at) {
        return new Origin(at.partition(), at.offset());
    }

    private static BoardGroup group(Score score, List<String> values, CommandContext at) {
        return new BoardGroup(at.user().tenant(), score.rules().number(), score.run(), values);
    }

    private static Scored scored(Score score, Score.Kind kind, UserState user, long rulesVersion, CommandContext at) {
        return new Scored(at.user().tenant(), rulesVersion, score.rules().number(), score.run(), score.isCurrent(),
                at.user().user(), user.profile().name(), score.group(), score.value(), score.changedMs(), kind,
                at.atMs());
    }

    /**
     * If the score may lower the floor of the group that the user is in: first sends the held scores that the floor was above, since
     * they come before it in the log, and then lowers the floor that later scores are compared with.
     */
    private void lowerFloor(Score score, CommandContext at) {
        boolean stays = Objects.equals(score.group(), score.formerGroup()) && score.value().signum() > 0;
        boolean isUnknown = score.formerOffset() == Score.UNREPORTED;
        if (!isUnknown && (score.formerGroup() == null || score.before().signum() <= 0
                || stays && score.value().compareTo(score.before()) >= 0)) {
            return;
        }
        if (isUnknown || !score.isCurrent() && score.rules().isBrokenDown()) {
            // Only the leaderboard knows the group.
            offerAll(origin(at));
            floors.allFell(at.offset());
            return;
        }
        BoardGroup group = group(score, requireNonNull(score.formerGroup()), at);
        BigDecimal least = stays ? score.value() : null;
        held.take(group, h -> least == null || h.score().value().compareTo(least) > 0)
                .forEach(h -> offer(h, origin(at)));
        // Even if the floor is not above it: a higher one, from before this score, may be on its way here.
        floors.fell(group, at.offset(), least);
    }

    /**
     * Judges held scores by floors that were published after them: sends those that may matter now, and answers the clients of the
     * others. Called once in each {@link #ROUND}.
     *
     * @param origin of the newest command
     * @param clockMs time of the leaderboards in this partition of the log
     */
    void judge(Origin origin, long clockMs) {
        spare = maxSpare;
        floors.forget(group -> processedTo(group, origin.partition()));
        for (BoardGroup group : List.copyOf(held.groups())) {
            long processedTo = processedTo(group, origin.partition());
            BigDecimal floor = floors.floorOf(group, processedTo);
            for (Held judged : held.take(group, h -> h.offset() <= processedTo)) {
                if (judged.mayMatter(floor)) {
                    offer(judged, origin);
                } else {
                    answer(judged);
                }
            }
            Held newest = held.newest(group);
            int partition = partitionOf(group);
            if (newest != null && newest.offset() > marked[partition]) {
                // The leaderboards publish floors and how far they have read when they have read something.
                marked[partition] = origin.offset();
                forward(new ScoreKey(group.tenant(), group.board()), origin, new ClockMoved(clockMs),
                        newest.score().atMs(), isSilent.getAsBoolean(), null);
            }
        }
    }

    private void offerAll(Origin origin) {
        for (BoardGroup group : List.copyOf(held.groups())) {
            held.take(group, _ -> true).forEach(h -> offer(h, origin));
        }
    }

    private void offer(Held h, Origin origin) {
        offer(h.score(), origin, h.isSilent(), h.waiting());
    }

    /** Sends a value that has changed before. The user may enter with it: the floor may be as low then. */
    private void offer(Scored scored, Origin origin, boolean silently, List<ReplyTo> waiting) {
        if (scored.group() != null && scored.value().signum() > 0) {
            floors.fell(new BoardGroup(scored.tenant(), scored.board(), scored.run(), scored.group()), origin.offset(),
                    scored.value());
        }
        forward(origin, scored, silently, waiting);
    }

    /** Sends a score, and once more to each further client. */
    private void forward(Origin origin, Scored scored, boolean silently, List<ReplyTo> waiting) {
        var key = new ScoreKey(scored.tenant(), scored.board());
        forward(key, origin, scored, scored.atMs(), silently, waiting.isEmpty() ? null : waiting.getFirst());
        for (int i = 1; i < waiting.size(); i++) {
            forward(key, origin, scored.unchanged(), scored.atMs(), silently, waiting.get(i));
        }
    }

    /** Answers the waiting clients that the user is not on the leaderboard. */
    private void answer(Held judged) {
        for (ReplyTo replyTo : judged.waiting()) {
            var reply = new Record<Integer, byte[]>(replyTo.partition(), NOT_RANKED, judged.score().atMs());
            ReplyHeaders.writePart(reply.headers(), replyTo.requestId(), judged.key());
            context.forward(reply, replies);
        }
    }

    /**
     * Sends a message to every partition of the leaderboards, after the scores that come before it.
     *
     * @param atMs time of the command
     * @param replyTo awaits an answer of each of the {@link #partitions}; null: no client waits
     */
    void sendAll(BoardMessage message, Origin origin, long atMs, @Nullable ReplyTo replyTo) {
        if (message instanceof UserForgotten(TenantId tenant, UserId user)) {
            held.remove(tenant, user).forEach(this::answer);
        }
        offerAll(origin);
        if (message instanceof UserForgotten || message instanceof RulesPublished) {
            floors.allFell(origin.offset());
        }
        forward(null, origin, message, atMs, isSilent.getAsBoolean(), replyTo);
    }

    private void forward(@Nullable ScoreKey key, Origin origin, BoardMessage message, long atMs, boolean silently,
            @Nullable ReplyTo replyTo) {
        var record = new Record<@Nullable ScoreKey, byte[]>(key, BoardMessages.write(origin, message), atMs);
        if (replyTo != null) {
            ReplyHeaders.write(record.headers(), replyTo);
        }
        if (silently) {
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
        return group != null && value.signum() > 0 && isAtLeast(score, group, value, 0, at);
    }

    /**
     * Whether the user, who may be a newcomer, may enter a group: a full group only above its lowest value (docs/semantics.md §7). If
     * the group may not know yet that the user has left, the lowest value may be the user's own, or the rank may be free.
     */
    private boolean mayEnter(Score score, CommandContext at) {
        List<String> group = score.group();
        return group != null && score.value().signum() > 0 && isAtLeast(score, group, score.value(), 1, at);
    }

    /**
     * Whether the leaderboards may not have known of the previous change when they published their floors, or the value is high enough.
     *
     * @param least the lowest sufficient result of comparing the value with the floor; without a floor any value suffices
     */
    private boolean isAtLeast(Score score, List<String> values, BigDecimal value, int least, CommandContext at) {
        int partition = layout.partitionOf(at.user().tenant(), score.rules().number());
        long processedTo = floors.processedTo(partition, at.partition());
        if (processedTo <= score.formerOffset()) {
            return true;
        }
        BigDecimal floor = floors.floorOf(group(score, values, at), processedTo);
        return floor == null || value.compareTo(floor) >= least;
    }

    private int partitionOf(BoardGroup group) {
        return layout.partitionOf(group.tenant(), group.board());
    }

    private long processedTo(BoardGroup group, int logPartition) {
        return floors.processedTo(partitionOf(group), logPartition);
    }
}
