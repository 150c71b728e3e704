package dev.laurel.processors.store.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.engine.KeyEditor.IssuedKey;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.DayBucket.AttributeSums;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.PointsState.AppliedBoost;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.UserBoost;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.processors.store.users.IssuedKeys.IssuedKeyReader;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Checks the stored bytes of a user's history: a changed form needs a new version. */
class UserHistoryCodecsTest {

    private static final List<Award> PAGE = List.of(
            new Award(7, 300, 1_772_618_400_000L, -25, 1_000_000, 8, 3, List.of()),
            new Award(7, 301, 1_772_619_400_000L, 50, 1_000_050, 9, 3, List.of()));
    private static final UUID ID = UUID.fromString("01234567-89ab-cdef-0123-456789abcdef");

    @Test
    void shouldKeepTheBytesOfEachForm() {
        assertForm("02020905", UserCodecs.DAY, new DayBucket(new BigDecimal("-0.5"), true, 1, AttributeSums.NONE));
        assertForm("030207ac02d9843d8084d28497673108030080897a64090300", UserCodecs.LEDGER_PAGE, PAGE);
        assertForm("01efcdab8967452301efcdab8967452301", UserCodecs.EVENT_ID, ID);
        assertForm(
                "03c2c00202218084d28497670100",
                UserCodecs.BOARD_RUN,
                new LeaderboardState(20_513, new BigDecimal("-1.7"), 1_772_618_400_000L));
        assertForm(
                "03c2c00202218084d2849767" + "01" + "01" + "055475726b75",
                UserCodecs.BOARD_RUN,
                new LeaderboardState(20_513, new BigDecimal("-1.7"), 1_772_618_400_000L, List.of("Turku")));
        assertForm("028040", UserCodecs.COUNT, 4096L);
        assertForm(
                "02" + "8084d2849767" + "01" + "8284d2849767" + "feffffffffffffffff01",
                IssuedKeyReader.KEY,
                new IssuedKeyReader.Value(1_772_618_400_000L, true, 1_772_618_400_001L, IssuedKey.NEVER));
        assertForm(
                "01" + "03616e6e" + "00" + "00" + "0219" + "880e",
                TopList.FLOOR,
                new Standing(new UserId("ann"), null, new BigDecimal("-1.3"), 900));
    }

    @Test
    void shouldKeepTheBytesOfBoostsOfAnAward() {
        var own = new UserBoost(
                ID, 7, "Comeback", 20_516, UserBoost.OPEN, new BigDecimal("0.5"), Rounding.NEAREST, 1_772_618_400_000L);
        var boosted = List.of(
                new Award(
                        7,
                        8,
                        1_772_618_400_000L,
                        15,
                        15,
                        8,
                        3,
                        List.of(
                                new AppliedBoost.OfRuleset(12),
                                new AppliedBoost.OfUser(own),
                                new AppliedBoost.OfRuleset(300))),
                new Award(7, 9, 1_772_618_400_000L, -5, 10, 9, 3, List.of()));

        assertForm(
                "03020708008084d2849767" + "1e0803" + "03" + "00" + "18" + "01" + "efcdab8967452301efcdab8967452301"
                        + "0e"
                        + "08436f6d656261636b" + "c8c002" + "feffffff0f" + "020a" + "02" + "8084d2849767" + "00d804"
                        + "000909" + "0300",
                UserCodecs.LEDGER_PAGE,
                boosted);
    }

    @Test
    void shouldKeepTheBytesOfSumsByAttribute() {
        var sums = IntKeyedMap.<SortedMap<String, BigDecimal>>empty()
                .with(5, new TreeMap<>(Map.of("a", BigDecimal.ONE, "b", new BigDecimal("0.5"))))
                .with(300, new TreeMap<>(Map.of("", BigDecimal.valueOf(-2))));

        assertForm(
                "02" + "0009" + "ba01" + "02" + "0502" + "01610002" + "0162020a" + "ac0201" + "000003",
                UserCodecs.DAY,
                new DayBucket(BigDecimal.valueOf(-5), false, 46, new AttributeSums(sums, false)));
    }

    @Test
    void shouldMarkSumsThatAreTruncated() {
        var sums =
                IntKeyedMap.<SortedMap<String, BigDecimal>>empty().with(5, new TreeMap<>(Map.of("a", BigDecimal.ONE)));

        assertForm(
                "02" + "0009" + "ba01" + "02" + "0000" + "0501" + "01610002",
                UserCodecs.DAY,
                new DayBucket(BigDecimal.valueOf(-5), false, 46, new AttributeSums(sums, true)));
        assertForm(
                "02" + "0009" + "ba01" + "01" + "0000",
                UserCodecs.DAY,
                new DayBucket(BigDecimal.valueOf(-5), false, 46, new AttributeSums(IntKeyedMap.empty(), true)));
    }

    private static <T> void assertForm(String hex, Codec<T> codec, T value) {
        assertEquals(hex, HexFormat.of().formatHex(codec.encode(value)));
        assertEquals(value, codec.decode(HexFormat.of().parseHex(hex)));
    }

    @Test
    void shouldRefuseDamagedBytes() {
        for (String hex : new String[] {
            "", "01", "0102", "03020901", "0102090100", "0103", "020209", "0202090501", "02020906", "0202090601050101"
        }) {
            assertThrows(
                    StoredFormatException.class,
                    () -> UserCodecs.DAY.decode(HexFormat.of().parseHex(hex)),
                    hex);
        }
    }
}
