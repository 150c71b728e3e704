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

/**
 * What is to leave the instance, and what operators and the test clock want of delivery: the values of
 * {@code laurel.outbox}, read by delivery when they are committed.
 *
 * <p>What happened ({@link HookEvent}, {@link LeaderboardEvent}, {@link Message}, {@link UserErased}) is written in the same
 * transaction as the change that it tells of, and keyed as the effect: by user, by leaderboard, or by tenant. The others
 * ({@link HookTest}, {@link HookRetry}, {@link Question}) tell of no change: a gateway writes them by themselves, into a
 * partition that it chooses.
 */
public sealed interface Outgoing {

    /** The same whenever the log is read. */
    UUID id();

    TenantId tenant();

    /** The virtual time at which it happened. */
    Instant at();

    /**
     * An event for webhooks, as it was when it happened.
     *
     * @param webhooks that asked for it then
     * @param about what events are merged by, of those that are throttled: the id of the points system; of a changed rank, the
     *        user's, whose deliveries go one after the other though the key is the leaderboard's; null for others
     * @param body JSON
     */
    record HookEvent(UUID id, TenantId tenant, Instant at, WebhookEvent event, List<UUID> webhooks, String about,
            String body) implements Outgoing {

        public HookEvent {
            webhooks = List.copyOf(webhooks);
        }
    }

    /**
     * What happened on a leaderboard that webhooks ask about; their bodies are made by delivery, which throttles them.
     *
     * @param rulesVersion in force then
     */
    record LeaderboardEvent(UUID id, TenantId tenant, Instant at, long rulesVersion,
            Effect.OfLeaderboard fact) implements Outgoing {}

    /**
     * A user is to be written.
     *
     * @param rulesVersion which has the templates
     * @param copies one for each channel
     * @param facts what templates may show, JSON
     */
    record Message(UUID id, TenantId tenant, Instant at, long rulesVersion, UserId user, NotificationType notification,
            List<MessageCopy> copies, String facts) implements Outgoing {

        public Message {
            copies = List.copyOf(copies);
        }
    }

    /** A user is no more: what waits to be told to that user is not. */
    record UserErased(UUID id, TenantId tenant, Instant at, UserId user) implements Outgoing {

        public UserKey userKey() {
            return new UserKey(tenant, user);
        }
    }

    /** An operator tries a webhook with a made-up event. @param id of the delivery, made by {@code DeliveryIds} */
    record HookTest(UUID id, TenantId tenant, Instant at, UUID webhook, WebhookEvent event) implements Outgoing {}

    /**
     * An operator wants one more attempt. Written into the partition that the delivery's id tells, with reply headers:
     * answered with 202, or 404 if there is no such delivery.
     */
    record HookRetry(UUID id, TenantId tenant, Instant at, UUID webhook, UUID delivery) implements Outgoing {}

    /**
     * Asks the tasks of a partition whether anything is left to be told now, and changes nothing: what stands before it in the
     * outbox has been taken in. Answered with a {@code TickBody}; the part named {@link #MESSAGES} comes by itself.
     *
     * @param more whether a step before has found something
     */
    record Question(UUID id, TenantId tenant, Instant at, boolean more) implements Outgoing {

        /** The part of the answer that is about messages to users. */
        public static final String MESSAGES = "messages";

        /** @param found whether this step has something left */
        public Question and(boolean found) {
            return new Question(id, tenant, at, more || found);
        }
    }

    /**
     * What a user is written on one channel.
     *
     * @param template its id
     * @param variation which of the template's texts: 0 is the first, 1 and up its variations
     */
    record MessageCopy(NotificationChannel channel, UUID template, int variation) {}
}
