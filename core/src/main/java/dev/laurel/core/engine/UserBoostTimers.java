package dev.laurel.core.engine;

import dev.laurel.core.user.UserBoost;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Announces each start and end of the user's own boosts once (docs/webhooks.md §3 "User boosts"): at 00:00 of the first day and
 * at the end of the last day in the user's zone of that time, or later if the boost was granted later.
 */
record UserBoostTimers(UserTransaction user) {

    /** No day. */
    private static final int NONE = Integer.MAX_VALUE;

    /**
     * When the next boost begins or ends, or {@link UserTimers#NEVER}.
     *
     * @param horizonMs see {@link UserTimers#nextDueMs}
     */
    long nextDueMs(long horizonMs) {
        int day = nextDay();
        return day == NONE ? UserTransaction.NEVER : user.startOf(day, horizonMs);
    }

    /** The next local day, after the announced ones, on which a boost begins or which follows the last day of one. */
    private int nextDay() {
        List<UserBoost> boosts = user.boosts();
        int next = NONE;
        // By index: most users have none, and this runs with every event.
        for (int i = 0; i < boosts.size(); i++) {
            next = Math.min(next, later(boosts.get(i).start()));
            next = Math.min(next, later(dayAfter(boosts.get(i))));
        }
        return next;
    }

    private int later(int day) {
        return day > user.boostsAnnouncedTo() ? day : NONE;
    }

    private static int dayAfter(UserBoost boost) {
        return boost.end() == UserBoost.OPEN ? NONE : boost.end() + 1;
    }

    /** Announces the starts and ends of the next day. @param dueMs when that day begins */
    void fire(long dueMs) {
        int day = nextDay();
        user.announcedBoostsTo(day);
        for (UserBoost boost : user.boosts()) {
            if (dayAfter(boost) == day) {
                Announcements.boost(user, boost, true, dueMs);
            }
        }
        for (UserBoost boost : user.boosts()) {
            if (boost.start() == day) {
                Announcements.boost(user, boost, false, dueMs);
            }
        }
    }

    /** Announces past starts and ends of the existing boosts before a change. */
    void announceDue(long atMs) {
        int today = user.dayOf(user.newestMs());
        while (nextDay() <= today) {
            fire(atMs);
        }
        user.announcedBoostsTo(Math.max(user.boostsAnnouncedTo(), today));
    }

    /**
     * Announces a past start or end of a new or changed boost, after {@link #announceDue}.
     *
     * @param before null: the boost is new
     */
    void announceChange(@Nullable UserBoost before, UserBoost after, long atMs) {
        int announced = user.boostsAnnouncedTo();
        if (after.start() <= announced && (before == null || before.start() > announced)) {
            Announcements.boost(user, after, false, atMs);
        }
        if (after.end() < announced && (before == null || before.end() >= announced)) {
            Announcements.boost(user, after, true, atMs);
        }
    }
}
