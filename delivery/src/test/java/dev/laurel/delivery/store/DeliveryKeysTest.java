package dev.laurel.delivery.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.delivery.store.MessageStore.MessageKeys;
import dev.laurel.delivery.store.MessageStore.TenantChannel;
import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

/** Checks the keys in the stores of delivery: the approved keys are in the file {@code stored/delivery-keys.txt}. */
class DeliveryKeysTest {

    private static final Path FILE = Path.of("src/test/resources/stored/delivery-keys.txt");
    private static final UUID ID = new UUID(0x0102030405060708L, 0x1112131415161718L);
    private static final UUID OTHER = new UUID(0x2122232425262728L, 0x3132333435363738L);
    private static final TenantId ACME = new TenantId("acme");
    private static final UserId ANN = new UserId("ann");
    private static final Endpoint ENDPOINT = new Endpoint(ACME, OTHER);
    private static final byte[] OUTBOX_KEY = "acme/ann".getBytes(UTF_8);
    private static final long AT_MS = 1_772_618_400_000L;
    private static final DueIndex.Entry ENTRY = new DueIndex.Entry(AT_MS, ID, false);

    private static Map<String, Bytes> keys() {
        var keys = new LinkedHashMap<String, Bytes>();
        keys.put("webhooks delivery", WebhookKeys.delivery(ENDPOINT, ID));
        keys.put("webhooks deliveries-from", WebhookKeys.deliveriesFrom(ENDPOINT, AT_MS));
        keys.put("webhooks body", WebhookKeys.body(ACME, AT_MS, ID));
        keys.put("webhooks bodies-from", WebhookKeys.bodiesFrom(AT_MS));
        keys.put("webhooks lane", WebhookKeys.lane(ENDPOINT, OUTBOX_KEY));
        keys.put("webhooks waiting", WebhookKeys.waiting(ENDPOINT, OUTBOX_KEY, 300));
        keys.put("webhooks turn", WebhookKeys.turn(ENDPOINT, 300));
        keys.put("webhooks retry", new DueIndex(null, WebhookKeys.retries(ENDPOINT)).key(ENTRY));
        keys.put("webhooks owned", WebhookKeys.owned(ACME, OUTBOX_KEY, AT_MS, ID));
        keys.put("webhooks erasure", WebhookKeys.erasure(ACME, OUTBOX_KEY, AT_MS));
        keys.put("messages delivery", MessageKeys.delivery(ID));
        keys.put("messages first-mark", MessageKeys.firstMark(ID, 2));
        keys.put("messages withdrawn", MessageKeys.withdrawn(ID, 2, OTHER));
        for (NotificationChannel channel : NotificationChannel.values()) {
            keys.put(
                    "messages queued-" + channel,
                    new DueIndex(null, MessageKeys.queue(new TenantChannel(ACME, channel))).key(ENTRY));
        }
        keys.put("messages expiry", MessageKeys.expiry(AT_MS, ID));
        keys.put("messages of-user", MessageKeys.ofUser(new UserKey(ACME, ANN), AT_MS, ID));
        return keys;
    }

    @Test
    void shouldBeTheApprovedKeys() throws IOException {
        String keys = keys().entrySet().stream()
                .map(key -> key.getKey() + " "
                        + HexFormat.of().formatHex(key.getValue().get()) + "\n")
                .collect(Collectors.joining());
        if (Boolean.getBoolean("laurel.approve")) {
            Files.writeString(FILE, keys);
        }

        assertEquals(
                Files.readString(FILE), keys, "keys are durable data: entries under former keys would not be found");
    }

    @Test
    void shouldReadTheApprovedKeysBack() throws IOException {
        Map<String, Bytes> keys = approved();

        for (String kind : List.of("delivery", "lane", "waiting", "turn", "retry")) {
            assertEquals(ENDPOINT, WebhookKeys.endpointOf(keys.get("webhooks " + kind)));
        }
        assertEquals(ID, StoreKeys.idAtEndOf(keys.get("webhooks delivery")));
        assertEquals(AT_MS, WebhookKeys.timeOfBody(keys.get("webhooks body")));
        assertEquals(300, WebhookKeys.numberAtEndOf(keys.get("webhooks turn")));
        assertEquals(AT_MS, StoreKeys.ordered(StoreKeys.numberBeforeIdOf(keys.get("webhooks retry"))));
        for (NotificationChannel channel : NotificationChannel.values()) {
            Bytes queued = keys.get("messages queued-" + channel);
            assertEquals(new TenantChannel(ACME, channel), MessageKeys.channelOf(queued));
        }
        assertEquals(ID, StoreKeys.idAtEndOf(keys.get("messages expiry")));
        assertEquals(ID, StoreKeys.idAtEndOf(keys.get("messages of-user")));
    }

    private static Map<String, Bytes> approved() throws IOException {
        return Files.readAllLines(FILE).stream()
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.lastIndexOf(' ')),
                        line -> Bytes.wrap(HexFormat.of().parseHex(line.substring(line.lastIndexOf(' ') + 1)))));
    }
}
