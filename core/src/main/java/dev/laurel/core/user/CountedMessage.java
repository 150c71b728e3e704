package dev.laurel.core.user;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Template;
import java.util.List;

import static java.util.Objects.requireNonNull;

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
