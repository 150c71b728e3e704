package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardFloors;
import dev.laurel.processors.core.leaderboard.BoardMessage;
import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.core.notice.BoostNews;
import dev.laurel.processors.core.notice.Notice;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.CommandContext;
import dev.laurel.processors.core.user.Outcome;
import dev.laurel.processors.core.user.UserEngine;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.OwnedIndex;
import dev.laurel.processors.store.OwnedReader.Kind;
import dev.laurel.processors.store.PartitionState;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.Timers;
import dev.laurel.processors.store.UserStores;
import dev.laurel.processors.stream.LedgerMeters.End;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.ChangeOwnedBoost;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.DeleteOwnedPause;
import dev.laurel.schemas.command.GenerationPromoted;
import dev.laurel.schemas.command.LogCommand;
import dev.laurel.schemas.command.LogPlace;
import dev.laurel.schemas.command.OwnedCommand;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.RevokeOwnedBoost;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.RulesetPublished;
import dev.laurel.schemas.command.Tick;
import dev.laurel.schemas.command.TimersHeld;
import dev.laurel.schemas.command.TimersReleased;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.ReplyHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * One partition of the log, command by command: read the user, ask the core, write what it decided, say what happened. It
 * decides nothing itself but what to do with input that is no command. One task, one thread.
 */
final class CommandProcessor implements Processor<byte[], byte[], Object, Object>, QuietUsers.Waker {

    private static final Duration TICK_CHECK = Duration.ofMillis(250);

    /** Dates are written with four digits of the year. */
    private static final long MAX_TIME_MS = Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

    private final RulesetVersions rulesets;
    private final Ticks ticks;
    private final LogLayout layout;
    private final BoardFloors floors;
    private final BoardLayout boards;
    private final AccountViews accounts;
    private final Outlets outlets;
    private final LedgerMeters meters;
    private final Telling telling;
    private final Map<TenantId, CompiledRuleset> pinned = new HashMap<>();
    private ProcessorContext<Object, Object> context;
    private UserStores users;
    private UserWrites writes;
    private PartitionState partition;
    private OwnedIndex owned;
    private Rejections rejections;
    private Replies replies;
    private Outbox outbox;
    private ScoreSender scores;
    private BoardClock clock;
    private BoostClock boosts;
    private QuietUsers quiet;
    private AccountFeed account;
    private TickRequest tickRequest;
    private LedgerMeters.TimerWatch timerWatch;
    private final FirstPlaces firstPlaces = new FirstPlaces();
    private boolean isHeld;
    private RecordMetadata place;

    /** Where the command at hand stood first. */
    private LogPlace first;

    /** What of this partition is told of. */
    private Telling.Stretch told;

    /** Whether another generation tells of the command at hand. */
    private boolean isSilent;

    CommandProcessor(RulesetVersions rulesets, Ticks ticks, LogLayout layout, BoardFloors floors, BoardLayout boards,
            AccountViews accounts, Outlets outlets, LedgerMeters meters, Telling telling) {
        this.telling = telling;
        this.rulesets = rulesets;
        this.ticks = ticks;
        this.layout = layout;
        this.floors = floors;
        this.boards = boards;
        this.accounts = accounts;
        this.outlets = outlets;
        this.meters = meters;
    }

    @Override
    public void init(ProcessorContext<Object, Object> processorContext) {
        context = processorContext;
        // A task that is revived after an aborted transaction starts with the same object: nothing may outlive the stores.
        close();
        pinned.clear();
        place = null;
        users = new UserStores(context::getStateStore);
        partition = new PartitionState(context.getStateStore(StoreNames.PARTITION_STATE));
        owned = new OwnedIndex(context.getStateStore(StoreNames.PARTITION_STATE));
        var timers = new Timers(context.getStateStore(StoreNames.TIMERS), partition);
        quiet = new QuietUsers(users, timers, partition, this);
        rejections = new Rejections(context, outlets.rejections(), meters);
        replies = new Replies(context, outlets.replies(), meters);
        outbox = new Outbox(context, outlets.outbox());
        scores = new ScoreSender(context, outlets.scores(), floors, boards);
        clock = new BoardClock(partition, this::rulesOf);
        boosts = new BoostClock(partition, this::isToldHere, this::rulesOf, this::tellOfBoosts);
        account = accounts == null ? null : new AccountFeed(context, users, accounts);
        writes = new UserWrites(users, timers, partition, owned, account);
        tickRequest = new TickRequest(ticks, context.taskId().partition());
        timerWatch = meters.watch(context.taskId().partition());
        isHeld = partition.isHeld();
        telling.refresh();
        isSilent = false;
        tell(telling.stretch(context.taskId().partition()));
        context.schedule(TICK_CHECK, PunctuationType.WALL_CLOCK_TIME, this::askForTickIfDue);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        place = context.recordMetadata().orElseThrow();
        if (place.offset() >= told.until()) {
            return; // the next generation goes on from here
        }
        first = firstPlaces.of(place, record.headers());
        if (place.offset() < told.from() != isSilent) {
            beSilent(!isSilent);
        }
        if (record.timestamp() <= 0) {
            reject(record, "the record has no timestamp: it is the time of the command");
            return;
        }
        if (record.timestamp() > MAX_TIME_MS) {
            reject(record,
                    "the record's timestamp is beyond the year 9999: it is in milliseconds since 1970");
            return;
        }
        if (record.value() == null) {
            reject(record, "the record has no value");
            return;
        }
        Command command;
        try {
            command = CommandJson.read(record.value());
        } catch (BadInputException e) {
            refuse(record, e.refusal());
            return;
        }
        switch (command) {
            case UserCommand user -> onUserCommand(record, user);
            case OwnedCommand owned -> onOwnedCommand(record, owned);
            case LogCommand marker -> onMarker(record, marker);
        }
    }

