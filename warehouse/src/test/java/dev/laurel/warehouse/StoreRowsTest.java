package dev.laurel.warehouse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.DayBucket.AttributeSums;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.boards.LeaderboardKeys;
import dev.laurel.processors.store.boards.LeaderboardStores.LogPosition;
import dev.laurel.processors.store.users.UserCodecs;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class StoreRowsTest {

    private static final UserKey USER = new UserKey(new TenantId("pool"), new UserId("swimmer/77"));
    private static final byte[] BYTES = USER.bytes();
    private static final LeaderboardGroup GROUP =
            new LeaderboardGroup(new TenantId("pool"), 10, 20_513, List.of("Turku", ""));

    @Test
    void shouldReadDaysAndTheirDeletions() {
        var bucket = new DayBucket(new BigDecimal("-0.5"), true, 3, AttributeSums.NONE);
        Bytes key = StoreKeys.day(BYTES, 7, -20_513);

        assertEquals(
                List.of("DAYS [pool, swimmer/77, false, 7, 1913-11-03] [pool, swimmer/77, false, 7, 1913-11-03, -0.5,"
                        + " 3]"),
                read(StoreNames.METRIC_DAYS, key, UserCodecs.DAY.encode(bucket)));
        assertEquals(List.of("DAYS [pool, swimmer/77, false, 7, 1913-11-03]"), read(StoreNames.METRIC_DAYS, key, null));
    }

    /** Both lie in one store under keys of the same form, and only the version byte tells them apart. */
    @Test
    void shouldTellDaysFromRunsOfLeaderboards() {
        var run = new LeaderboardState(20_513, BigDecimal.ONE, 5);

        assertEquals(
                List.of(),
                read(StoreNames.METRIC_DAYS, StoreKeys.day(BYTES, 10, 20_513), UserCodecs.BOARD_RUN.encode(run)));
        assertNotEquals(
                UserCodecs.DAY.version(),
                UserCodecs.BOARD_RUN.version(),
                "a new version of days or of runs must have a number that the other never had");
    }

    @Test
    void shouldPassOverActiveDays() {
        assertEquals(
                List.of(),
                read(StoreNames.METRIC_DAYS, StoreKeys.activeDays(BYTES, 320), UserCodecs.ACTIVE_DAYS.encode(5L)));
        assertEquals(List.of(), read(StoreNames.METRIC_DAYS, StoreKeys.activeDays(BYTES, 320), null));
    }

    @Test
    void shouldReadPeriods() {
        var block = new StreakBlock(-2, 3, 9, 12, new byte[] {1, 17, 2}, List.of());

        assertEquals(
                List.of("PERIODS [pool, swimmer/77, false, weekly, -2] [pool, swimmer/77, false, weekly, -2, -64, met,"
                        + " 0] [pool, swimmer/77, false, weekly, -2, -63, met, 2] [pool, swimmer/77, false,"
                        + " weekly, -2, -62, frozen, null]"),
                read(
                        StoreNames.STREAK_PERIODS,
                        StoreKeys.streakBlock(BYTES, StreakFrequency.WEEKLY, -2),
                        UserCodecs.STREAK_BLOCK.encode(block)));
    }

    @Test
    void shouldReadPagesOfLedgers() {
        var awards = List.of(new Award(7, 16, 5, 50, 50, 9, 3, List.of()));

        assertEquals(
                List.of("AWARDS [pool, swimmer/77, false, 7, 2] [pool, swimmer/77, false, 7, 2, 16, "
                        + "1970-01-01T00:00:00.005Z, 50, 50, 9, 3, 0]"),
                read(
                        StoreNames.POINTS_LEDGER,
                        StoreKeys.ledgerPage(BYTES, 7, 2),
                        UserCodecs.LEDGER_PAGE.encode(awards)));
        assertEquals(
                List.of("AWARDS [pool, swimmer/77, false, 7, 2]"),
                read(StoreNames.POINTS_LEDGER, StoreKeys.ledgerPage(BYTES, 7, 2), null));
    }

    @Test
    void shouldReadParticipantsAlone() {
        var id = new UserId("swimmer/77");
        var participant = new Participant(new Standing(id, "Ida", BigDecimal.TEN, 5), 6, 2, true);

        String key = "pool, 10, 20513, " + UUID.nameUUIDFromBytes("[\"Turku\",\"\"]".getBytes(UTF_8)) + ", swimmer/77";
        assertEquals(
                List.of("PARTICIPANTS [" + key + "] [" + key
                        + ", [\"Turku\",\"\"], 10, 1970-01-01T00:00:00.005Z, public]"),
                read(
                        StoreNames.LEADERBOARD_ENTRIES,
                        LeaderboardKeys.participant(GROUP, id),
                        LeaderboardCodecs.PARTICIPANT.encode(participant)));
        assertEquals(
                List.of("PARTICIPANTS [" + key + "]"),
                read(StoreNames.LEADERBOARD_ENTRIES, LeaderboardKeys.participant(GROUP, id), null));
        assertEquals(List.of(), read(StoreNames.LEADERBOARD_ENTRIES, LeaderboardKeys.place(GROUP, id), null));
        assertEquals(
                List.of(),
                read(
                        StoreNames.LEADERBOARD_ENTRIES,
                        LeaderboardKeys.logPosition(3),
                        LeaderboardCodecs.LOG_POSITION.encode(new LogPosition(1, 2))));
    }

    @Test
    void shouldRefuseDamagedKeysAndValues() {
        assertThrows(StoredFormatException.class, () -> StoreRows.of(StoreNames.METRIC_DAYS, new byte[] {0}, null));
        assertThrows(
                StoredFormatException.class,
                () -> StoreRows.of(
                        StoreNames.METRIC_DAYS, StoreKeys.day(BYTES, 7, 5).get(), new byte[] {99}));
        assertThrows(
                StoredFormatException.class,
                () -> StoreRows.of(StoreNames.STREAK_PERIODS, new byte[] {0, 1, 'u', 9, 0, 0, 0, 0}, null));
    }

    /** The rows of a record as texts: table, scope, rows. */
    private static List<String> read(String store, Bytes key, byte[] value) {
        return StoreRows.of(store, key.get(), value).stream()
                .map(set -> set.table() + " " + set.scope()
                        + set.rows().stream()
                                .map(row -> " " + Arrays.toString(row))
                                .collect(Collectors.joining()))
                .toList();
    }
}
