package dev.laurel.processors.ledger;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.leaderboard.LeaderboardFloors;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.RulesPublished;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserForgotten;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.boards.HeldScore;
import dev.laurel.processors.store.boards.HeldScoreStore;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LeaderboardLayout.ScoreKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

    /** How many times more are sent of scores that a client waits for, which would otherwise get its answer some rounds later. */
    static final int AWAITED_FACTOR = 10;

    private final ScoreForwarder outlet;
    private final LoweredFloors floors;
    private final LeaderboardLayout layout;
    private final int maxSpare;
    private final List<String> partitions;
    private final BooleanSupplier isSilent;
    private final LongPredicate mayBeRepeated;
    private final HeldScores held = new HeldScores();

    /** The scores below floors that may still be sent in this round, of those that no client waits for, and of the others. */
    private int spare;

    private int spareAwaited;

    /**
     * Whether a former task may have got further than this one. Then the leaderboards may ignore what this task sends, while the former
     * one held it back. So everything is sent, and held as well, to be judged once this is over.
     */
    private boolean isRepeating;

    /** The last command before this task was started, if scores were held then; otherwise -1. */
    private long restoredTo = -1;

    /** The last tick with scores. */
    private long ticked = -1;

    /** The last command of which a score or marker was sent or held. */
    private long toldOf = -1;

    /** The offsets of the last marks, by partition of the leaderboards. */
    private final long[] marked;

    /**
     * @param maxSpare scores below floors that are sent in each round, beside {@link #AWAITED_FACTOR} times as many that clients wait for
     * @param isSilent whether another generation produces the output that follows from what is sent
     * @param mayBeRepeated whether a former task may have got further than the command at an offset, -1 before the first
     */
    ScoreSender(
            ScoreForwarder outlet,
            LeaderboardFloors floors,
            LeaderboardLayout layout,
            int maxSpare,
            BooleanSupplier isSilent,
            LongPredicate mayBeRepeated) {
        this.outlet = outlet;
        this.floors = new LoweredFloors(floors);
        this.layout = layout;
        this.maxSpare = maxSpare;
        beginRound();
        this.isSilent = isSilent;
        this.mayBeRepeated = mayBeRepeated;
        this.isRepeating = mayBeRepeated.test(-1);
        this.partitions = IntStream.range(0, layout.partitions())
                .mapToObj(Integer::toString)
                .toList();
        this.marked = new long[layout.partitions()];
        Arrays.fill(marked, -1);
    }

    /** Holds the scores again that were held at the last commit. Called once, before the first command. */
    void restore(HeldScoreStore stored) {
        restoredTo = stored.position();
        if (restoredTo >= 0) {
            stored.read().forEach(held::add);
            floors.allFell(restoredTo);
        }
    }

    /** Stores the scores that are held at a commit. @param offset of the newest command; -1 if none was read */
    void save(HeldScoreStore stored, long offset) {
        held.save(stored, Math.max(offset, restoredTo));
    }

    /**
     * Sends the scores that a command has changed.
     *
     * @param user after the command
     * @param rulesVersion under which the scores were computed
     * @param replyTo awaits the resulting ranks; null: no client waits
     * @return keys of the leaderboards that answer to {@code replyTo}, in the order of the scores
     */
    List<String> send(
            List<Score> scores, UserState user, long rulesVersion, CommandContext at, @Nullable ReplyTo replyTo) {
        if (scores.isEmpty()) {
            return List.of();
        }
        floors.reached(at.offset());
        List<String> awaited = replyTo == null ? List.of() : new ArrayList<>(scores.size());
        for (Score score : scores) {
            boolean isOfInterest = score.kind() != Score.Kind.SAME || replyTo != null;
            // The answer shows the current run only.
            ReplyTo waiting = score.isCurrent() ? replyTo : null;
            boolean isJudged = isOfInterest
                    && (score.isInTwoGroups()
                            ? sendOrHoldInTwoGroups(score, user, rulesVersion, at, waiting)
                            : sendOrHold(score, user, rulesVersion, at, waiting, false));
            if (isJudged && waiting != null) {
                awaited.add(score.rules().board().key());
            }
        }
        return awaited;
    }

    /** The answer comes from the group that the user may enter, or else from the former one. */
    private boolean sendOrHoldInTwoGroups(
            Score score, UserState user, long rulesVersion, CommandContext at, @Nullable ReplyTo replyTo) {
        Score leaving = score.leaving();
        Score entering = score.entering();
        boolean isLeaving = leaving != null
                && sendOrHold(leaving, user, rulesVersion, at, entering == null ? replyTo : null, false);
        if (entering == null) {
            return isLeaving;
        }
        // On a leaderboard that is not spread, the answer has the rank in the former group.
        boolean isAsked = isLeaving && replyTo != null && !score.rules().isSpread();
        return sendOrHold(entering, user, rulesVersion, at, replyTo, isAsked);
    }

    /**
     * @param isAsked whether the leaderboard is asked in any case
     * @return whether the leaderboard gives the verdict on the score, or {@link #judge} does
     */
    private boolean sendOrHold(
            Score score,
            UserState user,
            long rulesVersion,
            CommandContext at,
            @Nullable ReplyTo replyTo,
            boolean isAsked) {
        boolean isChange = score.kind() == Score.Kind.CHANGED;
        boolean mayEnter = score.value().signum() > 0;
        HeldScore unsent = takeUnsent(score, at);
        List<ReplyTo> waiting = waiting(replyTo, unsent);
        if (unsent != null && !isChange) {
            // The leaderboard has not received the value yet.
            Scored changed = scored(score, Score.Kind.CHANGED, user, rulesVersion, at);
            offer(changed, origin(at), isSilent.getAsBoolean(), waiting);
            holdIfRepeated(score, unsent, changed, at);
            return true;
        }
        boolean mayMatter = isAsked || mayMatter(score, at);
        if (isChange) {
            lowerFloor(score, mayMatter, at);
        }
        if (!mayMatter) {
            if (!isChange) {
                return false;
            }
            if (!mayEnter) {
                if (unsent != null) {
                    outlet.answer(unsent);
                }
                return false;
            }
            if (!takeSpare(!waiting.isEmpty()) && !held.isFull()) {
                hold(score, unsent, scored(score, score.kind(), user, rulesVersion, at), at, waiting);
                return true;
            }
        }
        Scored scored = scored(score, score.kind(), user, rulesVersion, at);
        toldOf = at.offset();
        outlet.send(origin(at), scored, isSilent.getAsBoolean(), waiting);
        if (isChange && mayEnter) {
            holdIfRepeated(score, unsent, scored, at);
        }
        return true;
    }

    private void beginRound() {
        spare = maxSpare;
        spareAwaited = AWAITED_FACTOR * maxSpare;
    }

    /** Whether a score below a floor may be sent in this round all the same. */
    private boolean takeSpare(boolean isAwaited) {
        int left = isAwaited ? spareAwaited : spare;
        if (left == 0) {
            return false;
        }
        if (isAwaited) {
            spareAwaited--;
        } else {
            spare--;
        }
        return true;
    }

    /** Holds a score that was sent, too, if the leaderboard may ignore it. */
    private void holdIfRepeated(Score score, @Nullable HeldScore unsent, Scored scored, CommandContext at) {
        if (isRepeating && !held.isFull()) {
            hold(score, unsent, scored, at, List.of());
        }
    }

    /** @param unsent the former score of the user, if that was held back, too */
    private void hold(
            Score score, @Nullable HeldScore unsent, Scored scored, CommandContext at, List<ReplyTo> waiting) {
        BigDecimal before = unsent == null ? score.before() : unsent.before().max(score.before());
        toldOf = at.offset();
        held.add(new HeldScore(
                scored,
                at.offset(),
                before,
                isSilent.getAsBoolean(),
                score.rules().board().key(),
                waiting));
    }

    private static List<ReplyTo> waiting(@Nullable ReplyTo replyTo, @Nullable HeldScore unsent) {
        List<ReplyTo> former = unsent == null ? List.of() : unsent.waiting();
        if (replyTo == null) {
            return former;
        }
        return former.isEmpty()
                ? List.of(replyTo)
                : Stream.concat(Stream.of(replyTo), former.stream()).toList();
    }

    /** Removes the former score of the user if that is held back: it is not the newest any more. */
    private @Nullable HeldScore takeUnsent(Score score, CommandContext at) {
        if (held.isEmpty()) {
            return null;
        }
        HeldScore present = takeUnsent(score, score.group(), at);
        return present != null ? present : takeUnsent(score, score.formerGroup(), at);
    }

    private @Nullable HeldScore takeUnsent(Score score, @Nullable List<String> values, CommandContext at) {
        return values == null
                ? null
                : held.remove(group(score, values, at), at.user().user());
    }

    private static Origin origin(CommandContext at) {
        return new Origin(at.partition(), at.offset());
    }

    private static LeaderboardGroup group(Score score, List<String> values, CommandContext at) {
        return new LeaderboardGroup(at.user().tenant(), score.rules().number(), score.run(), values);
    }

    private static Scored scored(Score score, Score.Kind kind, UserState user, long rulesVersion, CommandContext at) {
        return new Scored(
                at.user().tenant(),
                rulesVersion,
                score.rules().number(),
                score.run(),
                score.isCurrent(),
                at.user().user(),
                user.profile().name(),
                requireNonNull(score.group(), "scores of two groups are sent in parts"),
                score.value(),
                score.changedMs(),
                kind,
                at.atMs(),
                score.rules().isSpread());
    }

    /**
     * If the score lowers the floor of the group that the user is in: first sends the held scores that the floor was above, since they
     * come before it in the log, and then lowers the floor that later scores are compared with.
     *
     * @param mayMatter false: the user is no participant, and the floor stays. The held scores are sent all the same. A task that
     *        repeats the command after a kill knows no floors, so it takes every such score for one that lowers the floor, and drops
     *        the held scores, which the leaderboard must have received from this task
     */
    private void lowerFloor(Score score, boolean mayMatter, CommandContext at) {
        boolean stays = Objects.equals(score.group(), score.formerGroup())
                && score.value().signum() > 0;
        if (score.formerGroup() == null
                || score.before().signum() <= 0
                || stays && score.value().compareTo(score.before()) >= 0) {
            return;
        }
        LeaderboardGroup group = group(score, requireNonNull(score.formerGroup()), at);
        BigDecimal least = stays ? score.value() : null;
        held.take(group, h -> least == null || h.score().value().compareTo(least) > 0)
                .forEach(h -> offer(h, before(origin(at))));
        if (mayMatter) {
            // Even if the floor is not above it: a higher one, from before this score, may be on its way here.
            floors.fell(group, layout.partitionOf(group, score.rules()), at.offset(), least);
        }
    }

    /**
     * Judges held scores by floors that were published after them: sends those that may matter now, and answers the clients of the
     * others. Called once in each {@link #ROUND}.
     *
     * @param latest the newest command; its offset is -1 before the first
     * @param clockMs time of the leaderboards in this partition of the log
     */
    void judge(Origin latest, long clockMs) {
        beginRound();
        if (isRepeating) {
            isRepeating = mayBeRepeated.test(latest.offset());
            if (isRepeating) {
                return;
            }
            floors.allFell(latest.offset());
        }
        var origin = new Origin(latest.partition(), Math.max(latest.offset(), restoredTo));
        floors.forget(partition -> floors.processedTo(partition, origin.partition()));
        for (LeaderboardGroup group : List.copyOf(held.groups())) {
            ScoreKey key = ScoreKey.of(requireNonNull(held.newest(group), "scores are held of the group")
                    .score());
            int partition = layout.partitionOf(key);
            long processedTo = floors.processedTo(partition, origin.partition());
            BigDecimal floor = floors.floorOf(group, processedTo);
            for (HeldScore judged : held.take(group, h -> h.offset() <= processedTo)) {
                if (judged.mayMatter(floor)) {
                    offer(judged, origin);
                } else {
                    outlet.answer(judged);
                }
            }
            HeldScore newest = held.newest(group);
            if (newest != null && newest.offset() > marked[partition]) {
                // The leaderboards publish floors and how far they have read when they have read something.
                marked[partition] = origin.offset();
                outlet.send(key, origin, new ClockMoved(clockMs), newest.score().atMs(), isSilent.getAsBoolean(), null);
            }
        }
    }

    /**
     * The place in the log of what is sent before the scores of a command. If this one is not the command's own, a task that repeats the
     * command cannot send it once more after them.
     */
    private Origin before(Origin command) {
        return command.offset() == 0 || command.offset() == toldOf
                ? command
                : new Origin(command.partition(), command.offset() - 1);
    }

    /**
     * Called before the scores of a tick, which may concern many users: sends what is held, so that no user has two values in the
     * same place of the log.
     */
    void beginTick(Origin tick) {
        if (tick.offset() != ticked) {
            ticked = tick.offset();
            offerAll(before(tick));
        }
    }

    private void offerAll(Origin origin) {
        for (LeaderboardGroup group : List.copyOf(held.groups())) {
            held.take(group, _ -> true).forEach(h -> offer(h, origin));
        }
    }

    private void offer(HeldScore h, Origin origin) {
        offer(h.score(), origin, h.isSilent(), h.waiting());
    }

    /** Sends a value that has changed before. The user may enter with it: the floor may be as low then. */
    private void offer(Scored scored, Origin origin, boolean silently, List<ReplyTo> waiting) {
        if (scored.value().signum() > 0) {
            floors.fell(
                    new LeaderboardGroup(scored.tenant(), scored.board(), scored.run(), scored.group()),
                    layout.partitionOf(ScoreKey.of(scored)),
                    origin.offset(),
                    scored.value());
        }
        outlet.send(origin, scored, silently, waiting);
    }

    /**
     * Sends a message to every partition of the leaderboards, after the scores that come before it.
     *
     * @param atMs time of the command
     * @param replyTo awaits an answer of each of the {@link #partitions}; null: no client waits
     */
    void sendAll(LeaderboardMessage message, Origin origin, long atMs, @Nullable ReplyTo replyTo) {
        if (message instanceof UserForgotten(TenantId tenant, UserId user)) {
            held.remove(tenant, user).forEach(outlet::answer);
        }
        offerAll(before(origin));
        if (message instanceof UserForgotten) {
            floors.allFell(origin.offset());
        }
        toldOf = origin.offset();
        outlet.send(null, origin, message, atMs, isSilent.getAsBoolean(), replyTo);
    }

    /**
     * Sends new rules to the partitions whose leaderboards they change, after the scores that come before them: once to each. Every
     * partition of the log sends them, since the scores after them may need another floor, and a leaderboard that an operator ends awaits
     * those before them. Rules that leaderboards share come from one partition only.
     *
     * @param isHome whether this is that partition
     */
    void sendRules(
            RulesPublished message,
            CompiledRuleset former,
            CompiledRuleset rules,
            boolean isHome,
            Origin origin,
            long atMs) {
        Collection<ScoreKey> concerned = concerned(message.tenant(), former.document(), rules.document(), isHome);
        if (concerned.isEmpty()) {
            return;
        }
        offerAll(before(origin));
        floors.allFell(origin.offset());
        toldOf = origin.offset();
        concerned.forEach(key -> outlet.send(key, origin, message, atMs, isSilent.getAsBoolean(), null));
    }

    /** One changed leaderboard in each partition that has any, in the order of partitions. */
    private Collection<ScoreKey> concerned(TenantId tenant, Ruleset former, Ruleset rules, boolean isHome) {
        boolean isEachConcerned = former.version() == 0
                || isHome
                        && !(former.webhooks().equals(rules.webhooks())
                                && former.settings().equals(rules.settings()));
        var unchanged = isEachConcerned ? Set.<Leaderboard>of() : Set.copyOf(former.leaderboards());
        var concerned = new TreeMap<Integer, ScoreKey>();
        var kept = new HashSet<Integer>();
        for (Leaderboard board : rules.leaderboards()) {
            kept.add(board.number());
            if (!unchanged.contains(board)) {
                addPartitions(concerned, tenant, board);
            }
        }
        for (Leaderboard board : former.leaderboards()) {
            if (!kept.contains(board.number())) {
                addPartitions(concerned, tenant, board);
            }
        }
        return concerned.values();
    }

    /** Adds the partitions that have groups of a leaderboard: its home, or all of them. */
    private void addPartitions(Map<Integer, ScoreKey> concerned, TenantId tenant, Leaderboard board) {
        int last = board.hasSpreadGroups() ? layout.partitions() - 1 : 0;
        for (int shift = 0; shift <= last; shift++) {
            var key = new ScoreKey(tenant, board.number(), shift);
            concerned.putIfAbsent(layout.partitionOf(key), key);
        }
    }

    /** The names under which the partitions of the leaderboards answer to {@link #sendAll}. */
    List<String> partitions() {
        return partitions;
    }

    private boolean mayMatter(Score score, CommandContext at) {
        return switch (score.kind()) {
            case CHANGED -> mayTakePart(score, score.formerGroup(), score.before(), at) || mayEnter(score, at);
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
        LeaderboardGroup group = group(score, values, at);
        int partition = layout.partitionOf(group, score.rules());
        long processedTo = floors.processedTo(partition, at.partition());
        if (isRepeating || processedTo <= score.formerOffset()) {
            return true;
        }
        BigDecimal floor = floors.floorOf(group, processedTo);
        return floor == null || value.compareTo(floor) >= least;
    }
}
