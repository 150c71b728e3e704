package dev.laurel.processors.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.store.FloorRecords;
import dev.laurel.processors.store.FloorRecords.Key.OfGroup;
import dev.laurel.processors.store.FloorRecords.Key.OfPartition;
import dev.laurel.schemas.key.TenantId;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Record by record; nothing is followed here. */
class BoardFloorTableTest {

    private static final BoardGroup TURKU = new BoardGroup(TenantId.NONE, 7, 20_000, List.of("Turku"));
    private static final BoardGroup OULU = new BoardGroup(TenantId.NONE, 7, 20_000, List.of("Oulu"));

    private final BoardFloorTable table = new BoardFloorTable(Map.of("bootstrap.servers", "127.0.0.1:1"), fault -> {
        throw new AssertionError(fault);
    });

    @AfterEach
    void close() {
        table.close();
    }

    @Test
    void shouldKnowNothingAtFirst() {
        assertNull(table.floorOf(TURKU));
        assertEquals(-1, table.heardTo(0, 0));
    }

    @Test
    void shouldKnowTheNewestFloorOfEachGroup() {
        table.put(FloorRecords.key(new OfGroup(TURKU)), FloorRecords.floor(BigDecimal.ONE));
        table.put(FloorRecords.key(new OfGroup(OULU)), FloorRecords.floor(BigDecimal.TWO));
        table.put(FloorRecords.key(new OfGroup(TURKU)), FloorRecords.floor(new BigDecimal("1.5")));

        assertEquals(new BigDecimal("1.5"), table.floorOf(TURKU));
        assertEquals(BigDecimal.TWO, table.floorOf(OULU));
    }

    @Test
    void shouldForgetTheFloorOfAGroupThatIsNotFullAnyLonger() {
        table.put(FloorRecords.key(new OfGroup(TURKU)), FloorRecords.floor(BigDecimal.ONE));
        table.put(FloorRecords.key(new OfGroup(TURKU)), null);

        assertNull(table.floorOf(TURKU));
    }

    @Test
    void shouldKnowHowFarEachPartitionHasHeard() {
        table.put(FloorRecords.key(new OfPartition(2)), FloorRecords.heard(new long[]{5, -1, 9}));
        table.put(FloorRecords.key(new OfPartition(3)), FloorRecords.heard(new long[]{7}));

        assertEquals(5, table.heardTo(2, 0));
        assertEquals(-1, table.heardTo(2, 1));
        assertEquals(9, table.heardTo(2, 2));
        assertEquals(-1, table.heardTo(2, 3), "a partition of the log that came later");
        assertEquals(7, table.heardTo(3, 0));
        table.put(FloorRecords.key(new OfPartition(3)), null);
        assertEquals(-1, table.heardTo(3, 0));
    }
}
