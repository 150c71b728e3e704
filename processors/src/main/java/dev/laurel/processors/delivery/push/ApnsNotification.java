package dev.laurel.processors.delivery.push;

import com.eatthepath.pushy.apns.ApnsPushNotification;
import com.eatthepath.pushy.apns.DeliveryPriority;
import com.eatthepath.pushy.apns.PushType;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A notification that can be withdrawn until it is written. Pushy reads the token when it writes the headers of the request, and not
 * before; a notification that was withdrawn by then is never sent.
 */
final class ApnsNotification implements ApnsPushNotification {

    private enum Stage {
        WAITING, WRITTEN, WITHDRAWN
    }

    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);
    private final String token;
    private final String topic;
    private final UUID delivery;
    private final String payload;
    private final Instant expiration;

    ApnsNotification(String token, String topic, UUID delivery, String payload, Instant expiration) {
        this.token = token;
        this.topic = topic;
        this.delivery = delivery;
        this.payload = payload;
        this.expiration = expiration;
    }

    /** Withdraws the notification. @return false if it was written before */
    boolean withdraw() {
        return stage.compareAndSet(Stage.WAITING, Stage.WITHDRAWN);
    }

    /** Called again when Pushy repeats requests that APNs has not processed. */
    @Override
    public String getToken() {
        if (stage.compareAndExchange(Stage.WAITING, Stage.WRITTEN) == Stage.WITHDRAWN) {
            throw new CancellationException("withdrawn before it was written");
        }
        return token;
    }

    @Override
    public String getPayload() {
        return payload;
    }

    @Override
    public Instant getExpiration() {
        return expiration;
    }

    @Override
    public DeliveryPriority getPriority() {
        return DeliveryPriority.IMMEDIATE;
    }

    @Override
    public PushType getPushType() {
        return PushType.ALERT;
    }

    @Override
    public String getTopic() {
        return topic;
    }

    @Override
    public String getCollapseId() {
        return delivery.toString();
    }

    /** Identifies one notification to one device, so it is derived from both. */
    @Override
    public UUID getApnsId() {
        return UUID.nameUUIDFromBytes((delivery + "/" + token).getBytes(UTF_8));
    }
}
