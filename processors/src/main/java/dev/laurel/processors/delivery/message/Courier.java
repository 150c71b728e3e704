package dev.laurel.processors.delivery.message;

import dev.laurel.processors.core.sending.Delivery;
import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.outbox.MessageCopy;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.UnknownVersionException;
import dev.laurel.schemas.serde.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Makes an attempt: puts together what is to be said, by the ruleset of the time when it was due, and hands it to the service
 * of the channel. Blocks on the virtual thread of the message; thread-safe.
 */
final class Courier {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Rulesets rulesets;
    private final Map<NotificationChannel, MessageSender> senders;
    private final DeadTokens deadTokens;

    Courier(Rulesets rulesets, Map<NotificationChannel, MessageSender> senders, DeadTokens deadTokens) {
        this.rulesets = rulesets;
        this.senders = Map.copyOf(senders);
        this.deadTokens = deadTokens;
    }

    /** @param delivery one that waits for this attempt */
    SendResult carry(Delivery delivery) throws InterruptedException {
        MessageSender sender = senders.get(delivery.copy().channel());
        if (sender == null) {
            return refused("nothing sends " + delivery.copy().channel() + " here");
        }
        Ruleset ruleset;
        try {
            ruleset = rulesets.await(delivery.user().tenant(), delivery.rulesVersion(), PATIENCE);
        } catch (UnknownVersionException e) {
            return new SendResult.NotSent(e.getMessage());
        }
        if (ruleset == null) {
            return refused("ruleset version " + delivery.rulesVersion() + " does not exist");
        }
        Template.Text text = textOf(delivery.copy(), ruleset);
        if (text == null) {
            return refused("ruleset version " + delivery.rulesVersion() + " has no template "
                    + delivery.copy().template() + " with variation " + delivery.copy().variation());
        }
        SendResult result = sender.send(new OutMessage(delivery.id(), delivery.user(), delivery.copy().channel(),
                delivery.type(), delivery.at(), text, facts(delivery), ruleset.notifications().sender(),
                ruleset.settings().branding()));
        List<String> dead = deadTokensOf(result);
        if (!dead.isEmpty()) {
            deadTokens.drop(delivery.user(), dead);
        }
        return result;
    }

    private static SendResult refused(String reason) {
        return new SendResult.Refused(reason, List.of());
    }

    /** Null if there is none. */
    private static Template.Text textOf(MessageCopy copy, Ruleset ruleset) {
        for (Template template : ruleset.notifications().templates()) {
            if (template.id().equals(copy.template())) {
                int variation = copy.variation();
                if (variation == 0) {
                    return template.text();
                }
                return variation <= template.variations().size() ? template.variations().get(variation - 1) : null;
            }
        }
        return null;
    }

    @SuppressWarnings("unchecked") // an object of JSON
    private static Map<String, Object> facts(Delivery delivery) {
        return (Map<String, Object>) Json.readTree(delivery.facts().getBytes(UTF_8));
    }

    private static List<String> deadTokensOf(SendResult result) {
        return switch (result) {
            case SendResult.Sent sent -> sent.deadTokens();
            case SendResult.Refused refused -> refused.deadTokens();
            case SendResult.NotSent _,SendResult.Doubtful _ -> List.of();
        };
    }
}
