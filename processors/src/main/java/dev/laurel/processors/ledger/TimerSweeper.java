package dev.laurel.processors.ledger;

import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.PartitionState;
import dev.laurel.processors.store.Timers;
import dev.laurel.processors.store.UserStores;
import java.util.List;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * Updates users without a command: fires timers that are due, and applies new rules that concern all users. Each tick does a limited
 * amount of work; the rest waits for the next tick, so that commands are processed in between. All of it depends on the log only. One
 * task, one thread.
 */
final class TimerSweeper {

    /** Users updated at one tick. The next command waits about 30 µs for each. */
    static final int MAX_WOKEN = 100;

    /** Users that a sweep examines at one tick; most of them need no update. */
    static final int MAX_SWEPT = 500;

    /** Approximate maximum of entries and effects written at one tick; the last user may exceed it. */
    static final int MAX_WORK = 500;

    /** Due times of one user that fire at one tick: an hourly trigger may be years behind. */
    static final int MAX_MOMENTS = 50;

    /** Updates users; at most {@link #MAX_MOMENTS} due times at once. */
    interface Waker {

        /**
         * Brings a user up to the time of a tick.
         *
         * @param before the user as stored
         * @return the number of entries and effects written
         */
        int wake(byte[] user, UserState before, long tickMs);

        /** Whether the user has not been brought up to the rules in force. */
        boolean isBehind(byte[] user, UserState state);
    }

    private final UserStores users;
    private final Timers timers;
    private final PartitionState partition;
    private final Waker waker;

    /** The last user that the sweep in progress has examined; null if there is none in progress. */
    private byte @Nullable [] sweptTo;

    TimerSweeper(UserStores users, Timers timers, PartitionState partition, Waker waker) {
        this.users = users;
        this.timers = timers;
        this.partition = partition;
        this.waker = waker;
        this.sweptTo = partition.sweptTo();
    }

    /**
     * Starts a sweep, since all users must be brought up to new rules. A sweep in progress continues to its end with these rules, and
     * then starts once more, so that it reaches the last user however often rules change.
     */
    void sweep() {
        if (sweptTo != null) {
            partition.sweepOnceMore(true);
        } else if (!users.after(PartitionState.BEFORE_ALL_USERS, 1).isEmpty()) {
            moveTo(PartitionState.BEFORE_ALL_USERS);
        }
    }

    /** The due time of the timer that has been due for longest at {@code nowMs}; {@link Long#MAX_VALUE} if none is due. */
    long oldestDueMs(long nowMs) {
        List<Timers.Timer> due = timers.due(nowMs, 1);
        return due.isEmpty() ? Long.MAX_VALUE : due.getFirst().dueMs();
    }

    /** Whether a sweep is in progress. */
    boolean isSweeping() {
        return sweptTo != null;
    }

    /** Whether a tick at {@code nowMs} would have work. */
    private boolean areWaiting(long nowMs) {
        return sweptTo != null || timers.isDue(nowMs);
    }

    /** @return whether another tick of the same time would have work */
    boolean tick(long tickMs) {
        int woken = 0;
        int work = 0;
        for (Timers.Timer timer : timers.due(tickMs, MAX_WOKEN)) {
            if (work >= MAX_WORK) {
                break;
            }
            UserState before = requireNonNull(users.load(timer.user()), "a timer ends with its user");
            work += waker.wake(timer.user(), before, tickMs);
            woken++;
        }
        if (sweptTo != null) {
            sweep(sweptTo, tickMs, MAX_WOKEN - woken, MAX_WORK - work);
        }
        timers.passed(tickMs);
        return areWaiting(tickMs);
    }

    private void sweep(byte[] from, long tickMs, int maxWoken, int maxWork) {
        int woken = 0;
        int work = 0;
        byte[] last = from;
        List<UserStores.Stored> next = users.after(from, MAX_SWEPT);
        for (UserStores.Stored user : next) {
            if (waker.isBehind(user.key(), user.state())) {
                if (woken == maxWoken || work >= maxWork) {
                    moveTo(last);
                    return;
                }
                work += waker.wake(user.key(), user.state(), tickMs);
                woken++;
            }
            last = user.key();
        }
        if (next.size() == MAX_SWEPT) {
            moveTo(last);
        } else if (partition.isSweptOnceMore()) {
            partition.sweepOnceMore(false);
            moveTo(PartitionState.BEFORE_ALL_USERS);
        } else {
            moveTo(null);
        }
    }

    private void moveTo(byte @Nullable [] user) {
        sweptTo = user;
        partition.putSweptTo(user);
    }
}