    private void tell(Telling.Stretch stretch) {
        told = stretch;
        timerWatch.told(stretch);
        telling.goesBy(context.taskId().partition(), stretch);
    }

    private void beSilent(boolean silent) {
        isSilent = silent;
        scores.beSilent(silent);
    }

    private void onUserCommand(Record<byte[], byte[]> record, UserCommand command) {
        UserKey user;
        try {
            user = keyOf(record, command);
        } catch (IllegalArgumentException e) {
            reject(record, e.getMessage());
            return;
        }
        apply(record, record.key(), user, command);
    }

    /** Once the owner is found, it is a command of that user like any other. */
    private void onOwnedCommand(Record<byte[], byte[]> record, OwnedCommand command) {
        Kind kind = switch (command) {
            case DeleteOwnedPause _ -> Kind.PAUSE;
            case ChangeOwnedBoost _,RevokeOwnedBoost _ -> Kind.BOOST;
        };
        byte[] key = owned.ownerOf(kind, command.tenant(), command.id());
        if (key == null) {
            refuse(record, kind == Kind.PAUSE ? Refusal.unknownPause() : Refusal.unknownBoost());
            return;
        }
        UserKey user = UserKey.parse(key);
        apply(record, key, user, command.of(UserChange.mention(user.user())));
    }

    private void apply(Record<byte[], byte[]> record, byte[] key, UserKey user, UserCommand command) {
        CompiledRuleset rules = rulesOf(user.tenant());
        CommandContext at = contextOf(user, record.timestamp());
        UserState before = users.load(key);
        UserHistory history = historyOf(key, user.tenant());
        ReplyTo replyTo = replyToOf(record);
        switch (UserEngine.apply(before, rules, command, at, history)) {
            case Outcome.Refused(Refusal refusal) -> refuse(record, refusal);
            case Outcome.Repeated(UserState state, List<Score> made, Outcome.Answer answer) -> {
                meters.count(End.REPEATED);
                List<String> awaited = scores.send(made, state, rules.version(), at, ranksFor(replyTo, answer));
                if (replyTo != null) {
                    replies.answer(replyTo, at, rules, state, history, answer, true, awaited);
                }
            }
            case Outcome.Applied applied -> {
                meters.count(command instanceof RecordEvent ? End.EVENT : End.CHANGE);
                writes.apply(user.tenant(), key, before, applied, record.timestamp());
                tell(key, record.timestamp(), applied.effects());
                notify(key, applied.notices(), rules, at);
                List<String> awaited = scores.send(applied.scores(), applied.state(), rules.version(), at,
                        ranksFor(replyTo, applied.answer()));
                if (replyTo != null) {
                    replies.answer(replyTo, at, rules, applied.state(), history, applied.answer(), false, awaited);
                }
            }
            case Outcome.Told(UserState state, List<Notice> notices, Outcome.Answer answer) -> {
                meters.count(End.CHANGE);
                notify(key, notices, rules, at);
                if (replyTo != null) {
                    replies.answer(replyTo, at, rules, state, history, answer, false, List.of());
                }
            }
            case Outcome.Erased(UserState last, List<Effect> effects) -> {
                meters.count(End.CHANGE);
                writes.erase(user.tenant(), key, last);
                tell(key, record.timestamp(), effects);
                if (!isSilent) {
                    outbox.sendErased(key, at);
                }
                tellBoards(new BoardMessage.UserForgotten(user.tenant(), user.user()), record.timestamp(), null);
                if (replyTo != null) {
                    replies.answer(replyTo, at, rules, last, history, new Outcome.Done(), false, List.of());
                }
            }
        }
    }

