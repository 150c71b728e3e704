package dev.laurel.delivery.message;

import static dev.laurel.delivery.message.MessageSender.SendResult.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.delivery.message.MessageSender.OutgoingMessage;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Rulesets.UnknownVersionException;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.serde.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes the attempts to send messages: takes the template from the ruleset in force when the message was due, and passes the message
 * to the sender of its channel. Blocks on the virtual thread of the message; thread-safe.
 */
record AttemptRunner(Rulesets rulesets, Map<NotificationChannel, MessageSender> senders, DeadTokens deadTokens) {

    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    AttemptRunner {
        senders = Map.copyOf(senders);
    }

    /** Makes an attempt. @param delivery that waits for it */
    SendResult send(MessageDelivery delivery) throws InterruptedException {
        MessageSender sender = senders.get(delivery.copy().channel());
        if (sender == null) {
            return refused("nothing sends " + delivery.copy().channel() + " here");
        }
        Ruleset ruleset;
        try {
            ruleset = rulesets.await(delivery.user().tenant(), delivery.rulesVersion(), MAX_WAIT);
        } catch (UnknownVersionException e) {
            return new SendResult.NotSent(String.valueOf(e.getMessage()));
        }
        if (ruleset == null) {
            return refused("ruleset version " + delivery.rulesVersion() + " does not exist");
        }
        Template.Text text = textOf(delivery.copy(), ruleset);
        if (text == null) {
            return refused("ruleset version " + delivery.rulesVersion() + " has no template "
                    + delivery.copy().template() + " with variation "
                    + delivery.copy().variation());
        }
        SendResult result = sender.send(new OutgoingMessage(
                delivery.id(),
                delivery.user(),
                delivery.copy().channel(),
                delivery.type(),
                text,
                values(delivery),
                ruleset.notifications().sender(),
                ruleset.settings().branding(),
                ruleset.settings().trackOpens(),
                ruleset.settings().trackClicks()));
        if (!result.deadTokens().isEmpty()) {
            deadTokens.drop(delivery.user(), result.deadTokens());
        }
        return result;
    }

    /** Null if the template has no such text. */
    private static Template.@Nullable Text textOf(MessageCopy copy, Ruleset ruleset) {
        for (Template template : ruleset.notifications().templates()) {
            if (template.id().equals(copy.template())) {
                int variation = copy.variation();
                if (variation == 0) {
                    return template.text();
                }
                return variation <= template.variations().size()
                        ? template.variations().get(variation - 1)
                        : null;
            }
        }
        return null;
    }

    @SuppressWarnings("unchecked") // an object of JSON
    private static Map<String, Object> values(MessageDelivery delivery) {
        String json = requireNonNull(delivery.facts(), "a delivery that waits has the values of its template");
        return (Map<String, Object>) Json.readTree(json.getBytes(UTF_8));
    }

    /** Removes device tokens that no longer exist from their user. Thread-safe; may block for a while. */
    interface DeadTokens {

        /** Removes tokens. If the removal is lost, the next message to the token repeats it. @param tokens at least one */
        void drop(UserKey user, List<String> tokens);
    }
}
