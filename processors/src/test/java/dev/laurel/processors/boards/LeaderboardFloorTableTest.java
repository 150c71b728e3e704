package dev.laurel.processors.boards;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.processors.store.boards.FloorRecords;
import dev.laurel.processors.store.boards.FloorRecords.Floor;
import dev.laurel.processors.store.boards.FloorRecords.Key.OfGroup;
import dev.laurel.processors.store.boards.FloorRecords.Key.OfPartition;
import dev.laurel.processors.store.boards.FloorRecords.Progress;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Generation;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Floors from single records; no topic is followed. */
class LeaderboardFloorTableTest {

    private static final LeaderboardGroup TURKU = new LeaderboardGroup(TenantId.NONE, 7, 20_000, List.of("Turku"));
    private static final LeaderboardGroup OULU = new LeaderboardGroup(TenantId.NONE, 7, 20_000, List.of("Oulu"));

    @AutoClose
    private final LeaderboardFloorTable table = new LeaderboardFloorTable(
            Map.of("bootstrap.servers", "127.0.0.1:1"),
            Generation.FIRST,
            LeaderboardFloorTable.DEFAULT_MAX_FLOORS,
            fault -> {
                throw new AssertionError(fault);
            });

    @Test
    void shouldStartWithoutFloors() {
        assertNull(table.floorOf(TURKU));
        assertEquals(-1, table.processedTo(0, 0));
    }

    @Test
    void shouldKnowTheNewestFloorOfEachGroup() {
        floor(TURKU, 1, "1");
        floor(OULU, 1, "2");
        floor(TURKU, 1, "1.5");
        heard(3, 1, 9);

        assertEquals(new BigDecimal("1.5"), table.floorOf(TURKU));
        assertEquals(new BigDecimal("2"), table.floorOf(OULU));
    }

    @Test
    void shouldForgetTheFloorOfAGroupThatIsNoLongerFull() {
        floor(TURKU, 1, "1");
        heard(3, 1, 9);
        table.put(FloorRecords.KEY.encode(new OfGroup(TURKU)), null);

        assertNull(table.floorOf(TURKU));
    }

    @Test
    void shouldIgnoreFloorsOfAFormerLife() {
        floor(TURKU, 1, "7");
        heard(3, 1, 9);
        // The floor fell, and the task ended before it published that.
        heard(3, 2, 12);
        assertNull(table.floorOf(TURKU));

        floor(TURKU, 2, "5");
        assertEquals(new BigDecimal("5"), table.floorOf(TURKU));
        floor(TURKU, 1, "7");
        assertNull(table.floorOf(TURKU), "a late record of the former life");
    }

    @Test
    void shouldHaveNoFloorBeforeItsLifeHasPublishedOffsets() {
        heard(3, 1, 9);
        floor(TURKU, 2, "5");
        assertNull(table.floorOf(TURKU));

        heard(3, 2, 9);
        assertEquals(new BigDecimal("5"), table.floorOf(TURKU));
    }

    @Test
    void shouldKeepFloorsOfOtherPartitionsWhenANewLifeBegins() {
        floor(TURKU, 1, "7");
        heard(3, 1, 9);
        heard(2, 8, 9);

        assertEquals(new BigDecimal("7"), table.floorOf(TURKU));
    }

    @Test
    void shouldReturnThePublishedOffsetsOfEachPartition() {
        heard(2, 1, 5, -1, 9);
        heard(3, 1, 7);

        assertEquals(5, table.processedTo(2, 0));
        assertEquals(-1, table.processedTo(2, 1));
        assertEquals(9, table.processedTo(2, 2));
        assertEquals(-1, table.processedTo(2, 3), "a partition that was added later");
        assertEquals(7, table.processedTo(3, 0));
        table.put(FloorRecords.KEY.encode(new OfPartition(3)), null);
        assertEquals(-1, table.processedTo(3, 0));
    }

    /** Puts a floor of partition 3. */
    private void floor(LeaderboardGroup group, long life, String value) {
        table.put(
                FloorRecords.KEY.encode(new OfGroup(group)),
                FloorRecords.FLOOR.encode(new Floor(3, life, new BigDecimal(value))));
    }

    private void heard(int boardPartition, long life, long... offsets) {
        table.put(
                FloorRecords.KEY.encode(new OfPartition(boardPartition)),
                FloorRecords.PROGRESS.encode(new Progress(life, offsets)));
    }
}
