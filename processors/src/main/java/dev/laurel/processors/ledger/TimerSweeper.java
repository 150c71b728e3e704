package dev.laurel.processors.ledger;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.users.Sweeps;
import dev.laurel.processors.store.users.Sweeps.Sweep;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.schemas.key.TenantId;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;

/**
 * Updates users without a command: fires timers that are due, and applies new rules that concern all users of a tenant, by a sweep of
 * that tenant's users. Each tick does a limited amount of work; the rest waits for the next tick, so that commands are processed in
 * between. Sweeps take turns: short ones share most of what a tick may do, so that the sweep of a tenant with few users ends soon
 * however many users others have. All of it depends on the log only. One task, one thread.
 */
final class TimerSweeper {

    /** Users updated at one tick. The next command waits about 30 µs for each. */
    static final int MAX_WOKEN = 100;

    /** Users that sweeps examine at one tick; most of them need no update. */
    static final int MAX_SWEPT = 500;

    /** Approximate maximum of entries and effects written at one tick; the last user may exceed it. */
    static final int MAX_WORK = 500;

    /** Due times of one user that fire at one tick: an hourly trigger may be years behind. */
    static final int MAX_MOMENTS = 50;

    /** Sweeps among which the work of a round is shared out. */
    private static final int MAX_TURNS = 10;

    /** A turn counts as so many users at least: it costs a search and a write. So a tick has at most 50 turns, or a few more. */
    private static final int LEAST_SWEPT = 10;

    /** While there are short sweeps, one part in so many of the work is reserved for long ones. */
    private static final int PART_OF_LONG = 5;

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
    private final Sweeps sweeps;
    private final Waker waker;
    private boolean isSweeping;

    /** The work that may still be done at a tick, or in a turn. */
    private static final class Work {

        /** Users that may still be examined. */
        private int examined;

        /** Users that may still be updated. */
        private int woken;

        /** Entries and effects that may still be written. */
        private int written;

        Work(int examined, int woken, int written) {
            this.examined = examined;
            this.woken = woken;
            this.written = written;
        }

        boolean isUsedUp() {
            return examined <= 0 || !mayWake();
        }

        boolean mayWake() {
            return woken > 0 && written > 0;
        }

        /** Takes one of several equal parts out of this work. */
        Work take(int parts) {
            var part = new Work(part(examined, parts), part(woken, parts), part(written, parts));
            add(part, -1);
            return part;
        }

        private static int part(int work, int parts) {
            return Math.ceilDiv(Math.max(0, work), parts);
        }

        /** Gives back what is left of a part. */
        void giveBack(Work part) {
            add(part, 1);
        }

        private void add(Work part, int sign) {
            examined += sign * part.examined;
            woken += sign * part.woken;
            written += sign * part.written;
        }
    }

    TimerSweeper(UserStores users, Timers timers, Sweeps sweeps, Waker waker) {
        this.users = users;
        this.timers = timers;
        this.sweeps = sweeps;
        this.waker = waker;
        this.isSweeping = sweeps.areAny();
    }

    /**
     * Starts a sweep, since all users of a tenant must be brought up to new rules. A sweep in progress continues to its end with these
     * rules, and then starts once more, so that it reaches the last user however often rules change.
     */
    void sweep(TenantId tenant) {
        Sweep known = sweeps.find(tenant);
        if (known == null) {
            UserStores.Page<UserStores.Stored> first = users.ofTenant(tenant, UserStores.firstOf(tenant), 1);
            if (!first.users().isEmpty() || first.next() != null) {
                sweeps.begin(tenant);
                isSweeping = true;
            }
        } else if (!known.isOnceMore()) {
            sweeps.put(known.onceMore());
        }
    }

    /** The due time of the timer that has been due for longest at {@code nowMs}; {@link Long#MAX_VALUE} if none is due. */
    long oldestDueMs(long nowMs) {
        List<Timers.Timer> due = timers.due(nowMs, 1);
        return due.isEmpty() ? Long.MAX_VALUE : due.getFirst().dueMs();
    }

    /** Whether a sweep is in progress. */
    boolean isSweeping() {
        return isSweeping;
    }

    /** @return whether another tick of the same time would have work */
    boolean tick(long tickMs) {
        var left = new Work(MAX_SWEPT, MAX_WOKEN, MAX_WORK);
        for (Timers.Timer timer : timers.due(tickMs, MAX_WOKEN)) {
            if (left.written <= 0) {
                break;
            }
            UserState before = requireNonNull(users.load(timer.user()), "a timer ends with its user");
            left.written -= waker.wake(timer.user(), before, tickMs);
            left.woken--;
        }
        if (isSweeping) {
            sweep(tickMs, left);
            isSweeping = sweeps.endTurns();
        }
        timers.passed(tickMs);
        return isSweeping || timers.isDue(tickMs);
    }

    private void sweep(long tickMs, Work left) {
        boolean areShort = sweeps.areAny(false);
        if (areShort && sweeps.areAny(true)) {
            Work reserved = left.take(PART_OF_LONG);
            sweep(true, tickMs, reserved);
            left.giveBack(reserved);
        }
        if (areShort) {
            sweep(false, tickMs, left);
        }
        if (!areShort || !left.isUsedUp()) {
            sweep(true, tickMs, left);
        }
    }

    /** Gives turns to the sweeps of a queue, in rounds, until the work is used up or they are done. */
    private void sweep(boolean areLong, long tickMs, Work left) {
        do {
            List<Sweep> next = sweeps.next(areLong, MAX_TURNS);
            for (int i = 0; i < next.size() && left.examined > 0; i++) {
                Work part = left.take(next.size() - i);
                turn(next.get(i), tickMs, part);
                sweeps.served(next.get(i).tenant(), areLong);
                left.giveBack(part);
            }
            if (next.isEmpty()) {
                return;
            }
        } while (!left.isUsedUp());
    }

    private void turn(Sweep sweep, long tickMs, Work left) {
        UserStores.Page<UserStores.Stored> page = users.ofTenant(sweep.tenant(), sweep.from(), left.examined);
        int done = bringUpToDate(page.users(), tickMs, left);
        boolean isWholePage = done == page.users().size();
        Bytes next =
                isWholePage ? page.next() : Bytes.wrap(page.users().get(done).key());
        // A whole page costs all that could be read: among users without a tenant, it may consist of tenants to skip.
        int cost = isWholePage && next != null ? left.examined : Math.max(LEAST_SWEPT, done);
        left.examined -= cost;
        sweeps.replace(sweep, next == null ? null : sweep.at(next, cost));
    }

    /** Brings users up to the rules in force, as far as users may be updated. @return the number of users that are */
    private int bringUpToDate(List<UserStores.Stored> next, long tickMs, Work left) {
        int done = 0;
        for (UserStores.Stored user : next) {
            if (waker.isBehind(user.key(), user.state())) {
                if (!left.mayWake()) {
                    return done;
                }
                left.written -= waker.wake(user.key(), user.state(), tickMs);
                left.woken--;
            }
            done++;
        }
        return done;
    }
}
