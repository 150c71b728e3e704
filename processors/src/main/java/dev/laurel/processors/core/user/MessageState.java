package dev.laurel.processors.core.user;

import java.util.List;

/**
 * What messages a user was written and is to be written. The same whoever lets time pass: a moment that passes in silence
 * leaves the same behind as one that is told. Days are epoch days.
 *
 * @param reactivatedDays of the last reactivation since the newest event: how long that had been ago; 0 if there was none
 * @param remindedTo the period of the streak of which the user was reminded and which is not judged yet,
 *            {@link #NONE_YET} if there is none
 * @param recapDay a day of the earliest period that a recap is owed of, {@link #NONE_YET} if none is
 * @param recappedTo the last day that a recap has told of, {@link #NONE_YET} if there was none
 * @param windowMs when the user is written of those that wait, 0 if none do
 * @param waiting numbers of achievements, in the order of completion
 */
public record MessageState(int reactivatedDays, int remindedTo, int recapDay, int recappedTo, long windowMs,
        List<Integer> waiting) {

    /** Before any day and any period. */
    public static final int NONE_YET = Integer.MIN_VALUE;

    /** Achievements that wait at most; whoever completes more in a day is not written of the others. */
    static final int MAX_WAITING = 100;

    public static final MessageState NONE = new MessageState(0, NONE_YET, NONE_YET, NONE_YET, 0, List.of());

    public MessageState {
        waiting = List.copyOf(waiting);
    }

    MessageState withReactivated(int days) {
        return new MessageState(days, remindedTo, recapDay, recappedTo, windowMs, waiting);
    }

    MessageState withReminded(int period) {
        return new MessageState(reactivatedDays, period, recapDay, recappedTo, windowMs, waiting);
    }

    MessageState withRecap(int day, int to) {
        return new MessageState(reactivatedDays, remindedTo, day, to, windowMs, waiting);
    }

    MessageState withWaiting(long atMs, List<Integer> achievements) {
        return new MessageState(reactivatedDays, remindedTo, recapDay, recappedTo, atMs, achievements);
    }
}
