package dev.laurel.schemas.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeliveryIdsTest {

    private static final UUID EVENT = UUID.nameUUIDFromBytes(new byte[] {1});
    private static final UUID WEBHOOK = UUID.nameUUIDFromBytes(new byte[] {2});

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "2026-03-04T09:15:00.123Z",
                "2099-12-31T23:59:59.999Z",
                "9999-12-31T23:59:59.999Z"
            })
    void shouldContainThePartitionAndTheTime(Instant at) {
        for (int i = 0; i < 100; i++) {
            byte[] key = ("swimmer-" + i).getBytes(UTF_8);
            UUID id = DeliveryIds.of(key, at, EVENT, WEBHOOK);

            assertEquals(at.toEpochMilli(), DeliveryIds.timeMs(id));
            assertEquals(BuiltInPartitioner.partitionForKey(key, 6), DeliveryIds.partitionOf(id, 6));
            assertTrue(DeliveryIds.isOne(id), id.toString());
        }
    }

    @Test
    void shouldDifferByEventAndWebhook() {
        byte[] key = {7};
        Instant at = Instant.parse("2026-03-04T09:15:00Z");
        UUID id = DeliveryIds.of(key, at, EVENT, WEBHOOK);

        assertEquals(id, DeliveryIds.of(key, at, EVENT, WEBHOOK));
        assertNotEquals(id, DeliveryIds.of(key, at, WEBHOOK, WEBHOOK));
        assertNotEquals(id, DeliveryIds.of(key, at, EVENT, EVENT));
        assertFalse(DeliveryIds.isOne(UUID.randomUUID()));
    }
}