    /** Null if nobody waits here. */
    private ReplyTo replyToOf(Record<byte[], byte[]> record) {
        return isSilent ? null : ReplyHeaders.read(record.headers());
    }

    /** Who is to be told the ranks: only the answer to an event shows them. */
    private static ReplyTo ranksFor(ReplyTo replyTo, Outcome.Answer answer) {
        return answer instanceof Outcome.EventResult ? replyTo : null;
    }

    private CommandContext contextOf(UserKey user, long atMs) {
        return new CommandContext(user, atMs, place.partition(), place.offset(), first, clock.nowMs());
    }

    private UserHistory historyOf(byte[] key, TenantId tenant) {
        return users.historyOf(key, version -> rulesets.get(tenant, version));
    }

    /** @throws IllegalArgumentException saying why the key cannot be that of this command */
    private UserKey keyOf(Record<byte[], byte[]> record, UserCommand command) {
        if (record.key() == null) {
            throw new IllegalArgumentException("the record has no key: it is the user's id");
        }
        UserKey user = UserKey.parse(record.key());
        if (!user.user().equals(command.user().id())) {
            throw new IllegalArgumentException("the record's key does not name the same user as user.id; for '"
                    + command.user().id() + "' it is '" + new UserKey(user.tenant(), command.user().id()) + "'");
        }
        int partitionHere = context.taskId().partition();
        int partitionOfKey = layout.partitionOf(record.key());
        if (partitionHere != partitionOfKey) {
            throw new IllegalArgumentException("the record lies in partition " + partitionHere + ", its key belongs to "
                    + partitionOfKey + ": produce with Kafka's own partitioner (murmur2 of the key)");
        }
        return user;
    }

    private void tell(byte[] key, long atMs, List<Effect> effects) {
        if (isSilent) {
            return;
        }
        for (Effect effect : effects) {
            context.forward(new Record<>(key, effect, atMs), outlets.effects());
        }
    }

    private void notify(byte[] key, List<Notice> notices, CompiledRuleset rules, CommandContext at) {
        if (!isSilent) {
            outbox.send(key, notices, rules, at);
        }
    }

    private void reject(Record<byte[], byte[]> record, String reason) {
        if (!isSilent) {
            rejections.reject(record, reason);
        }
    }

    /** What is a tenant's and no single user's is told once, where the tenant's key belongs. */
    private boolean isToldHere(TenantId tenant) {
        return layout.partitionOf(tenant.bytes()) == context.taskId().partition();
    }

    private void tellOfBoosts(TenantId tenant, BoostNews news) {
        if (!isSilent) {
            tell(tenant.bytes(), news.atMs(), news.effects());
            outbox.send(tenant, news.notices(), news.rules(), first, news.atMs());
        }
    }

    private void tellBoards(BoardMessage message, long atMs, ReplyTo replyTo) {
        scores.tellAll(message, new Origin(place.partition(), place.offset()), atMs, replyTo);
    }

    /** To the client that waits, or, where nobody does, to the rejections. */
    private void refuse(Record<byte[], byte[]> record, Refusal refusal) {
        if (isSilent) {
            return;
        }
        ReplyTo replyTo = ReplyHeaders.read(record.headers());
        if (replyTo == null) {
            rejections.reject(record, refusal.message());
        } else {
            meters.count(End.REFUSED);
            replies.refuse(replyTo, refusal, record.timestamp());
        }
    }

    private void onMarker(Record<byte[], byte[]> record, LogCommand marker) {
        switch (marker) {
            case RulesetPublished(TenantId tenant, long version) -> {
                // Marker and document are written in one transaction: without the document it is a stranger's marker.
                CompiledRuleset rules = rulesets.get(tenant, version);
                if (rules == null) {
                    reject(record, "no ruleset of version " + version + " was ever published");
                    return;
                }
                CompiledRuleset former = rulesOf(tenant);
                if (version < former.version()) {
                    // Users are brought up to versions in their order, never back.
                    reject(record, "ruleset version " + version + " is older than " + former.version()
                            + ", which is in force");
                    return;
                }
                meters.count(End.MARKER);
                partition.putRulesetVersion(tenant, version);
                pinned.put(tenant, rules);
                clock.rulesCame();
                boosts.rulesCame(tenant, former, rules, record.timestamp(), isHeld);
                tellBoards(new BoardMessage.RulesPublished(tenant, version), record.timestamp(), null);
                if (rules.concernsQuietUsers(former)) {
                    quiet.sweep();
                }
            }
            case Tick _ -> {
                meters.count(End.MARKER);
                onTick(record);
            }
            case TimersHeld(String hold) -> {
                meters.count(End.MARKER);
                partition.hold(hold);
                isHeld = true;
            }
            case TimersReleased(String hold) -> {
                meters.count(End.MARKER);
                partition.release(hold);
                isHeld = partition.isHeld();
            }
            case GenerationPromoted(int generation) -> onPromotion(record, generation);
        }
    }

