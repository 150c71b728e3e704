package dev.laurel.platform.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.LastUsed;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.topic.Topics;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KeyUsesTest {

    private static final UUID KEY = UUID.randomUUID();

    private final AccessIndex index = InMemoryAccessStore.index();
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private Instant now = Instant.parse("2026-03-04T12:00:00Z");
    private final KeyUses uses = new KeyUses(producer, index, () -> now);

    /** Writes the pending uses and returns all records of the topic, after they have been applied to the index. */
    private List<AccessRecord> written() {
        uses.write();
        List<AccessRecord> records = producer.history().stream()
                .map(record -> Topics.ACCESS.value().deserializer().deserialize(record.topic(), record.value()))
                .toList();
        records.forEach(record -> index.put(record.recordKey(), record));
        return records;
    }

    @Test
    void shouldWriteAUseOncePerMinute() {
        Instant first = now;
        uses.used(KEY);
        uses.used(KEY);
        assertEquals(List.of(new LastUsed(KEY, first)), written());

        now = first.plusSeconds(59);
        uses.used(KEY);
        assertEquals(1, written().size());

        now = first.plusSeconds(60);
        uses.used(KEY);
        assertEquals(List.of(new LastUsed(KEY, first), new LastUsed(KEY, now)), written());
        assertEquals(now, index.lastUsed(KEY));
    }

    @Test
    void shouldNotRepeatWhatAnotherProcessHasWritten() {
        uses.used(KEY);
        index.put(AccessRecord.lastUsedKey(KEY), new LastUsed(KEY, now));

        assertEquals(List.of(), written());
    }

    @Test
    void shouldWriteALimitedNumberOfKeysPerRound() {
        for (int i = 0; i < 1200; i++) {
            uses.used(UUID.randomUUID());
        }

        assertEquals(500, written().size());
        assertEquals(1000, written().size());
        assertEquals(1200, written().size());
        assertEquals(1200, written().size());
    }
}
