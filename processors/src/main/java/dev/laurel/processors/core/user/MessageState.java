package dev.laurel.processors.core.user;

import java.util.List;

/**
 * The messages that a user has got and is to get. A moment that passes silently leaves the same state as one at which a
 * message is sent. Days are epoch days.
 *
 * @param reactivatedDays days without events at the last reactivation since the newest event; 0 if there was none
 * @param remindedTo the period of the streak of which the user was reminded and which is not judged yet,
 *            {@link #NONE_YET} if there is none
 * @param recapDay a day of the earliest period that a recap is owed of, {@link #NONE_YET} if none is
 * @param recappedTo the last day of the last recap, {@link #NONE_YET} if there was none
 * @param windowMs when the message about waiting achievements is due, 0 if none wait
 * @param waiting numbers of achievements, in the order of completion
 */
public record MessageState(int reactivatedDays, int remindedTo, int recapDay, int recappedTo, long windowMs,
        List<Integer> waiting) {

    /** Before any day and any period. */
    public static final int NONE_YET = Integer.MIN_VALUE;

    /** The most achievements that wait. Of more achievements in a day the user gets no message. */
    public static final int MAX_WAITING = 100;

    public static final MessageState NONE = new MessageState(0, NONE_YET, NONE_YET, NONE_YET, 0, List.of());

    public MessageState {
        waiting = List.copyOf(waiting);
    }

    public MessageState withReactivated(int days) {
        return new MessageState(days, remindedTo, recapDay, recappedTo, windowMs, waiting);
    }

    public MessageState withReminded(int period) {
        return new MessageState(reactivatedDays, period, recapDay, recappedTo, windowMs, waiting);
    }

    public MessageState withRecap(int day, int to) {
        return new MessageState(reactivatedDays, remindedTo, day, to, windowMs, waiting);
    }

    public MessageState withWaiting(long atMs, List<Integer> achievements) {
        return new MessageState(reactivatedDays, remindedTo, recapDay, recappedTo, atMs, achievements);
    }
}
