package dev.laurel.processors.delivery.push;

import dev.laurel.schemas.command.NotificationType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * A rendered message, the same for all devices of a user.
 *
 * @param delivery the same for all attempts: devices show what has the same one once, where their service can say so
 */
record PushNote(UUID delivery, NotificationType type, String title, String body) {

    /** How long a service keeps it for a device that is off; older news are none. */
    static final Duration TIME_TO_LIVE = Duration.ofHours(24);

    /** Title and body, as all services call them. */
    Map<String, Object> text() {
        var text = new LinkedHashMap<String, Object>();
        if (title != null && !title.isEmpty()) {
            text.put("title", title);
        }
        text.put("body", body);
        return text;
    }

    /** What the app gets to see beside the text. */
    Map<String, Object> forApp() {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("type", type.name().toLowerCase(Locale.ROOT));
        fields.put("deliveryId", delivery.toString());
        return fields;
    }
}
