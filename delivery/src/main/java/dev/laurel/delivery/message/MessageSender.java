package dev.laurel.delivery.message;

import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.Template;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Sends the messages of one channel. Blocks on the virtual thread of the message; thread-safe. */
public interface MessageSender {

    SendResult send(OutgoingMessage message) throws InterruptedException;

    /**
     * One message to one user on one channel, ready to be rendered and sent.
     *
     * @param id of the delivery, the same for all attempts
     * @param text the text of the template or of the chosen variation, not rendered
     * @param values for the text: the fields of {@code MessageBody}; {@code user} has the address
     * @param sender of emails
     * @param branding of the account, for the frame of a message
     * @param tracksOpens whether opens of an email are counted
     * @param tracksClicks whether clicks on links of an email are counted
     */
    record OutgoingMessage(
            UUID id,
            UserKey user,
            NotificationChannel channel,
            NotificationType type,
            Template.Text text,
            Map<String, Object> values,
            Notifications.Sender sender,
            Settings.Branding branding,
            boolean tracksOpens,
            boolean tracksClicks) {}

    /** The outcome of one attempt. */
    sealed interface SendResult {

        /** Device tokens that no longer exist, says the service; they are removed from the user. */
        static SendResult refused(String reason) {
            return new Refused(reason, List.of());
        }

        default List<String> deadTokens() {
            return List.of();
        }

        /** The message was sent. */
        record Sent(List<String> deadTokens) implements SendResult {

            public Sent {
                deadTokens = List.copyOf(deadTokens);
            }
        }

        /** The message was certainly not sent; another attempt may succeed. */
        record NotSent(String reason) implements SendResult {}

        /**
         * The message was not sent, and no attempt will succeed.
         *
         * @param isBounced whether the service says that there is no such address, or no such device any more
         */
        record Refused(String reason, List<String> deadTokens, boolean isBounced) implements SendResult {

            public Refused {
                deadTokens = List.copyOf(deadTokens);
            }

            /** A refusal for another reason than the address. */
            public Refused(String reason, List<String> deadTokens) {
                this(reason, deadTokens, false);
            }
        }

        /** The message may have been sent, so it is not sent again. */
        record Doubtful(String reason) implements SendResult {}
    }
}
