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
 * A notification that knows whether it has been written. Pushy asks for the token when it makes the head of the request,
 * and not before: while that has not happened the notification can be withdrawn, and is then never sent.
 */
final class ApnsNote implements ApnsPushNotification {

    private enum Stage {
        WAITS, WRITTEN, WITHDRAWN
    }

    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITS);
    private final String token;
    private final String topic;
    private final UUID delivery;
    private final String payload;
    private final Instant expiration;

    ApnsNote(String token, String topic, UUID delivery, String payload, Instant expiration) {
        this.token = token;
        this.topic = topic;
        this.delivery = delivery;
        this.payload = payload;
        this.expiration = expiration;
    }

    /** @return whether it has not been written, and never will be */
    boolean withdraw() {
        return stage.compareAndSet(Stage.WAITS, Stage.WITHDRAWN);
    }

    /** Again, too: Pushy writes once more what APNs says it has not looked at. */
    @Override
    public String getToken() {
        if (stage.compareAndExchange(Stage.WAITS, Stage.WRITTEN) == Stage.WITHDRAWN) {
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

    /** Names one notification to one device, so it is made of both. */
    @Override
    public UUID getApnsId() {
        return UUID.nameUUIDFromBytes((delivery + "/" + token).getBytes(UTF_8));
    }
}
