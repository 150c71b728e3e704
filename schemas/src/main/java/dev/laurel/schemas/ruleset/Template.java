package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.command.NotificationType;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * What users are written (admin-api.md B4). Of one type and channel, no two active ones have the same filters.
 *
 * @param number see {@link Ruleset}
 * @param userAttributes which users it is for
 * @param variations other texts of which one can take the place of {@code text}
 */
public record Template(int number, UUID id, String key, NotificationType type, NotificationChannel channel,
        String name, Text text, boolean active, List<AttributeFilter> userAttributes, List<Text> variations,
        Instant created, Instant updated) {

    /**
     * May hold {@code {{variable}}}.
     *
     * @param heading the subject of an email, the title of a push message
     */
    public record Text(String heading, String body) {}

    public Template {
        userAttributes = List.copyOf(userAttributes);
        variations = List.copyOf(variations);
    }
}
