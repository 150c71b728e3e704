package dev.laurel.schemas.outbox;

import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A value of {@code laurel.outbox}: an event or a message to send, or a request to delivery. Delivery reads committed records.
 *
 * <p>{@link HookEvent}, {@link LeaderboardEvent}, {@link Message} and {@link UserErased} are written in the same transaction as the
 * change that caused them, and keyed as its effect: by user, by leaderboard, or by tenant. {@link HookTest}, {@link HookRetry} and
 * {@link Question} belong to no change: a gateway writes them into a partition that it chooses.
 */
public sealed interface Outgoing {

    /** The id, which is the same in every fold of the log. */
    UUID id();

    TenantId tenant();

    /** The virtual time of the record. */
    Instant at();

    /**
     * An event for webhooks.
     *
     * @param webhooks ids of the webhooks that subscribed to the event at its time
     * @param about key by which the throttle merges events: the id of the points system; for a changed rank the id of the user,
     *        whose deliveries are sent in order although the record has the key of the leaderboard; null for other events
     * @param body payload as JSON
     */
    record HookEvent(
            UUID id,
            TenantId tenant,
            Instant at,
            WebhookEvent event,
            List<UUID> webhooks,
            @Nullable String about,
            String body)
            implements Outgoing {

        public HookEvent {
            webhooks = List.copyOf(webhooks);
        }
    }

    /**
     * An event of a leaderboard, from which delivery makes throttled events for webhooks.
     *
     * @param rulesVersion version of the ruleset at the time of the event
     */
    record LeaderboardEvent(UUID id, TenantId tenant, Instant at, long rulesVersion, Effect.OfLeaderboard fact)
            implements Outgoing {}

    /**
     * A message to a user.
     *
     * @param rulesVersion version of the ruleset with the templates
     * @param copies one for each channel
     * @param facts values for the templates, as JSON
     */
    record Message(
            UUID id,
            TenantId tenant,
            Instant at,
            long rulesVersion,
            UserId user,
            NotificationType notification,
            List<MessageCopy> copies,
            String facts)
            implements Outgoing {

        public Message {
            copies = List.copyOf(copies);
        }
    }

    /** The erasure of a user, whose pending messages are dropped. */
    record UserErased(UUID id, TenantId tenant, Instant at, UserId user) implements Outgoing {

        public UserKey userKey() {
            return new UserKey(tenant, user);
        }
    }

    /** A test of a webhook with a sample event. @param id id of the delivery, made by {@code DeliveryIds} */
    record HookTest(UUID id, TenantId tenant, Instant at, UUID webhook, WebhookEvent event) implements Outgoing {}

    /**
     * A request for another attempt. Written into the partition that follows from the id of the delivery, with reply headers;
     * answered with 202, or 404 if there is no such delivery.
     */
    record HookRetry(UUID id, TenantId tenant, Instant at, UUID webhook, UUID delivery) implements Outgoing {}

    /**
     * Asks the task of a partition whether anything is still due now, after all preceding records, which include everything that
     * happened up to its time. Windows of the throttle that end by then end. Answered with a {@code TickBody}.
     */
    record Question(UUID id, TenantId tenant, Instant at) implements Outgoing {}

    /**
     * The copy of a message for one channel.
     *
     * @param template id of the template
     * @param variation text of the template: 0 is its own, from 1 on its variations
     */
    record MessageCopy(NotificationChannel channel, UUID template, int variation) {}

    /**
     * A value of {@code laurel.send-marks}, which reserves one attempt to send a message; keyed as in {@code laurel.outbox}. A task sends
     * only if it reads its own mark first, so no message is sent twice.
     *
     * @param delivery id of the delivery
     * @param attempt 1, 2, …
     * @param life id of the task, new after each start
     */
    record SendMark(UUID delivery, int attempt, UUID life) {}
}