    private void onPromotion(Record<byte[], byte[]> record, int generation) {
        switch (telling.read(generation, place.partition(), place.offset())) {
            case UNKNOWN -> reject(record, "no generation " + generation + " was ever promoted here");
            case OTHER -> {
                // The log tells it to every generation there was and will be.
            }
            case BEGIN -> {
                tell(new Telling.Stretch(place.offset(), Telling.NEVER));
                beSilent(false);
                tellBoards(new BoardMessage.GenerationBegan(), record.timestamp(), null);
            }
            case END -> tell(new Telling.Stretch(told.from(), place.offset()));
        }
    }

    private void onTick(Record<byte[], byte[]> record) {
        tickRequest.came(record.timestamp());
        boolean isMoreDue = !isHeld && (quiet.tick(record.timestamp()) | boosts.tick(record.timestamp()));
        ReplyTo replyTo = replyToOf(record);
        // Only now: what the tick itself has fired counts before it. While something is left, its time has not come.
        boolean hasMoved = !isHeld && !isMoreDue && clock.moveTo(record.timestamp());
        boolean isAsked = replyTo != null && !isMoreDue;
        if (hasMoved || isAsked) {
            tellBoards(new BoardMessage.ClockMoved(clock.nowMs()), record.timestamp(), replyTo);
        }
        if (replyTo != null) {
            // Who waits sends the next one, too; the boards are asked when nothing is left here.
            replies.answerTick(replyTo, isMoreDue, record.timestamp(), isAsked ? scores.partitions() : List.of());
        } else if (isMoreDue && !isSilent) {
            askForTick(context.currentSystemTimeMs());
        }
    }

    @Override
    public int wake(byte[] key, UserState before, long atMs) {
        UserKey user = UserKey.parse(key);
        CompiledRuleset rules = rulesOf(user.tenant());
        CommandContext at = contextOf(user, atMs);
        var woken = UserEngine.wake(before, rules, at, historyOf(key, user.tenant()), QuietUsers.MAX_MOMENTS);
        writes.save(user.tenant(), key, before, woken.state(), woken.writes(), woken.completed());
        tell(key, atMs, woken.effects());
        notify(key, woken.notices(), rules, at);
        scores.send(woken.scores(), woken.state(), rules.version(), at, null);
        return 1 + woken.writes().size() + woken.effects().size() + woken.notices().size() + woken.scores().size();
    }

    @Override
    public boolean isBehind(byte[] key, UserState state) {
        return state.rulesVersion() < rulesOf(UserKey.parse(key).tenant()).version();
    }

    private void askForTickIfDue(long systemMs) {
        if (told.from() == Telling.NEVER || told.until() != Telling.NEVER) {
            timerWatch.looked(Long.MAX_VALUE);
            return; // ticks are the business of the generation in force
        }
        long nowMs = ticks.nowMs();
        if (isHeld) {
            timerWatch.held();
            return;
        }
        long oldestDueMs = quiet.oldestDueMs(nowMs);
        timerWatch.looked(oldestDueMs);
        if (oldestDueMs <= nowMs || quiet.isSweeping() || clock.isWaiting(nowMs) || boosts.isWaiting(nowMs)) {
            askForTick(systemMs);
        }
    }

    private void askForTick(long systemMs) {
        tickRequest.send(systemMs, place == null ? 0 : place.offset() + 1);
    }

    @Override
    public void close() {
        if (account != null) {
            account.stop();
        }
        if (timerWatch != null) {
            timerWatch.close();
        }
    }

    private CompiledRuleset rulesOf(TenantId tenant) {
        CompiledRuleset rules = pinned.get(tenant);
        if (rules == null) {
            rules = rulesets.get(tenant, partition.rulesetVersion(tenant));
            pinned.put(tenant, rules);
        }
        return rules;
    }
}
