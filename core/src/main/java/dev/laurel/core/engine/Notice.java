package dev.laurel.core.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.user.MessageState.SentMessage.CountedMessage;
import dev.laurel.schemas.key.LogPosition;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.MessageBody;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A notice to webhooks or to the user, with the data as of the time of the occurrence. */
public sealed interface Notice {

    /**
     * The id of a notice, which is derived from the position in the log, so that it is the same whenever the log or a copy of it is
     * processed. The owner is part of it because one tick concerns many users.
     *
     * @param position at which the record was first written
     * @param index of the notice among those of the owner at that position
     * @param owner the text of the key of the user, or of something else that no user has
     */
    static UUID idOf(LogPosition position, int index, String owner) {
        String log = position.isOfFirstLog() ? "" : "g" + position.log() + "/";
        return UUID.nameUUIDFromBytes(
                ("laurel-outbox/" + log + position.partition() + "/" + position.offset() + "/" + index + "/" + owner)
                        .getBytes(UTF_8));
    }

    /** The virtual time of the occurrence. */
    Instant at();

    /** @param about see {@code Outgoing.HookEvent} */
    record ForWebhooks(
            Instant at, WebhookEvent event, @Nullable String about, WebhookPayload payload) implements Notice {}

    /**
     * @param rulesVersion the rules in force when the message was due, which have the templates
     * @param body the values for the templates
     * @param counted the same message for the counters of the account
     */
    record ForUser(
            Instant at,
            NotificationType type,
            long rulesVersion,
            List<MessageCopy> copies,
            MessageBody body,
            CountedMessage counted)
            implements Notice {

        public ForUser {
            copies = List.copyOf(copies);
        }
    }
}
