package dev.laurel.core.user;

import dev.laurel.schemas.command.Command.RecordReaction.Reaction;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The state of a user's messages. A due time that passes without a message changes it in the same way as one at which a
 * message is sent. Days are epoch days.
 *
 * @param reactivatedDays days without events at the last reactivation since the newest event; 0 if there was none
 * @param remindedTo the streak period of the last reminder, until it is judged; else {@link #NONE_YET}
 * @param recapDay a day of the earliest period without a recap, {@link #NONE_YET} if no recap is due
 * @param recappedTo the last day of the last recap, {@link #NONE_YET} if there was none
 * @param windowMs when the message about the waiting achievements is due, 0 if none wait
 * @param waiting numbers of completed achievements without a message, in the order of completion; each at most once, since an
 *        achievement is completed once
 * @param sent the newest messages that were handed to delivery, oldest first; few
 */
public record MessageState(int reactivatedDays, int remindedTo, int recapDay, int recappedTo, long windowMs,
        List<Integer> waiting, List<SentMessage> sent) {

    /** Before any day and any period. */
    public static final int NONE_YET = Integer.MIN_VALUE;

    public static final MessageState NONE = new MessageState(0, NONE_YET, NONE_YET, NONE_YET, 0, List.of(), List.of());

    public MessageState {
        waiting = List.copyOf(waiting);
        sent = List.copyOf(sent);
    }

    public MessageState withReactivated(int days) {
        return new MessageState(days, remindedTo, recapDay, recappedTo, windowMs, waiting, sent);
    }

    public MessageState withReminded(int period) {
        return new MessageState(reactivatedDays, period, recapDay, recappedTo, windowMs, waiting, sent);
    }

    public MessageState withRecap(int day, int to) {
        return new MessageState(reactivatedDays, remindedTo, day, to, windowMs, waiting, sent);
    }

    public MessageState withWaiting(long atMs, List<Integer> achievements) {
        return new MessageState(reactivatedDays, remindedTo, recapDay, recappedTo, atMs, achievements, sent);
    }

    /** Adds a message that was handed to delivery, in place of the oldest ones. */
    public MessageState withSent(SentMessage message) {
        var kept = new ArrayList<SentMessage>(SentMessage.MAX_KEPT);
        for (SentMessage one : sent.subList(Math.max(0, sent.size() + 1 - SentMessage.MAX_KEPT), sent.size())) {
            if (one.isKept(message.dueMs())) {
                kept.add(one);
            }
        }
        kept.add(message);
        return with(kept);
    }

    /** Notes an event, which may be the return of the user after a message. @param nowMs the user's newest time */
    public MessageState withEvent(long eventMs, long nowMs) {
        List<SentMessage> after = SentMessage.afterEvent(sent, eventMs, nowMs);
        return after == sent ? this : with(after);
    }

    /** Notes a reaction to an email; the same object if it is not among these, or has had this reaction. */
    public MessageState withReaction(UUID email, Reaction reaction) {
        long id = SentMessage.idOf(email);
        SentMessage message = SentMessage.find(sent, id);
        SentMessage after = message == null ? null : message.after(reaction);
        return after == null || after.equals(message)
                ? this
                : with(sent.stream().map(one -> one.id() == id ? after : one).toList());
    }

    private MessageState with(List<SentMessage> messages) {
        return new MessageState(reactivatedDays, remindedTo, recapDay, recappedTo, windowMs, waiting, messages);
    }
}
