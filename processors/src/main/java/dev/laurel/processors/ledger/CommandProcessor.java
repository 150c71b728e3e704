package dev.laurel.processors.ledger;

import dev.laurel.processors.ledger.LedgerMeters.TimerWatch;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.users.IssuedKeys;
import dev.laurel.processors.store.users.Sweeps;
import dev.laurel.processors.store.users.TenantSchedule;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.TaskProcessor;
import dev.laurel.processors.stream.TaskTrace;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Times;
import java.time.Duration;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Processes one partition of the log, command by command: parses the record and hands it to the class that runs it. One task, one
 * thread.
 */
final class CommandProcessor implements TaskProcessor.Handler<byte[], byte[]> {

    private static final Duration TICK_CHECK = Duration.ofMillis(250);

    /** Of all partitions together: some 60 MB, since most users take half a kilobyte, and one in eight is also kept decoded. */
    private static final int CACHED_USERS = 65_536;

    private static final long MAX_TIME_MS = Times.MAX.toEpochMilli();

    private final LogLayout layout;
    private final LogCursor cursor;
    private final LedgerOutput output;
    private final UserCommandRunner users;
    private final MarkerHandler markers;
    private final TimerWatch timerWatch;

    CommandProcessor(
            ProcessorContext<Object, Object> context,
            TaskTrace trace,
            LedgerTopology.Dependencies shared,
            OutputWindow window) {
        KeyValueStore<Bytes, byte[]> partitionState = context.getStateStore(StoreNames.PARTITION_STATE);
        var partition = new PartitionState(partitionState);
        var stored = new UserStores(
                context::getStateStore,
                Math.max(1, CACHED_USERS / shared.layout().partitions()));
        var timers = new Timers(context.getStateStore(StoreNames.TIMERS), partition);
        layout = shared.layout();
        timerWatch = shared.meters().watch(context.taskId().partition());
        cursor = new LogCursor(context, window, timerWatch);
        var scores = new ScoreSender(
                new ScoreForwarder(context, trace, LedgerOutput.SCORES_SINK),
                partitionState,
                stored,
                shared.leading(),
                shared.boards(),
                cursor);
        PreCommitStore.beforeCommit(partitionState, scores::save);
        output = new LedgerOutput(context, trace, cursor, shared.meters(), scores);
        var requester = new MarkerRequester(
                shared.rulesets(), partition, stored, shared.ticks(), cursor, context.currentSystemTimeMs());
        var rulesets = new PartitionRulesets(shared.rulesets(), partition, requester::met);
        var schedule = new TenantSchedule(partitionState);
        var clock = new LeaderboardClock(partition, schedule, shared.rulesets()::haveTenants);
        var boosts = new BoostAnnouncer(
                partition,
                schedule,
                tenant -> layout.partitionOf(tenant.bytes()) == cursor.partition(),
                rulesets::inForce,
                output::sendBoosts);
        users = new UserCommandRunner(
                stored,
                new UserStateWriter(context, stored, timers, clock),
                new IssuedKeys(partitionState),
                rulesets,
                clock,
                cursor,
                output,
                shared.meters());
        var ticks = new TickHandler(
                partition,
                new TimerSweeper(stored, timers, new Sweeps(partitionState), users),
                clock,
                boosts,
                shared.ticks(),
                cursor,
                output,
                timerWatch,
                context::currentSystemTimeMs);
        markers = new MarkerHandler(rulesets, ticks, cursor, output, shared.meters(), layout);
        context.schedule(TICK_CHECK, PunctuationType.WALL_CLOCK_TIME, ticks::requestIfDue);
        context.schedule(TICK_CHECK, PunctuationType.WALL_CLOCK_TIME, requester::check);
        context.schedule(ScoreSender.ROUND, PunctuationType.WALL_CLOCK_TIME, _ -> scores.flush());
    }

    /** Supplies the processors of all tasks, with the stores that they own. */
    static ProcessorSupplier<byte[], byte[], Object, Object> supplier(
            LedgerTopology.Dependencies shared, PipelineSettings settings) {
        return settings.supplier(
                (context, trace) -> new CommandProcessor(context, trace, shared, settings.window()),
                UserStores.builders(settings.isCached()));
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        if (!cursor.advance(record.headers())) {
            return;
        }
        switch (parse(record)) {
            case UserCommand command -> {
                UserKey user = userOf(record, command);
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
                // The record was rejected or refused.
            }
        }
    }

    /** @return null if the record is no command: it has been rejected, or refused if a client waits */
    private @Nullable Command parse(Record<byte[], byte[]> record) {
        String fault = faultOf(record);
        if (fault != null) {
            output.reject(record, fault);
            return null;
        }
        try {
            return CommandJson.read(record.value());
        } catch (BadInputException e) {
            output.refuse(record, e.refusal());
            return null;
        }
    }

    private static @Nullable String faultOf(Record<byte[], byte[]> record) {
        if (record.timestamp() <= 0) {
            return "the record has no timestamp: it is the time of the command";
        }
        if (record.timestamp() > MAX_TIME_MS) {
            return "the record's timestamp is beyond the year 9999: it is in milliseconds since 1970";
        }
        return record.value() == null ? "the record has no value" : null;
    }

    /** @return null if the record's key is not that of the command's user in this partition: the record has been rejected */
    private @Nullable UserKey userOf(Record<byte[], byte[]> record, UserCommand command) {
        try {
            return keyOf(record, command);
        } catch (IllegalArgumentException e) {
            output.reject(record, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private UserKey keyOf(Record<byte[], byte[]> record, UserCommand command) {
        if (record.key() == null) {
            throw new IllegalArgumentException("the record has no key: it is the user's id");
        }
        UserKey user = UserKey.parse(record.key());
        if (!user.user().equals(command.user().id())) {
            throw new IllegalArgumentException("the record's key does not name the same user as user.id; for '"
                    + command.user().id() + "' it is '"
                    + new UserKey(user.tenant(), command.user().id()) + "'");
        }
        int partitionOfKey = layout.partitionOf(record.key());
        if (cursor.partition() != partitionOfKey) {
            throw new IllegalArgumentException(
                    "the record lies in partition " + cursor.partition() + ", its key belongs to " + partitionOfKey
                            + ": produce with Kafka's own partitioner (murmur2 of the key)");
        }
        return user;
    }

    @Override
    public void close() {
        timerWatch.close();
    }
}
