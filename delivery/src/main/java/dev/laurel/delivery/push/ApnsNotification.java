package dev.laurel.delivery.push;

import com.eatthepath.pushy.apns.DeliveryPriority;
import com.eatthepath.pushy.apns.PushType;
import com.eatthepath.pushy.apns.util.SimpleApnsPushNotification;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A notification that can be withdrawn until it is written. Pushy reads the token when it writes the headers of the request, and not
 * before; a notification that was withdrawn by then is never sent.
 */
final class ApnsNotification extends SimpleApnsPushNotification {

    private enum Stage {
        WAITING, WRITTEN, WITHDRAWN
    }

    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

    ApnsNotification(String token, String topic, UUID delivery, String payload, Instant expiration) {
        // The APNs id identifies one notification to one device, so it is derived from both.
        super(token, topic, payload, expiration, DeliveryPriority.IMMEDIATE, PushType.ALERT, delivery.toString(),
                UUID.nameUUIDFromBytes((delivery + "/" + token).getBytes(UTF_8)));
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
        return super.getToken();
    }
}
