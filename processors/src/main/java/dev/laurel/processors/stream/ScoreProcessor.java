package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardMessage.ClockMoved;
import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.core.leaderboard.BoardMessage.RulesPublished;
import dev.laurel.processors.core.leaderboard.BoardMessage.Scored;
import dev.laurel.processors.core.leaderboard.BoardMessage.UserForgotten;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Contest;
import dev.laurel.processors.core.leaderboard.Contest.Placement;
import dev.laurel.processors.core.leaderboard.Participant;
import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.core.leaderboard.Standing;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.view.LeaderboardBodies;
import dev.laurel.processors.store.BoardMessages;
import dev.laurel.processors.store.BoardMessages.Sent;
import dev.laurel.processors.store.BoardStores;
import dev.laurel.processors.store.BoardStores.Place;
import dev.laurel.processors.stream.BoardGroups.Group;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leaderboards of one partition of {@code laurel.scores}, message by message. What it reads may come from transactions
 * that are aborted and repeated, or be read again after a failure; it changes nothing twice, because values are absolute and
 * each carries its place in the log. One task, one thread.
 */
final class ScoreProcessor implements Processor<byte[], byte[], Object, Object> {

    private static final Logger LOG = LoggerFactory.getLogger(ScoreProcessor.class);
    private static final Duration ROUND = Duration.ofMillis(100);

    /** Groups that are brought up between messages. */
    private static final int MAX_WORK_PER_ROUND = 50;

    /** Groups that are brought up while somebody waits for it. */
    private static final int MAX_WORK_PER_TICK = 200;

    private static final byte[] NOT_ON_IT = {};

    private final RulesetVersions rulesets;
    private final BoardViews views;
    private final BoardLayout layout;
    private final int logPartitions;
    private final BoardOutlets outlets;
    private ProcessorContext<Object, Object> context;
    private BoardStores stores;
    private BoardGroups groups;
    private Watermarks marks;
    private Floors floors;
    private BoardFacts facts;
    private Upkeep upkeep;

    ScoreProcessor(RulesetVersions rulesets, BoardViews views, BoardLayout layout, int logPartitions,
            BoardOutlets outlets) {
        this.rulesets = rulesets;
        this.views = views;
        this.layout = layout;
        this.logPartitions = logPartitions;
        this.outlets = outlets;
    }

    @Override
    public void init(ProcessorContext<Object, Object> processorContext) {
        context = processorContext;
        int partition = context.taskId().partition();
        // A task that is revived starts with the same object: nothing may outlive the stores.
        stores = new BoardStores(context::getStateStore);
        groups = new BoardGroups(stores, views, partition);
        marks = new Watermarks(stores, logPartitions);
        floors = new Floors(context, outlets.floors());
        facts = new BoardFacts(context, outlets.effects());
        upkeep = new Upkeep(rulesets, marks, stores, groups, floors, facts, layout, partition);
        context.schedule(ROUND, PunctuationType.WALL_CLOCK_TIME, _ -> onRound());
    }

    @Override
    public void close() {
        if (groups != null) {
            groups.close();
        }
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Sent sent = BoardMessages.read(record.value());
        boolean isNews = marks.hear(sent.origin());
        switch (sent.message()) {
            case Scored scored -> onScored(record, sent.origin(), scored, isNews);
            case ClockMoved(long nowMs) -> onClock(record, sent.origin(), nowMs, isNews);
            case RulesPublished(TenantId tenant, long version) -> {
                if (isNews) {
                    goBy(tenant, sent.origin(), version);
                }
            }
            case UserForgotten forgotten -> {
                if (isNews) {
                    forget(forgotten, record.timestamp());
                }
            }
        }
        groups.trim();
    }

    private void onRound() {
        if (upkeep.isLeft()) {
            upkeep.step(MAX_WORK_PER_ROUND);
        }
        // Also where nothing happens: a partition that is quiet makes room for the others.
        groups.trim();
        if (marks.haveChanged() || floors.areUntold()) {
            // In this order: what is told of is in the store.
            marks.save();
            floors.tell(marks.offsets());
        }
    }

    private void goBy(TenantId tenant, Origin origin, long version) {
        long former = marks.goBy(tenant, origin.partition(), version);
        if (former != version) {
            upkeep.rulesCame(tenant, published(tenant, former), published(tenant, version));
        }
    }

    private CompiledRuleset published(TenantId tenant, long version) {
        CompiledRuleset rules = rulesets.get(tenant, version);
        if (rules == null) {
            throw new IllegalStateException("the ledger goes by ruleset version " + version + " of tenant '" + tenant
                    + "', which was never published");
        }
        return rules;
    }

