package dev.laurel.processors.stream;

import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.PartitionState;
import dev.laurel.processors.store.Timers;
import dev.laurel.processors.store.UserStores;
import java.util.List;

/**
 * What is done for users who do nothing themselves: timers that are due fire, and rules that concern everybody are brought
 * to everybody, a bounded amount of both at each tick. What is left waits for the next tick, and commands in between have
 * their turn. All of it follows from the log alone. One task, one thread.
 */
final class QuietUsers {

    /** Users written to at one tick. A command behind it waits for them, 30 µs each or so. */
    static final int MAX_WOKEN = 100;

    /** Users looked at by a sweep at one tick; most of them need nothing. */
    static final int MAX_SWEPT = 500;

    /** Entries written and effects told at one tick, give or take one user's share. */
    static final int MAX_WORK = 500;

    /** Due moments of one user that fire at one tick: an hourly trigger may have years to make up. */
    static final int MAX_MOMENTS = 50;

    /** Brings one user up to the time of a tick, at most {@link #MAX_MOMENTS} further, and writes what came of it. */
    interface Waker {

        /**
         * @param before the user as stored
         * @return what was written and told, in entries
         */
        int wake(byte[] user, UserState before, long tickMs);

        /** Whether the user was not brought up to the rules yet that are in force. */
        boolean isBehind(byte[] user, UserState state);
    }

    private final UserStores users;
    private final Timers timers;
    private final PartitionState partition;
    private final Waker waker;
    private byte[] sweptTo;

    QuietUsers(UserStores users, Timers timers, PartitionState partition, Waker waker) {
        this.users = users;
        this.timers = timers;
        this.partition = partition;
        this.waker = waker;
        this.sweptTo = partition.sweptTo();
    }

    /**
     * Rules have come that every user is to be brought up to: a sweep starts. One that is under way goes on to its end, with
     * these rules, and starts once more then: however often rules change, it comes to the last user.
     */
    void sweep() {
        if (sweptTo != null) {
            partition.sweepOnceMore(true);
        } else if (!users.after(PartitionState.BEFORE_ALL_USERS, 1).isEmpty()) {
            moveTo(PartitionState.BEFORE_ALL_USERS);
        }
    }

    /** When the timer is due that is due for longest at {@code nowMs}; {@link Long#MAX_VALUE} if none is. */
    long oldestDueMs(long nowMs) {
        List<Timers.Timer> due = timers.due(nowMs, 1);
        return due.isEmpty() ? Long.MAX_VALUE : due.getFirst().dueMs();
    }

    /** Whether rules are being brought to everybody. */
    boolean isSweeping() {
        return sweptTo != null;
    }

    /** Whether a tick at {@code nowMs} would find something to do. */
    private boolean areWaiting(long nowMs) {
        return sweptTo != null || timers.isDue(nowMs);
    }

    /** @return whether something is left that another tick of the same time would find */
    boolean tick(long tickMs) {
        int woken = 0;
        int work = 0;
        for (Timers.Timer timer : timers.due(tickMs, MAX_WOKEN)) {
            if (work >= MAX_WORK) {
                break;
            }
            work += waker.wake(timer.user(), users.load(timer.user()), tickMs);
            woken++;
        }
        if (sweptTo != null) {
            sweep(tickMs, MAX_WOKEN - woken, MAX_WORK - work);
        }
        timers.passed(tickMs);
        return areWaiting(tickMs);
    }

    private void sweep(long tickMs, int maxWoken, int maxWork) {
        int woken = 0;
        int work = 0;
        byte[] last = sweptTo;
        List<UserStores.Stored> next = users.after(sweptTo, MAX_SWEPT);
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

    private void moveTo(byte[] user) {
        sweptTo = user;
        partition.putSweptTo(user);
    }
}
