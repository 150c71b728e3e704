package dev.laurel.core.user;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.command.Command.RecordReaction.Reaction;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Template;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * A message that was handed to delivery, for as long as what the user does next is counted for it (docs/analytics.md §2).
 *
 * @param id the beginning of the id of its email, see {@link #idOf}
 * @param isReturned whether the user had an event within {@value #RETURN_DAYS} days
 * @param isOpened whether the email was opened
 * @param isClicked whether a link of the email was clicked
 */
public record SentMessage(long id, long dueMs, CountedMessage counted, boolean isReturned, boolean isOpened,
        boolean isClicked) {

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
        return sent.stream().filter(message -> message.isKept(nowMs))
                .map(message -> message.isReturn(eventMs) ? message.returned() : message).toList();
    }

    SentMessage after(Reaction reaction) {
        return switch (reaction) {
            case OPENED -> new SentMessage(id, dueMs, counted, isReturned, true, isClicked);
            case CLICKED -> new SentMessage(id, dueMs, counted, isReturned, isOpened, true);
        };
    }

    private SentMessage returned() {
        return new SentMessage(id, dueMs, counted, true, isOpened, isClicked);
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
                Template template = requireNonNull(rules.messages().template(copy.template()), "the copy is made from it");
                switch (copy.channel()) {
                    case EMAIL -> email = template.number();
                    case PUSH -> push = template.number();
                }
            }
            return new CountedMessage(LocalDays.dayOf(dueMs, rules.document().settings().defaultTimeZone()), email, push);
        }
    }
}