    private void onClock(Record<byte[], byte[]> record, Origin origin, long nowMs, boolean isNews) {
        if (isNews && marks.moveClock(origin.partition(), nowMs)) {
            upkeep.clockMoved();
        }
        ReplyTo replyTo = ReplyHeaders.read(record.headers());
        if (replyTo != null) {
            upkeep.step(MAX_WORK_PER_TICK);
            reply(record, replyTo, Integer.toString(context.taskId().partition()),
                    upkeep.isLeft() ? Replies.MORE_IS_DUE : Replies.ALL_HAS_FIRED);
        }
    }

    private void forget(UserForgotten forgotten, long atMs) {
        for (Place place : stores.places(forgotten.tenant(), forgotten.user())) {
            boolean isHeld = groups.isHeld(place.group());
            Group group = groups.of(place.group());
            CompiledRuleset rules = upkeep.rulesOf(forgotten.tenant());
            BoardRules board = rules.board(place.group().board());
            if (board != null) {
                upkeep.bringUp(group, rules, board);
            }
            Participant participant = group.participant(forgotten.user());
            int rank = participant == null ? 0 : group.ranking().rankOf(participant.standing());
            if (rank > 0 && group.open() != null) {
                upkeep.mark(group);
            }
            boolean isTold = rank > 0 && board != null && !group.isFinal();
            if (isTold) {
                facts.changed(board, group.id(), forgotten.user(), participant.standing(), rank, null, 0, atMs);
            }
            groups.forget(group, forgotten.user());
            if (isTold) {
                tellFloor(group, board);
            }
            if (!isHeld) {
                // Years of runs may be among them.
                groups.drop(place.group());
            }
        }
    }

    // Scores.

    /** What a score came to, for who waits. @param group in which the user is, or was */
    private record Result(Group group, int previousRank, int rank) {}

    private void onScored(Record<byte[], byte[]> record, Origin origin, Scored scored, boolean isNews) {
        if (isNews) {
            goBy(scored.tenant(), origin, scored.rulesVersion());
        }
        CompiledRuleset rules = upkeep.rulesOf(scored.tenant());
        BoardRules board = rules == null ? null : rules.board(scored.board());
        if (board == null) {
            // Taken out by newer rules, while this partition of the log goes by older ones still.
            rules = rulesets.get(scored.tenant(), scored.rulesVersion());
            board = rules == null ? null : rules.board(scored.board());
        }
        if (board == null) {
            LOG.warn("a score from {}@{} is for no leaderboard of ruleset version {}", origin.partition(),
                    origin.offset(), scored.rulesVersion());
            return;
        }
        ReplyTo replyTo = ReplyHeaders.read(record.headers());
        Result result = rank(origin, scored, rules, board, isNews, replyTo != null);
        if (replyTo != null) {
            reply(record, replyTo, board.board().key(), body(result, scored, rules, board));
        }
    }

    private Result rank(Origin origin, Scored scored, CompiledRuleset rules, BoardRules board, boolean isNews,
            boolean isAwaited) {
        Group target = scored.group() == null ? null : group(scored, scored.group());
        if (target != null) {
            upkeep.bringUp(target, rules, board);
            if (!target.isFloorTold() && target.open() != null) {
                tellFloor(target, board);
            }
        }
        Group from = target;
        Participant present = target == null ? null : target.participant(scored.user());
        if (present == null && isWorthALook(target, scored, board, isAwaited)) {
            Place place = stores.place(scored.tenant(), scored.user(), scored.board(), scored.run());
            if (place != null) {
                from = groups.of(place.group());
                upkeep.bringUp(from, rules, board);
                present = from.participant(scored.user());
                if (!scored.isCurrent()) {
                    // In runs of the past nobody moves from group to group.
                    target = from;
                }
                if (present == null && !place.isIn() && origin.offset() <= place.offset()) {
                    return new Result(from, origin.offset() == place.offset() ? place.previousRank() : 0, 0);
                }
            }
        }
        // What is final stays so, even if its end was moved after all, or if the store forgot how far time had come.
        boolean isOver = upkeep.isOver(scored.tenant(), board, scored.run()) || isFinal(from) || isFinal(target);
        if (present != null && (!isNews || isOver || origin.offset() < present.offset())) {
            int rank = from.ranking().rankOf(present.standing());
            return new Result(from, origin.offset() == present.offset() ? present.previousRank() : rank, rank);
        }
        if (!isNews || isOver) {
            return new Result(target, 0, 0);
        }
        boolean isOut = target == null || scored.value().signum() <= 0;
        if (present == null) {
            boolean mayEnter = !isOut && scored.kind() == Score.Kind.CHANGED;
            return mayEnter ? enter(target, origin, scored, board, 0) : new Result(target, 0, 0);
        }
        if (isOut) {
            return leave(from, present, origin.offset(), scored, board);
        }
        if (from == target) {
            return move(from, present, origin, scored, board);
        }
        if (!Contest.mayEnter(target.ranking(), scored.value(), board.board().maxParticipants())) {
            return leave(from, present, origin.offset(), scored, board);
        }
        // Two steps, and a crash may come between them: then this very record must still bring the user into the new group.
        Result left = leave(from, present, origin.offset() - 1, scored, board);
        return enter(target, origin, scored, board, left.previousRank());
    }

