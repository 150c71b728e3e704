package dev.laurel.processors.ledger;

import dev.laurel.processors.core.leaderboard.BoardMessage.ClockMoved;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.ledger.LedgerMeters.TimerWatch;
import dev.laurel.processors.store.PartitionState;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Time in one partition of the log: does at each tick what is due, does nothing while timers are held, and requests the next
 * tick when something is due. One task, one thread.
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

    /** @param systemMs the clock of the process: it decides when a request counts as lost, and nothing else */
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
        // The clock moves last: what the tick itself has fired counts before it. While something is left, its time has not come.
        boolean hasMoved = !isHeld && !isMoreDue && clock.moveTo(tickMs);
        boolean areBoardsAsked = replyTo != null && !isMoreDue;
        if (hasMoved || areBoardsAsked) {
            output.sendToBoards(new ClockMoved(clock.nowMs()), tickMs, replyTo);
        }
        if (replyTo != null) {
            // The client that waits sends the next tick, too. Leaderboards are asked when nothing is left here.
            output.answerTick(replyTo, isMoreDue, tickMs, areBoardsAsked);
        } else if (isMoreDue && !cursor.isSilent()) {
            request(systemMs.getAsLong());
        }
    }

    /** @param name of the hold; timers fire again when all holds are released */
    void hold(String name) {
        partition.hold(name);
        isHeld = true;
    }

    void release(String name) {
        partition.release(name);
        isHeld = partition.isHeld();
    }

    /** Other rules are in force for a tenant. */
    void rulesChanged(TenantId tenant, CompiledRuleset former, CompiledRuleset rules, long atMs) {
        clock.rulesChanged();
        boosts.rulesChanged(tenant, former, rules, atMs, isHeld);
        if (rules.concernsInactiveUsers(former)) {
            sweeper.sweep();
        }
    }

    /** Only the generation in force requests ticks; those in the log are enough for the others. */
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
        long oldestDueMs = sweeper.oldestDueMs(nowMs);
        meters.checked(oldestDueMs);
        if (oldestDueMs <= nowMs || sweeper.isSweeping() || clock.isDue(nowMs) || boosts.isDue(nowMs)) {
            request(systemMs);
        }
    }

    private void request(long systemMs) {
        requester.request(systemMs, cursor.nextOffset());
    }
}
