package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.BoardFloors;
import dev.laurel.processors.ledger.LedgerMeters.TimerWatch;
import dev.laurel.processors.ledger.tick.Ticks;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.boards.HeldScoreStore;
import dev.laurel.processors.store.counters.CounterStore;
import dev.laurel.processors.store.users.IssuedKeys;
import dev.laurel.processors.store.users.LedgerStores;
import dev.laurel.processors.store.users.OwnedIndex;
import dev.laurel.processors.store.users.PartitionState;
import dev.laurel.processors.store.users.Sweeps;
import dev.laurel.processors.store.users.TenantSchedule;
import dev.laurel.processors.store.users.Timers;
import dev.laurel.processors.store.users.TopUserStore;
import dev.laurel.processors.store.users.UserIndex;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.processors.stream.BoardLayout;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TaskProcessor;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Processes one partition of the log, command by command: parses the record and hands it to the class that runs it. One task, one
 * thread.
 */
public final class CommandProcessor implements TaskProcessor.Handler<byte[], byte[]> {

    private static final Duration TICK_CHECK = Duration.ofMillis(250);

    /**
     * The objects that the tasks of an application share. All are thread-safe.
     *
     * @param layout assigns users to the partitions of the log
     * @param floors the lowest values of full groups
     * @param boards assigns leaderboards to the partitions of {@code laurel.scores}
     * @param spareScores how many scores below floors each task sends to the leaderboards in each round
     */
    public record Dependencies(RulesetVersions rulesets, Ticks ticks, LogLayout layout, BoardFloors floors,
            BoardLayout boards, LedgerMeters meters, int spareScores) {

        public Dependencies(RulesetVersions rulesets, Ticks ticks, LogLayout layout, BoardFloors floors,
                BoardLayout boards, LedgerMeters meters) {
            this(rulesets, ticks, layout, floors, boards, meters, ScoreSender.MAX_SPARE);
        }
    }

    /** The names of the nodes that this processor forwards to. */
    public record Sinks(String effects, String outbox, String scores, String replies, String rejections) {}

    /** Of all partitions together: some 60 MB, since most users take half a kilobyte, and one in eight is also kept decoded. */
    private static final int CACHED_USERS = 65_536;

    private final LogCursor cursor;
    private final CommandParser parser;
    private final UserCommandRunner users;
    private final MarkerHandler markers;
    private final TimerWatch timerWatch;

    CommandProcessor(ProcessorContext<Object, Object> context, Dependencies shared, Sinks sinks, OutputWindow window) {
        var userStores = new UserStores(context::getStateStore,
                Math.max(1, CACHED_USERS / shared.layout().partitions()));
        var partition = new PartitionState(context.getStateStore(StoreNames.PARTITION_STATE));
        var owned = new OwnedIndex(context.getStateStore(StoreNames.PARTITION_STATE));
        var index = new UserIndex(context.getStateStore(StoreNames.PARTITION_STATE));
        var timers = new Timers(context.getStateStore(StoreNames.TIMERS), partition);
        timerWatch = shared.meters().watch(context.taskId().partition());
        cursor = new LogCursor(context, window, timerWatch);
        var output = new LedgerOutput(context, sinks, shared, cursor);
        var held = new HeldScoreStore(context.getStateStore(StoreNames.PARTITION_STATE));
        output.restoreScores(held);
        var counters = new CounterStore(context.getStateStore(StoreNames.COUNTERS));
        PreCommitStore.beforeCommit(context.getStateStore(StoreNames.COUNTERS), counters::write);
        PreCommitStore.beforeCommit(context.getStateStore(StoreNames.PARTITION_STATE), () -> output.saveScores(held));
        var requester = new MarkerRequester(shared.rulesets(), partition, userStores, shared.ticks(), cursor,
                context.currentSystemTimeMs());
        var rulesets = new PartitionRulesets(shared.rulesets(), partition, requester::met);
        var schedule = new TenantSchedule(context.getStateStore(StoreNames.PARTITION_STATE));
        var clock = new BoardClock(partition, schedule, shared.rulesets()::haveTenants);
        var top = new TopUserStore(context.getStateStore(StoreNames.PARTITION_STATE),
                (tenant, user) -> userStores.load(new UserKey(tenant, user).bytes()), clock::nowMs);
        PreCommitStore.beforeCommit(context.getStateStore(StoreNames.PARTITION_STATE), top::write);
        var boosts = new BoostAnnouncer(partition, schedule,
                tenant -> shared.layout().partitionOf(tenant.bytes()) == cursor.partition(), rulesets::inForce,
                output::sendBoosts);
        users = new UserCommandRunner(userStores,
                new UserStateWriter(userStores, timers, owned, index, counters, top), owned,
                new KeyCommandRunner(new IssuedKeys(context.getStateStore(StoreNames.PARTITION_STATE)), output,
                        shared.meters()),
                rulesets, clock, cursor, output, shared.meters());
        var sweeps = new Sweeps(context.getStateStore(StoreNames.PARTITION_STATE));
        var ticks = new TickHandler(partition, new TimerSweeper(userStores, timers, sweeps, users), clock, boosts,
                shared.ticks(), cursor, output, timerWatch, context::currentSystemTimeMs);
        parser = new CommandParser(cursor.partition(), shared.layout(), output);
        markers = new MarkerHandler(rulesets, ticks, cursor, output, shared.meters(), shared.layout());
        context.schedule(TICK_CHECK, PunctuationType.WALL_CLOCK_TIME, ticks::requestIfDue);
        context.schedule(TICK_CHECK, PunctuationType.WALL_CLOCK_TIME, requester::check);
        context.schedule(ScoreSender.ROUND, PunctuationType.WALL_CLOCK_TIME, _ -> output.judgeScores(clock.nowMs()));
    }

    /** Supplies the processors of all tasks, with the stores that they own. */
    public static ProcessorSupplier<byte[], byte[], Object, Object> supplier(Dependencies shared, Sinks sinks,
            PipelineSettings settings) {
        return settings.supplier(context -> new CommandProcessor(context, shared, sinks, settings.window()),
                LedgerStores.builders(settings.isCached()));
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (!cursor.advance(record.headers())) {
            return;
        }
        switch (parser.parse(record)) {
            case UserCommand command -> {
                UserKey user = parser.userOf(record, command);
                if (user != null && markers.admit(record, user.tenant())) {
                    users.run(record, record.key(), user, command);
                }
            }
            case OwnedCommand command -> {
                if (markers.admit(record, command.tenant())) {
                    users.run(record, command);
                }
            }
            case LogCommand marker -> markers.handle(record, marker);
            case null -> {
                // The parser has rejected or refused the record.
            }
        }
    }

    @Override
    public void close() {
        timerWatch.close();
    }
}
