package dev.laurel.delivery.push;

import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * A rendered message, the same for all devices of a user.
 *
 * @param delivery id of the delivery, the same for all attempts: devices show one message per id, if their service supports that
 */
record PushNotification(UUID delivery, NotificationType type, String title, String body) {

    /** The time for which a service stores the message for a device that is off. */
    static final Duration TIME_TO_LIVE = Duration.ofHours(24);

    /** The title and the body, under the names that all services use. */
    Map<String, Object> text() {
        var text = new LinkedHashMap<String, Object>();
        if (!title.isEmpty()) {
            text.put("title", title);
        }
        text.put("body", body);
        return text;
    }

    /** Fields for the app. */
    Map<String, Object> forApp() {
        var fields = new LinkedHashMap<String, Object>();
        fields.put("type", type.name().toLowerCase(Locale.ROOT));
        fields.put("deliveryId", delivery.toString());
        return fields;
    }
}
