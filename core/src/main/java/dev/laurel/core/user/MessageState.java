package dev.laurel.core.user;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.command.Command.RecordReaction.Reaction;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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
public record MessageState(
        int reactivatedDays,
        int remindedTo,
        int recapDay,
        int recappedTo,
        long windowMs,
        List<Integer> waiting,
        List<SentMessage> sent) {

    /** Before any day and any period. */
    public static final int NONE_YET = Integer.MIN_VALUE;

    public static final MessageState NONE = new MessageState(0, NONE_YET, NONE_YET, NONE_YET, 0, List.of(), List.of());

    public MessageState {
        waiting = List.copyOf(waiting);
        sent = List.copyOf(sent);
    }

    public MessageState withReactivated(int days) {
        return Records.with(this, "reactivatedDays", days);
    }

    public MessageState withReminded(int period) {
        return Records.with(this, "remindedTo", period);
    }

    public MessageState withRecap(int day, int to) {
        return Records.with(this, "recapDay", day, "recappedTo", to);
    }

    public MessageState withWaiting(long atMs, List<Integer> achievements) {
        return Records.with(this, "windowMs", atMs, "waiting", achievements);
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
        return Records.with(this, "sent", messages);
    }

    /**
     * A message that was handed to delivery, for as long as what the user does next is counted for it (docs/analytics.md §2).
     *
     * @param id the beginning of the id of its email, see {@link #idOf}
     * @param isReturned whether the user had an event within {@value #RETURN_DAYS} days
     * @param isOpened whether the email was opened
     * @param isClicked whether a link of the email was clicked
     */
    public record SentMessage(
            long id, long dueMs, CountedMessage counted, boolean isReturned, boolean isOpened, boolean isClicked) {

        /** The days after a message within which a user returns. */
        static final int RETURN_DAYS = 2;

        /** How long a message is kept, and how many of a user: the newest ones. */
        static final int KEPT_DAYS = 7;

        static final int MAX_KEPT = 8;

        private static final long RETURN_MS = RETURN_DAYS * LocalDays.MS_PER_DAY;
        private static final long KEPT_MS = KEPT_DAYS * LocalDays.MS_PER_DAY;

        /** The part of the id of a delivery that is stored: messages of one user differ in it. */
        public static long idOf(UUID delivery) {
            return delivery.getMostSignificantBits();
        }

        /** Null if none of these has the id. */
        public static @Nullable SentMessage find(List<SentMessage> sent, long id) {
            for (SentMessage message : sent) {
                if (message.id == id) {
                    return message;
                }
            }
            return null;
        }

        /** Whether an event at a time counts as the return of the user. */
        private boolean isReturn(long eventMs) {
            return !isReturned && eventMs > dueMs && eventMs <= dueMs + RETURN_MS;
        }

        /** Whether it is still kept at a time. */
        boolean isKept(long nowMs) {
            return dueMs > nowMs - KEPT_MS;
        }

        /** The messages that are left at a time, after an event; the same list if nothing changes. */
        static List<SentMessage> afterEvent(List<SentMessage> sent, long eventMs, long nowMs) {
            if (sent.stream().noneMatch(message -> message.isReturn(eventMs) || !message.isKept(nowMs))) {
                return sent;
            }
            return sent.stream()
                    .filter(message -> message.isKept(nowMs))
                    .map(message -> message.isReturn(eventMs) ? Records.with(message, "isReturned", true) : message)
                    .toList();
        }

        SentMessage after(Reaction reaction) {
            return switch (reaction) {
                case OPENED -> Records.with(this, "isOpened", true);
                case CLICKED -> Records.with(this, "isClicked", true);
            };
        }

        /**
         * A message as the counters of the account see it.
         *
         * @param day the due date in the tenant's default zone, which delivery knows, too
         * @param emailTemplate the number of the template of the email; 0: there is none
         * @param pushTemplate the number of the template of the push message; 0: there is none
         */
        public record CountedMessage(int day, int emailTemplate, int pushTemplate) {

            /** @param rules in force when the message is due, which have the templates */
            public static CountedMessage of(List<MessageCopy> copies, long dueMs, CompiledRuleset rules) {
                int email = 0;
                int push = 0;
                for (MessageCopy copy : copies) {
                    Template template =
                            requireNonNull(rules.messages().template(copy.template()), "the copy is made from it");
                    switch (copy.channel()) {
                        case EMAIL -> email = template.number();
                        case PUSH -> push = template.number();
                    }
                }
                return new CountedMessage(
                        LocalDays.dayOf(dueMs, rules.document().settings().defaultTimeZone()), email, push);
            }
        }
    }
}
