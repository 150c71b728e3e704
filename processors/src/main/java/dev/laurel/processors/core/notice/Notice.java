package dev.laurel.processors.core.notice;

import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.outbox.MessageCopy;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.MessageBody;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Instant;
import java.util.List;

/** What somebody outside is to be told, as it was when it happened. */
public sealed interface Notice {

    /** The virtual time at which it happened. */
    Instant at();

    /** @param about see {@code Outgoing.HookEvent} */
    record ForWebhooks(Instant at, WebhookEvent event, String about, WebhookPayload payload) implements Notice {}

    /** @param rulesVersion which has the templates: users are written by the rules that were in force when it was due */
    record ForUser(Instant at, NotificationType type, long rulesVersion, List<MessageCopy> copies, MessageBody facts)
            implements
                Notice {

        public ForUser {
            copies = List.copyOf(copies);
        }
    }
}
