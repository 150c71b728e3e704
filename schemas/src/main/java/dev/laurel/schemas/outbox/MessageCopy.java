package dev.laurel.schemas.outbox;

import dev.laurel.schemas.command.NotificationChannel;
import java.util.UUID;

/**
 * What a user is written on one channel.
 *
 * @param template its id
 * @param variation which of the template's texts: 0 is the first, 1 and up its variations
 */
public record MessageCopy(NotificationChannel channel, UUID template, int variation) {}
