package dev.laurel.processors.delivery.message;

import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.Template;
import java.util.Map;

/**
 * What a template says to one user. Pure: the same of the same, without clock or network; thread-safe. Used for what is sent
 * and for what is only looked at.
 */
public final class Rendering {

    private Rendering() {}

    /**
     * @param facts see {@link OutMessage}
     * @param unsubscribeUrl where the link at the end of an email leads; null: there is none
     */
    public static Rendered of(NotificationChannel channel, Template.Text text, Map<String, Object> facts,
            Notifications.Sender sender, Settings.Branding branding, String unsubscribeUrl) {
        return switch (channel) {
            case EMAIL -> new Rendered.Email(text.heading(), text.body(), text.body());
            case PUSH -> new Rendered.Push(text.heading(), text.body());
        };
    }
}