    private static boolean isFinal(Group group) {
        return group != null && group.isFinal();
    }

    /** Whether it matters where a user is or was who takes no part in the group of the score. */
    private static boolean isWorthALook(Group target, Scored scored, BoardRules board, boolean isAwaited) {
        return target == null || isAwaited || board.isBrokenDown() || scored.kind() == Score.Kind.CHANGED
                && Contest.mayEnter(target.ranking(), scored.value(), board.board().maxParticipants());
    }

    private Group group(Scored scored, List<String> values) {
        return groups.of(new BoardGroup(scored.tenant(), scored.board(), scored.run(), values));
    }

    private static Standing standing(Scored scored) {
        return new Standing(scored.user(), scored.name(), scored.value(), scored.changedMs());
    }

    private Result move(Group group, Participant present, Origin origin, Scored scored, BoardRules board) {
        Placement moved = Contest.move(group.ranking(), present.standing(), standing(scored));
        if (moved.ranking() == group.ranking()) {
            boolean isRepeated = origin.offset() == present.offset();
            if (isRepeated) {
                // The stores are not written in one: this may have been lost when the participant was kept.
                upkeep.mark(group);
            }
            return new Result(group, isRepeated ? present.previousRank() : moved.rank(), moved.rank());
        }
        if (moved.isMove()) {
            upkeep.mark(group);
        }
        if (moved.isMove()) {
            tell(group, board, moved, scored.atMs());
        }
        groups.put(group, new Participant(moved.after(), origin.offset(), moved.previousRank()), moved.ranking());
        tellFloor(group, board);
        return new Result(group, moved.previousRank(), moved.rank());
    }

    /** @param offset up to which nothing brings the user back */
    private Result leave(Group group, Participant present, long offset, Scored scored, BoardRules board) {
        Placement left = Contest.leave(group.ranking(), present.standing());
        upkeep.mark(group);
        tell(group, board, left, scored.atMs());
        groups.remove(group, scored.user(), offset, left.previousRank(), left.ranking());
        tellFloor(group, board);
        return new Result(group, left.previousRank(), 0);
    }

    /** @param previousRank in the group that the user comes from, 0 if from none */
    private Result enter(Group group, Origin origin, Scored scored, BoardRules board, int previousRank) {
        Placement entered = Contest.enter(group.ranking(), standing(scored), board.board().maxParticipants());
        if (entered.rank() == 0) {
            return new Result(group, 0, 0);
        }
        if (group.open() == null) {
            upkeep.open(group, board);
        }
        upkeep.mark(group);
        if (entered.evicted() != null) {
            evict(group, entered.evicted(), board, scored.atMs());
        }
        tell(group, board, entered, scored.atMs());
        groups.put(group, new Participant(entered.after(), origin.offset(), previousRank), entered.ranking());
        tellFloor(group, board);
        return new Result(group, previousRank, entered.rank());
    }

    private void evict(Group group, Standing evicted, BoardRules board, long atMs) {
        int rank = group.ranking().size();
        long offset = group.participant(evicted.user()).offset();
        facts.changed(board, group.id(), evicted.user(), evicted, rank, null, 0, atMs);
        groups.remove(group, evicted.user(), offset, rank, group.ranking().without(rank));
    }

    /**
     * Before the store is written: what the store has may be read again without being told again, so after a crash something
     * may be told twice, but is not missing.
     */
    private void tell(Group group, BoardRules board, Placement placement, long atMs) {
        Standing known = placement.after() == null ? placement.before() : placement.after();
        facts.changed(board, group.id(), known.user(), placement.before(), placement.previousRank(), placement.after(),
                placement.rank(), atMs);
    }

    private void tellFloor(Group group, BoardRules board) {
        floors.set(group.id(), Contest.floor(group.ranking(), board.board().maxParticipants()));
    }

    // Answers.

    private static byte[] body(Result result, Scored scored, CompiledRuleset rules, BoardRules board) {
        if (result.previousRank() == 0 && result.rank() == 0) {
            return NOT_ON_IT;
        }
        var threshold = Contest.threshold(result.group().ranking(), board.board().maxParticipants());
        return Json.write(LeaderboardBodies.afterEvent(board, rules, result.group().id(), result.previousRank(),
                result.rank(), threshold, Instant.ofEpochMilli(scored.atMs())));
    }

    private void reply(Record<byte[], byte[]> record, ReplyTo replyTo, String part, byte[] body) {
        var reply = new Record<Integer, byte[]>(replyTo.partition(), body, record.timestamp());
        ReplyHeaders.writePart(reply.headers(), replyTo.requestId(), part);
        context.forward(reply, outlets.replies());
    }
}
