package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.CompiledRuleset;
import java.math.BigDecimal;
import java.time.ZoneId;

/** The streak of the user in a turn (semantics.md §5). */
final class StreakBook {

    private final UserTurn turn;

    StreakBook(UserTurn turn) {
        this.turn = turn;
    }

    /** A user has been created: initial freezes. */
    void create(long atMs) {}

    /** When a period has to be judged or freezes are earned next; {@link UserTimers#NEVER} if nothing is to come. */
    long nextDueMs() {
        return UserTimers.NEVER;
    }

    /** Everything of the streak that is due at {@code dueMs}. */
    void fire(long dueMs) {}

    /**
     * An event's value has been counted in its day's bucket.
     *
     * @param day the event's local day
     * @return whether it turned the current period, the one at the user's newest time, to met
     */
    boolean count(int metric, int day, BigDecimal value, long atMs) {
        return false;
    }

    /** The present length; 0 while streaks are off for the ruleset or the user. */
    int length() {
        return 0;
    }

    /** The user's zone is another one since {@code atMs}. */
    void changeZone(ZoneId before, long atMs) {}

    /** Brings the streak up to rules that have changed since {@code former}, null if those are not known. */
    void settle(CompiledRuleset former, long atMs) {}
}
