package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.platform.kafka.AdaptivePollWait;
import dev.laurel.processors.ledger.LedgerMeters.TimerWatch;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Handles time in one partition of the log: at each tick does what is due, unless timers are held, and requests the next tick when
 * something is due. One task, one thread.
 */
final class TickHandler {

    private static final long LOST_AFTER_MS = 60_000;
    private static final long NONE = Long.MIN_VALUE;

    private final PartitionState partition;
    private final TimerSweeper sweeper;
    private final LeaderboardClock clock;
    private final BoostAnnouncer boosts;
    private final Ticks ticks;
    private final LogCursor cursor;
    private final LedgerOutput output;
    private final TimerWatch meters;
    private final LongSupplier systemMs;
    private boolean isHeld;

    /** System time at which the requested tick was sent; {@link #NONE} if none is awaited. */
    private long sentMs = NONE;

    /** The time that the requested tick carries. */
    private long carriedMs;

    /** @param systemMs the clock of the process, used only to decide when a request counts as lost */
    TickHandler(
            PartitionState partition,
            TimerSweeper sweeper,
            LeaderboardClock clock,
            BoostAnnouncer boosts,
            Ticks ticks,
            LogCursor cursor,
            LedgerOutput output,
            TimerWatch meters,
            LongSupplier systemMs) {
        this.partition = partition;
        this.sweeper = sweeper;
        this.clock = clock;
        this.boosts = boosts;
        this.ticks = ticks;
        this.cursor = cursor;
        this.output = output;
        this.meters = meters;
        this.systemMs = systemMs;
        this.isHeld = partition.isHeld();
    }

    void onTick(Record<byte[], byte[]> record) {
        long tickMs = record.timestamp();
        if (tickMs >= carriedMs) {
            sentMs = NONE; // The requested tick has arrived, or another that replaces it.
        }
        boolean isMoreDue = !isHeld && (sweeper.tick(tickMs) | boosts.tick(tickMs));
        ReplyTo replyTo = output.replyTo(record);
        // The clock moves last, since timers that the tick fires count before it, and only when nothing is left to do.
        boolean hasMoved = !isHeld && !isMoreDue && clock.moveTo(tickMs);
        boolean doBoardsAnswer = replyTo != null && !isMoreDue;
        if (hasMoved || doBoardsAnswer) {
            output.scores().sendAll(new ClockMoved(clock.nowMs()), tickMs, replyTo);
        }
        if (replyTo != null) {
            // The waiting client sends the next tick, too. Leaderboards answer when nothing is left here.
            output.answerTick(replyTo, isMoreDue, tickMs, doBoardsAnswer);
        } else if (isMoreDue && !cursor.isSilent()) {
            request(systemMs.getAsLong());
        }
    }

    /** Holds timers until all holds are released. @param name of the hold */
    void hold(String name) {
        partition.hold(name);
        isHeld = true;
    }

    void release(String name) {
        partition.release(name);
        isHeld = partition.isHeld();
    }

    /** Called when other rules are in force for a tenant. */
    void rulesChanged(TenantId tenant, CompiledRuleset former, CompiledRuleset rules, long atMs) {
        clock.rulesChanged(tenant, rules);
        boosts.rulesChanged(tenant, former, rules, atMs, isHeld);
        if (rules.concernsInactiveUsers(former)) {
            sweeper.sweep(tenant);
        }
    }

    /** Requests a tick if this generation is in force. For the others, the ticks in the log are enough. */
    void requestIfDue(long systemMs) {
        if (!cursor.isInForce()) {
            meters.checked(Long.MAX_VALUE);
            return;
        }
        if (isHeld) {
            meters.held();
            return;
        }
        long nowMs = ticks.nowMs();
        long aheadMs = nowMs + AdaptivePollWait.AHEAD_MS;
        long nextDueMs = sweeper.oldestDueMs(aheadMs);
        meters.checked(nextDueMs <= nowMs ? nextDueMs : Long.MAX_VALUE);
        if (nextDueMs <= nowMs || sweeper.isSweeping() || clock.isDue(nowMs) || boosts.isDue(nowMs)) {
            request(systemMs);
        }
        if (nextDueMs <= aheadMs || clock.isDue(aheadMs) || boosts.isDue(aheadMs)) {
            AdaptivePollWait.ofThisThread().soon();
        }
    }

    /**
     * Requests a tick, one at a time, and none while the task lags, so that ticks do not fill the log. A restart repeats at most one.
     * Timers fire only when the task reads the tick from the log.
     */
    private void request(long systemMs) {
        boolean isAwaited = sentMs != NONE && systemMs - sentMs < LOST_AFTER_MS;
        if (!isAwaited && ticks.isCaughtUp(cursor.partition(), cursor.nextOffset())) {
            sentMs = systemMs;
            carriedMs = ticks.nowMs();
            ticks.send(cursor.partition(), new Tick(), carriedMs);
        }
    }
}
