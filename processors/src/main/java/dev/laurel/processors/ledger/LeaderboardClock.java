package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.LeaderboardSchedule;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.store.users.TenantSchedule;
import dev.laurel.processors.store.users.TenantSchedule.Kind;
import dev.laurel.schemas.key.TenantId;
import java.util.function.BooleanSupplier;

/**
 * The time of leaderboards in one partition of the log. It moves when a tick has passed one of the {@link LeaderboardSchedule}, three times
 * a day. One task, one thread.
 */
final class LeaderboardClock {

    private static final long NOT_KNOWN = Long.MIN_VALUE + 1;

    private final PartitionState partition;
    private final TenantSchedule schedule;
    private final BooleanSupplier areThereOthers;
    private long clockMs;

    /** When a leaderboard needs the clock to move; {@link Long#MAX_VALUE} if none does. */
    private long dueMs = NOT_KNOWN;

    /**
     * @param areThereOthers whether there may be leaderboards of tenants whose rules this partition does not know, since it has none of
     *        their users: their time moves only with that of all partitions
     */
    LeaderboardClock(PartitionState partition, TenantSchedule schedule, BooleanSupplier areThereOthers) {
        this.partition = partition;
        this.schedule = schedule;
        this.areThereOthers = areThereOthers;
        this.clockMs = partition.boardClockMs();
    }

    /** {@link LeaderboardSchedule#NEVER_SET} before the first tick. */
    long nowMs() {
        return clockMs;
    }

    /** Called when other rules are in force for a tenant. */
    void rulesChanged(TenantId tenant, CompiledRuleset rules) {
        long untilMs = TenantSchedule.NEVER;
        for (LeaderboardRules board : rules.boards()) {
            untilMs = Math.max(untilMs, LeaderboardSchedule.changesUntil(board.board()));
        }
        schedule.put(Kind.BOARDS, tenant, untilMs);
        dueMs = NOT_KNOWN;
    }

    /** Whether a tick at this time would move the clock, and a leaderboard needs that. */
    boolean isDue(long atMs) {
        if (dueMs == NOT_KNOWN) {
            dueMs = schedule.isAnyAfter(Kind.BOARDS, clockMs) ? LeaderboardSchedule.after(clockMs) : Long.MAX_VALUE;
        }
        return atMs >= dueMs || areThereOthers.getAsBoolean() && atMs >= LeaderboardSchedule.after(clockMs);
    }

    /** Called when a tick has done everything due by its time. @return whether the clock has moved */
    boolean moveTo(long tickMs) {
        if (tickMs < LeaderboardSchedule.after(clockMs)) {
            return false;
        }
        clockMs = tickMs;
        partition.putBoardClockMs(tickMs);
        dueMs = NOT_KNOWN;
        return true;
    }
}
