package dev.laurel.delivery.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.core.sending.MessageDelivery.State;
import dev.laurel.core.sending.MessageDelivery.Waiting;
import dev.laurel.delivery.StoredForms;
import dev.laurel.delivery.store.EndpointLanes.Lane;
import dev.laurel.delivery.store.WebhookDelivery.Attempt;
import dev.laurel.delivery.store.WebhookDelivery.InLane;
import dev.laurel.delivery.store.WebhookDelivery.Later;
import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

/** The stored values of webhooks and messages. */
class DeliveryCodecsTest extends StoredForms {

    private static final UUID ID = new UUID(0x0102030405060708L, 0x1112131415161718L);
    private static final UUID OTHER = new UUID(0x2122232425262728L, 0x3132333435363738L);
    private static final Instant AT = Instant.parse("2026-03-04T09:15:00.25Z");

    @Override
    protected List<Example<?>> examples() {
        var all = new ArrayList<Example<?>>();
        for (Status status : Status.values()) {
            all.add(new Example<>("webhook-delivery-v2-" + lower(status), WebhookStore.DELIVERY, hookDelivery(status)));
        }
        all.add(new Example<>("webhook-lane-v2", EndpointLanes.LANE, new Lane(ID, 7, 300, 12)));
        all.add(new Example<>("webhook-id-v1", EndpointLanes.ID, ID));
        all.add(new Example<>("webhook-body-v1", EndpointLanes.KEY, "{\"type\":\"streak.lost\"}".getBytes(UTF_8)));
        all.add(new Example<>(
                "webhook-owned-body-v1",
                WebhookStore.BODY,
                new WebhookStore.Body("acme/ann".getBytes(UTF_8), "{}".getBytes(UTF_8))));
        all.add(new Example<>("webhook-ids-v1", WebhookStore.IDS, List.of(ID, OTHER)));
        all.add(new Example<>(
                "message-v2-waiting", MessageStore.DELIVERY, message(0, new Waiting(2, 1_772_618_460_000L))));
        for (int i = 0; i < Math.max(Ending.values().length, NotificationType.values().length); i++) {
            Ending how = Ending.values()[i % Ending.values().length];
            State ended = new Ended(how, how == Ending.SENT ? null : "because", 1_772_618_520_000L);
            all.add(new Example<>("message-v2-" + lower(how), MessageStore.DELIVERY, message(i, ended)));
        }
        all.add(new Example<>("message-mark-v1", MessageStore.LIFE, OTHER));
        return all;
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** A delivery with a distinct value in every field. */
    private static WebhookDelivery hookDelivery(Status status) {
        return new WebhookDelivery(
                ID,
                OTHER,
                WebhookEvent.LEADERBOARD_RANK_CHANGED,
                AT,
                status,
                List.of(
                        new Attempt(AT.plusSeconds(1), 503, null, 250),
                        new Attempt(AT.plusSeconds(61), null, "no answer", 10_000)),
                5,
                2,
                true,
                switch (status) {
                    case PENDING -> new InLane(Bytes.wrap("acme/swimmer-77".getBytes(UTF_8)), 300);
                    case SUCCEEDED -> null;
                    case FAILED -> new Later(1_772_618_460_000L, true);
                });
    }

    private static MessageDelivery message(int number, State state) {
        NotificationType[] types = NotificationType.values();
        NotificationChannel[] channels = NotificationChannel.values();
        var copy = new MessageCopy(channels[number % channels.length], OTHER, 3);
        return new MessageDelivery(
                ID,
                new UserKey(new TenantId("acme"), new UserId("swimmer-77")),
                AT,
                6,
                types[number % types.length],
                copy,
                state instanceof Waiting ? "{\"streak\":5}" : null,
                1_772_618_400_000L,
                state,
                List.of(
                        new MessageDelivery.Attempt(1_772_618_401_000L, "busy"),
                        new MessageDelivery.Attempt(1_772_618_402_000L, null)));
    }

    @Override
    protected void assertSameValue(Object expected, Object actual) {
        if (expected instanceof WebhookStore.Body(byte[] owner, byte[] bytes)) {
            assertArrayEquals(owner, ((WebhookStore.Body) actual).owner());
            assertArrayEquals(bytes, ((WebhookStore.Body) actual).bytes());
        } else {
            super.assertSameValue(expected, actual);
        }
    }
}
