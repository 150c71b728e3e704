package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.BoardMessage.ClockMoved;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.platform.kafka.PollWakeup;
import dev.laurel.processors.ledger.LedgerMeters.TimerWatch;
import dev.laurel.processors.ledger.tick.TickRequester;
import dev.laurel.processors.ledger.tick.Ticks;
import dev.laurel.processors.store.users.PartitionState;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Handles time in one partition of the log: at each tick does what is due, unless timers are held, and requests the next tick when
 * something is due. One task, one thread.
 */
final class TickHandler {

    private final PartitionState partition;
    private final TimerSweeper sweeper;
    private final BoardClock clock;
    private final BoostAnnouncer boosts;
    private final Ticks ticks;
    private final TickRequester requester;
    private final LogCursor cursor;
    private final LedgerOutput output;
    private final TimerWatch meters;
    private final LongSupplier systemMs;
    private boolean isHeld;

    /** @param systemMs the clock of the process, used only to decide when a request counts as lost */
    TickHandler(PartitionState partition, TimerSweeper sweeper, BoardClock clock, BoostAnnouncer boosts, Ticks ticks,
            LogCursor cursor, LedgerOutput output, TimerWatch meters, LongSupplier systemMs) {
        this.partition = partition;
        this.sweeper = sweeper;
        this.clock = clock;
        this.boosts = boosts;
        this.ticks = ticks;
        this.requester = new TickRequester(ticks, cursor.partition());
        this.cursor = cursor;
        this.output = output;
        this.meters = meters;
        this.systemMs = systemMs;
        this.isHeld = partition.isHeld();
    }

    void onTick(Record<byte[], byte[]> record) {
        long tickMs = record.timestamp();
        requester.arrived(tickMs);
        boolean isMoreDue = !isHeld && (sweeper.tick(tickMs) | boosts.tick(tickMs));
        ReplyTo replyTo = output.replyTo(record);
        // The clock moves last, since timers that the tick fires count before it, and only when nothing is left to do.
        boolean hasMoved = !isHeld && !isMoreDue && clock.moveTo(tickMs);
        boolean doBoardsAnswer = replyTo != null && !isMoreDue;
        if (hasMoved || doBoardsAnswer) {
            output.sendToBoards(new ClockMoved(clock.nowMs()), tickMs, replyTo);
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
        long aheadMs = nowMs + PollWakeup.AHEAD_MS;
        long nextDueMs = sweeper.oldestDueMs(aheadMs);
        meters.checked(nextDueMs <= nowMs ? nextDueMs : Long.MAX_VALUE);
        if (nextDueMs <= nowMs || sweeper.isSweeping() || clock.isDue(nowMs) || boosts.isDue(nowMs)) {
            request(systemMs);
        }
        if (nextDueMs <= aheadMs || clock.isDue(aheadMs) || boosts.isDue(aheadMs)) {
            PollWakeup.ofThisThread().soon();
        }
    }

    private void request(long systemMs) {
        requester.request(systemMs, cursor.nextOffset());
    }
}
