package dev.laurel.processors.core.engine;

import dev.laurel.processors.core.user.CountedMessage;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.MessageBody;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A notice to webhooks or to the user, with the data as of the time of the occurrence. */
public sealed interface Notice {

    /** The virtual time of the occurrence. */
    Instant at();

    /** @param about see {@code Outgoing.HookEvent} */
    record ForWebhooks(Instant at, WebhookEvent event, @Nullable String about,
            WebhookPayload payload) implements Notice {}

    /**
     * @param rulesVersion the rules in force when the message was due, which have the templates
     * @param body the values for the templates
     * @param counted the same message for the counters of the account
     */
    record ForUser(Instant at, NotificationType type, long rulesVersion, List<MessageCopy> copies, MessageBody body,
            CountedMessage counted) implements Notice {

        public ForUser {
            copies = List.copyOf(copies);
        }
    }
}
