package dev.laurel.processors.delivery.message;

import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.command.NotificationType;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.Template;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * One message of one user on one channel, ready to be rendered and sent.
 *
 * @param id of the delivery, the same for all attempts
 * @param at when it was due
 * @param text the template's text or the variation that was chosen, as it is written there
 * @param facts what the text may show: the fields of {@code MessageBody} as plain values; {@code user} has the address
 * @param sender whom emails are from
 * @param branding of the account, for the frame of a message
 */
public record OutMessage(UUID id, UserKey user, NotificationChannel channel, NotificationType type, Instant at,
        Template.Text text, Map<String, Object> facts, Notifications.Sender sender, Settings.Branding branding) {}
