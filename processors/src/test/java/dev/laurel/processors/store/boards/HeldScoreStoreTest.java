package dev.laurel.processors.store.boards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.math.BigDecimal;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeldScoreStoreTest {

    private final KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(
                    Stores.inMemoryKeyValueStore(StoreNames.PARTITION_STATE), Serdes.Bytes(), Serdes.ByteArray())
            .withLoggingDisabled()
            .build();

    @BeforeEach
    void open() {
        store.init(new MockProcessorContext<>(new Properties()).getStateStoreContext(), store);
    }

    private static List<HeldScore> scores(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new HeldScore(
                        new Scored(
                                new TenantId("acme"),
                                3,
                                7,
                                -2,
                                i % 2 == 0,
                                new UserId("user-" + i),
                                i == 0 ? null : "U",
                                List.of("Turku", "a"),
                                new BigDecimal("12.50"),
                                900,
                                Score.Kind.CHANGED,
                                1_000,
                                i % 2 == 1),
                        1_000 + i,
                        new BigDecimal("-1"),
                        i % 3 == 0,
                        "top",
                        i % 5 == 0
                                ? List.of(new ReplyTo(4, new UUID(i, 2)), new ReplyTo(5, new UUID(i, 3)))
                                : List.of()))
                .toList();
    }

    @Test
    void shouldReadBackWhatWasHeldAtTheLastCommit() {
        var stored = new HeldScoreStore(store);
        assertEquals(List.of(), stored.read());
        for (int count : new int[] {250, 1, 100, 101}) {
            stored.write(scores(count));
            stored.moveTo(2_000 + count);

            var next = new HeldScoreStore(store);
            assertEquals(scores(count), next.read());
            assertEquals(2_000 + count, next.position());
        }
    }

    @Test
    void shouldLeaveNothingWhenNothingIsHeld() {
        var stored = new HeldScoreStore(store);
        stored.moveTo(5);
        stored.write(scores(250));
        stored.moveTo(6);
        stored.write(List.of());
        stored.moveTo(7);

        try (var all = store.all()) {
            assertFalse(all.hasNext());
        }
        assertEquals(-1, new HeldScoreStore(store).position());
    }
}
