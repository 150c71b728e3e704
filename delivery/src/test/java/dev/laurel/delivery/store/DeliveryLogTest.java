package dev.laurel.delivery.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.delivery.store.DeliveryLog.Found;
import dev.laurel.delivery.store.WebhookDelivery.Endpoint;
import dev.laurel.delivery.store.WebhookDelivery.Status;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.topic.DeliveryIds;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeliveryLogTest {

    private static final Instant T = Instant.parse("2026-03-04T09:15:00Z");
    private static final UUID WEBHOOK = new UUID(1, 2);

    @TempDir
    private Path folder;

    private KeyValueStore<Bytes, byte[]> store;
    private DeliveryLog log;

    @BeforeEach
    void open() {
        store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(StoreNames.DELIVERIES), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
        store.init(
                new MockProcessorContext<Void, Void>(new Properties(), new TaskId(0, 0), folder.toFile())
                        .getStateStoreContext(),
                store);
        log = new DeliveryLog.Stored(() -> store);
    }

    /** Adds deliveries, two in a millisecond. @return their ids, newest first */
    private List<UUID> add(UUID webhook, int count, Status status) {
        var ids = new ArrayList<UUID>();
        for (int i = 0; i < count; i++) {
            var source = new UUID(7, i);
            UUID id = DeliveryIds.of(new byte[0], T.plusMillis(i / 2), source, webhook);
            store.put(
                    WebhookKeys.delivery(new Endpoint(TenantId.NONE, webhook), id),
                    WebhookStore.DELIVERY.encode(new WebhookDelivery(
                            id,
                            source,
                            WebhookEvent.STREAK_LOST,
                            T.plusMillis(i / 2),
                            status,
                            List.of(),
                            0,
                            0,
                            false,
                            null)));
            ids.add(id);
        }
        ids.sort(DeliveryIds.NEWEST_FIRST);
        return ids;
    }

    private Found find(Status status, UUID after, int limit) {
        return log.find(TenantId.NONE, WEBHOOK, status, null, after, limit);
    }

    @Test
    void shouldContinueAfterAnyDelivery() {
        List<UUID> ids = add(WEBHOOK, 9, Status.PENDING);
        add(new UUID(1, 1), 3, Status.PENDING);
        add(new UUID(1, 3), 3, Status.PENDING);

        assertEquals(new Found(ids.subList(0, 4), null), find(null, null, 4));
        for (int i = 0; i < 9; i++) {
            assertEquals(new Found(ids.subList(i + 1, Math.min(9, i + 5)), null), find(null, ids.get(i), 4));
            assertEquals(new Found(ids.subList(i + 1, 9), null), find(Status.PENDING, ids.get(i), 100));
        }
    }

    /** The delivery may have expired, or be one of another partition. */
    @Test
    void shouldContinueAfterDeliveryThatIsNotStored() {
        List<UUID> ids = add(WEBHOOK, 9, Status.PENDING);
        store.delete(WebhookKeys.delivery(new Endpoint(TenantId.NONE, WEBHOOK), ids.get(3)));

        assertEquals(ids.subList(4, 9), find(null, ids.get(3), 100).ids());
    }

    @Test
    void shouldSayWhereFilterEndedItsSearch() {
        List<UUID> ids = add(WEBHOOK, DeliveryLog.MAX_EXAMINED + 30, Status.SUCCEEDED);

        Found first = find(Status.FAILED, null, 5);
        assertEquals(new Found(List.of(), ids.get(DeliveryLog.MAX_EXAMINED - 1)), first);
        assertEquals(new Found(List.of(), null), find(Status.FAILED, first.examinedTo(), 5));
        assertEquals(ids.subList(0, 5), find(Status.SUCCEEDED, null, 5).ids());
        assertEquals(
                ids.subList(DeliveryLog.MAX_EXAMINED, DeliveryLog.MAX_EXAMINED + 30),
                find(Status.SUCCEEDED, first.examinedTo(), 100).ids());
    }
}
