package dev.laurel.processors.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.processors.core.user.Award;
import dev.laurel.processors.core.user.DayBucket;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The stored forms beside the user, byte for byte: what changes here needs a version of its own. */
class HistoryCodecsTest {

    private static final List<Award> PAGE = List.of(
            new Award(7, 300, 1_772_618_400_000L, -25, 1_000_000, 8, 3, List.of()),
            new Award(7, 301, 1_772_619_400_000L, 50, 1_000_050, 9, 3, List.of()));
    private static final UUID ID = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");

    @Test
    void shouldKeepTheBytesOfEachForm() {
        assertForm("01020901", HistoryCodecs.DAY, new DayBucket(new BigDecimal("-0.5"), true));
        assertForm("020207ac02d9843d8084d28497673108030080897a64090300", HistoryCodecs.LEDGER_PAGE, PAGE);
        assertForm("01efcdab8967452301efcdab8967452301", HistoryCodecs.EVENT_ID, ID);
        assertForm("018020", HistoryCodecs.COUNT, 4096L);
    }

    @Test
    void shouldReadAPageOfTheTimeBeforeBoosts() {
        assertEquals(PAGE, HistoryCodecs.LEDGER_PAGE
                .decode(HexFormat.of().parseHex("010207ac02d9843d8084d284976731080380897a640903")));
    }

    private static <T> void assertForm(String hex, Codec<T> codec, T value) {
        assertEquals(hex, HexFormat.of().formatHex(codec.encode(value)));
        assertEquals(value, codec.decode(HexFormat.of().parseHex(hex)));
    }

    @Test
    void shouldRefuseDamagedBytes() {
        for (String hex : new String[]{"", "01", "0102", "02020901", "0102090100", "0103"}) {
            assertThrows(StoredFormatException.class, () -> HistoryCodecs.DAY.decode(HexFormat.of().parseHex(hex)),
                    hex);
        }
    }
}
