package dev.laurel.processors.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.laurel.processors.core.user.Award;
import dev.laurel.processors.core.user.DayBucket;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.Numbered;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.Profile;
import dev.laurel.processors.core.user.StreakState;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What lies in people's stores stays readable. The approved bytes of each version are files in {@code stored/}: a version
 * that was released never changes, a new one gets a new file beside them.
 */
class UserStateCodecTest {

    private final UserStateCodec codec = new UserStateCodec();

    @Test
    void shouldWriteTheApprovedBytes() throws IOException {
        assertEquals(HexFormat.of().formatHex(approved("user-v2.hex")), HexFormat.of().formatHex(codec.encode(full())),
                "the stored form has changed: it needs a version of its own, and the old ones stay readable");
    }

    @Test
    void shouldReadTheApprovedBytes() throws IOException {
        assertEquals(full(), codec.decode(approved("user-v2.hex")));
    }

    @Test
    void shouldReadTheVersionBeforeWhichHadNoWakeUpTime() throws IOException {
        UserState user = full();
        var asleep = new UserState(user.id(), user.profile(), user.control(), user.createdMs(), user.updatedMs(),
                user.newestMs(), user.sequence(), user.metrics(), user.points(), user.completions(), user.streak(), 0);

        assertEquals(asleep, codec.decode(approved("user-v1.hex")));
    }

    @Test
    void shouldReadNothingAsNothing() {
        assertNull(codec.decode(null));
    }

    @Test
    void shouldRefuseAVersionFromTheFuture() throws IOException {
        byte[] stored = approved("user-v2.hex");
        for (int version : new int[]{3, 127, 0, -1}) {
            stored[0] = (byte) version;
            assertThrows(StoredFormatException.class, () -> codec.decode(stored), "version " + version);
        }
    }

    @Test
    void shouldRefuseEveryCutOffForm() throws IOException {
        byte[] stored = approved("user-v2.hex");
        for (int length = 0; length < stored.length; length++) {
            byte[] cut = Arrays.copyOf(stored, length);
            assertThrows(StoredFormatException.class, () -> codec.decode(cut), length + " bytes");
        }
    }

    @Test
    void shouldRefuseWhatIsLongerThanItSays() throws IOException {
        byte[] stored = approved("user-v2.hex");

        assertThrows(StoredFormatException.class, () -> codec.decode(Arrays.copyOf(stored, stored.length + 1)));
    }

    @Test
    void shouldReadDamagedBytesAsSomethingElseOrRefuseThem() {
        byte[] stored = codec.encode(full());
        var random = new Random(7);
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            for (int i = 0; i < 20_000; i++) {
                byte[] damaged = stored.clone();
                for (int hits = random.nextInt(4); hits >= 0; hits--) {
                    damaged[1 + random.nextInt(damaged.length - 1)] = (byte) random.nextInt();
                }
                decodeOrRefuse(damaged);
            }
        });
    }

    /** Any other exception fails the test. */
    private void decodeOrRefuse(byte[] damaged) {
        try {
            codec.decode(damaged);
        } catch (StoredFormatException _) {
            // that is what it is for
        }
    }

    @Test
    void shouldBringBackOddValues() {
        assertRoundTrip(user("u", Profile.BLANK, StreakState.NONE));
        assertRoundTrip(user("\u0000", new Profile(null, "", null, List.of("", "t"), false,
                new TreeMap<>(Map.of("", "", "ä/%\n", "\ud83d\ude80"))), StreakState.NONE));
        assertRoundTrip(user("x".repeat(255), new Profile("a@b", "n".repeat(255), ZoneId.of("Etc/GMT+12"), List.of(),
                true, new TreeMap<>()), new StreakState(-1, 1, -5, true)));
        assertRoundTrip(user("u", Profile.BLANK, new StreakState(Integer.MIN_VALUE, Integer.MAX_VALUE, Long.MIN_VALUE,
                false)));
    }

    @Test
    void shouldBringBackNumbersOfAnySize() {
        for (String number : List.of("0", "0.1", "-0.000000001", "1000000000000", "-1000000000000",
                "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809",
                "123456789012345678901234567890.123456789")) {
            var value = new BigDecimal(number);
            var metrics = Numbered.<MetricState>empty().with(Integer.MAX_VALUE,
                    new MetricState(value, -719_528, new DayBucket(value, true)));
            assertRoundTrip(new UserState(new UserId("u"), Profile.BLANK, true, 5, 4, 3, Long.MAX_VALUE, metrics,
                    Numbered.<PointsState>empty().with(1,
                            new PointsState(Long.MAX_VALUE, Integer.MAX_VALUE - 7, List.of(),
                                    Numbered.<Long>empty().with(1, Long.MAX_VALUE))),
                    Numbered.<Long>empty().with(2, Long.MIN_VALUE), StreakState.NONE, Long.MAX_VALUE));
        }
    }

    private void assertRoundTrip(UserState user) {
        assertEquals(user, codec.decode(codec.encode(user)));
    }

    private static UserState user(String id, Profile profile, StreakState streak) {
        return new UserState(new UserId(id), profile, false, 0, 0, 0, 0, Numbered.empty(), Numbered.empty(),
                Numbered.empty(), streak, 0);
    }

    /** Every field is set, each to something else. */
    private static UserState full() {
        var profile = new Profile("ann@example.org", "Ann", ZoneId.of("Europe/Helsinki"), List.of("token-1", "token-2"),
                true, new TreeMap<>(Map.of("plan", "pro", "club", "A")));
        var metrics = Numbered.<MetricState>empty()
                .with(1, new MetricState(new BigDecimal("-12.5"), 20_516, new DayBucket(new BigDecimal("0.25"), true)))
                .with(300, new MetricState(new BigDecimal("99999999999999999999"), 20_517,
                        new DayBucket(BigDecimal.valueOf(-3), false)));
        var points = Numbered.<PointsState>empty().with(7,
                new PointsState(1234, 58, List.of(new Award(7, 56, 1_772_618_400_000L, 30, 1244, 8, 3),
                        new Award(7, 57, 1_772_704_800_000L, -10, 1234, 9, 3)),
                        Numbered.<Long>empty().with(8, 3L).with(9, 0L)));
        return new UserState(new UserId("swimmer-77"), profile, true, 1_772_618_400_000L, 1_772_618_400_001L,
                1_772_704_800_000L, 42, metrics, points, Numbered.<Long>empty().with(4, 1_772_618_400_000L),
                new StreakState(20_517, 12, 1_772_704_800_000L, true), 1_772_755_200_000L);
    }

    private static byte[] approved(String file) throws IOException {
        try (var in = UserStateCodecTest.class.getResourceAsStream("/stored/" + file)) {
            String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
        }
    }
}
