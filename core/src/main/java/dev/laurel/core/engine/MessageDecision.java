package dev.laurel.core.engine;

import dev.laurel.core.rules.AttributeFilters;
import dev.laurel.core.rules.MessageRules;
import dev.laurel.core.user.Preferences;
import dev.laurel.core.user.Profile;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Template;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The decision who gets a due message (docs/semantics.md §8, docs/admin-api.md B4): the user, on which channels and with which
 * texts, and the webhooks that subscribe to due emails (docs/webhooks.md §3 "Conditions of emails.*").
 *
 * @param copies at most one per channel
 * @param withheld why there is no message, by channel
 * @param toWebhooks whether webhooks are called
 */
record MessageDecision(List<MessageCopy> copies, Map<NotificationChannel, Reason> withheld, boolean toWebhooks) {

    /** The reason for no message on a channel. The first one that applies is given. */
    enum Reason {
        /** The type is switched off, or has no active template on this channel. */
        NO_TEMPLATE,
        /** Users of the control group get no messages. */
        CONTROL,
        /** The user does not want this type on this channel. */
        PREFERENCES,
        /** The user wants no emails at all. */
        UNSUBSCRIBED,
        /** There is no email, or no device token. */
        NO_ADDRESS,
        /** No active template is for users with these attributes. */
        FILTERS
    }

    MessageDecision {
        copies = List.copyOf(copies);
    }

    /** @param atMs when the message is due; together with the user it selects one of the template's texts */
    static MessageDecision of(
            NotificationType type,
            UserKey user,
            long atMs,
            Profile profile,
            Preferences preferences,
            boolean control,
            MessageRules rules) {
        var copies = new ArrayList<MessageCopy>(2);
        var withheld = new EnumMap<NotificationChannel, Reason>(NotificationChannel.class);
        for (NotificationChannel channel : NotificationChannel.values()) {
            List<Template> templates = rules.active(type, channel);
            Reason reason =
                    templates.isEmpty() ? Reason.NO_TEMPLATE : reasonOf(type, channel, profile, preferences, control);
            Template template = matching(templates, profile);
            if (reason != null) {
                withheld.put(channel, reason);
            } else if (template == null) {
                withheld.put(channel, Reason.FILTERS);
            } else {
                copies.add(new MessageCopy(channel, template.id(), variation(template, user, atMs)));
            }
        }
        // A receiver of webhooks may have its own addresses and texts.
        boolean toWebhooks = rules.notifyWebhooks(type)
                && !control
                && isWanted(type, NotificationChannel.EMAIL, preferences)
                && isSubscribed(profile);
        return new MessageDecision(copies, withheld, toWebhooks);
    }

    private static @Nullable Template matching(List<Template> templates, Profile profile) {
        for (Template template : templates) {
            if (AttributeFilters.match(template.userAttributes(), profile.attributes())) {
                return template;
            }
        }
        return null;
    }

    private static @Nullable Reason reasonOf(
            NotificationType type,
            NotificationChannel channel,
            Profile profile,
            Preferences preferences,
            boolean control) {
        if (control) {
            return Reason.CONTROL;
        }
        if (!isWanted(type, channel, preferences)) {
            return Reason.PREFERENCES;
        }
        if (channel == NotificationChannel.EMAIL && !isSubscribed(profile)) {
            return Reason.UNSUBSCRIBED;
        }
        return hasAddress(channel, profile) ? null : Reason.NO_ADDRESS;
    }

    /** Whether the user wants this type on this channel. A type that was never set is wanted on all channels. */
    private static boolean isWanted(NotificationType type, NotificationChannel channel, Preferences preferences) {
        Set<NotificationChannel> wanted = preferences.notifications().get(type);
        return wanted == null || wanted.contains(channel);
    }

    private static boolean isSubscribed(Profile profile) {
        return !Boolean.FALSE.equals(profile.subscribeToEmails());
    }

    /** Whether there is somewhere to send to on this channel. */
    static boolean hasAddress(NotificationChannel channel, Profile profile) {
        return switch (channel) {
            case EMAIL -> profile.email() != null;
            case PUSH -> !profile.deviceTokens().isEmpty();
        };
    }

    /** 0 is the template's own text, 1 and up are its variations. All are equally likely, and the same in any replay. */
    static int variation(Template template, UserKey user, long atMs) {
        if (template.variations().isEmpty()) {
            return 0;
        }
        UUID name = UUID.nameUUIDFromBytes(ByteBuffer.allocate(Long.BYTES + user.bytes().length)
                .putLong(atMs)
                .put(user.bytes())
                .array());
        return Math.floorMod(
                name.getLeastSignificantBits(), template.variations().size() + 1);
    }
}
