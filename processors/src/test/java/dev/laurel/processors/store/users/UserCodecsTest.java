package dev.laurel.processors.store.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.rules.Periods;
import dev.laurel.core.rules.StreakRules.Threshold;
import dev.laurel.core.user.ActiveDays;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.DayBucket.AttributeSums;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.MessageState;
import dev.laurel.core.user.MessageState.SentMessage;
import dev.laurel.core.user.MessageState.SentMessage.CountedMessage;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.MetricState.RecentDays;
import dev.laurel.core.user.MetricState.RecentDays.Block;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.PointsState.AppliedBoost;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.Preferences;
import dev.laurel.core.user.Profile;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.StreakState.DaysOff;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Stored users keep their form. The approved bytes are files in {@code stored/}; a new form needs a new version. */
class UserCodecsTest {

    private final Codec<UserState> codec = UserCodecs.USER;

    @Test
    void shouldWriteTheApprovedBytes() throws IOException {
        assertEquals(
                HexFormat.of().formatHex(approved("user-v9.hex", full())),
                HexFormat.of().formatHex(codec.encode(full())),
                "the stored form has changed: it needs a new version");
    }

    @Test
    void shouldReadTheApprovedBytes() throws IOException {
        assertEquals(full(), codec.decode(approved("user-v9.hex", full())));
    }

    @Test
    void shouldWriteDaysOffAndResetsInTheApprovedBytes() throws IOException {
        byte[] approved = approved("user-v9-days-off.hex", withDaysOff());

        assertEquals(HexFormat.of().formatHex(approved), HexFormat.of().formatHex(codec.encode(withDaysOff())));
        assertEquals(withDaysOff(), codec.decode(approved));
    }

    private static UserState withDaysOff() {
        var preferences = new Preferences(Map.of(), null, null, null, List.of(0, 3), null);
        StreakState streak = StreakState.created(
                        new Periods(StreakFrequency.DAILY, DayOfWeek.SUNDAY),
                        2,
                        20_500,
                        DaysOff.always(65).changedFrom(20_510, 9))
                .withResets(List.of(
                        new StreakState.Reset(20_501, 1_772_000_000_000L, true),
                        new StreakState.Reset(20_512, 1_772_618_400_000L, false)));
        return new UserState(
                new UserId("u"),
                Profile.BLANK,
                preferences,
                false,
                5,
                5,
                5,
                1,
                1,
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                streak,
                ActiveDays.NONE,
                List.of(),
                0,
                IntKeyedMap.empty(),
                UserState.NO_EVENT,
                MessageState.NONE,
                0);
    }

    @Test
    void shouldWriteASignUpDateInTheApprovedBytes() throws IOException {
        byte[] approved = approved("user-v9-sign-up-date.hex", signedUp());

        assertEquals(HexFormat.of().formatHex(approved), HexFormat.of().formatHex(codec.encode(signedUp())));
        assertEquals(signedUp(), codec.decode(approved));
    }

    @Test
    void shouldDecodeAMissingValueAsNull() {
        assertNull(codec.decodeIfPresent(null));
    }

    @Test
    void shouldRefuseOtherVersions() throws IOException {
        byte[] stored = approved("user-v9.hex", full());
        for (int version : new int[] {8, 10, 127, 0, -1}) {
            stored[0] = (byte) version;
            assertThrows(StoredFormatException.class, () -> codec.decode(stored), "version " + version);
        }
    }

    @Test
    void shouldRefuseTruncatedBytes() throws IOException {
        byte[] stored = approved("user-v9.hex", full());
        for (int length = 0; length < stored.length; length++) {
            byte[] cut = Arrays.copyOf(stored, length);
            assertThrows(StoredFormatException.class, () -> codec.decode(cut), length + " bytes");
        }
    }

    @Test
    void shouldRefuseExtraBytes() throws IOException {
        byte[] stored = approved("user-v9.hex", full());

        assertThrows(StoredFormatException.class, () -> codec.decode(Arrays.copyOf(stored, stored.length + 1)));
    }

    @Test
    void shouldRefuseDamagedBytesOrReadThemAsAnotherUser() {
        byte[] stored = codec.encode(full());
        var random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = stored.clone();
            for (int hits = random.nextInt(4); hits >= 0; hits--) {
                damaged[1 + random.nextInt(damaged.length - 1)] = (byte) random.nextInt();
            }
            decodeOrRefuse(damaged);
        }
    }

    /** Any other exception fails the test. */
    private void decodeOrRefuse(byte[] damaged) {
        try {
            codec.decode(damaged);
        } catch (StoredFormatException _) {
            // Expected for most damages.
        }
    }

    @Test
    void shouldReadBackUnusualValues() {
        assertRoundTrip(user("u", Profile.BLANK, StreakState.NONE));
        assertRoundTrip(user(
                "\u0000",
                new Profile(
                        null,
                        "",
                        null,
                        List.of("", "t"),
                        false,
                        LocalDate.of(0, 1, 1),
                        new TreeMap<>(Map.of("", "", "ä/%\n", "\ud83d\ude80"))),
                StreakState.NONE));
        assertRoundTrip(user(
                "x".repeat(255),
                new Profile(
                        "a@b",
                        "n".repeat(255),
                        ZoneId.of("Etc/GMT+12"),
                        List.of(),
                        true,
                        LocalDate.of(9999, 12, 31),
                        new TreeMap<>()),
                StreakState.NONE));
    }

    @Test
    void shouldReadBackNumbersOfAnySize() {
        for (String number : List.of(
                "0",
                "0.1",
                "-0.000000001",
                "1000000000000",
                "-1000000000000",
                "9223372036854775807",
                "-9223372036854775808",
                "9223372036854775808",
                "-9223372036854775809",
                "123456789012345678901234567890.123456789")) {
            var value = new BigDecimal(number);
            var metrics = IntKeyedMap.<MetricState>empty()
                    .with(
                            Integer.MAX_VALUE,
                            new MetricState(
                                    value,
                                    Long.MAX_VALUE,
                                    -719_528,
                                    new DayBucket(value, true, Integer.MAX_VALUE, sums(1, "", value)),
                                    Integer.MIN_VALUE,
                                    new RecentDays(IntKeyedMap.<Block>empty()
                                            .with(RecentDays.blockOf(-719_528), new Block(Integer.MAX_VALUE, value)))));
            assertRoundTrip(new UserState(
                    new UserId("u"),
                    Profile.BLANK,
                    Preferences.NONE,
                    true,
                    5,
                    4,
                    3,
                    Long.MAX_VALUE,
                    Long.MAX_VALUE,
                    metrics,
                    IntKeyedMap.<BigDecimal>empty().with(3, value),
                    IntKeyedMap.<PointsState>empty()
                            .with(
                                    1,
                                    new PointsState(
                                            Long.MAX_VALUE,
                                            8_000_000,
                                            List.of(),
                                            IntKeyedMap.<Long>empty().with(1, Long.MAX_VALUE),
                                            Integer.MAX_VALUE,
                                            Long.MIN_VALUE)),
                    IntKeyedMap.<Long>empty().with(2, Long.MIN_VALUE),
                    StreakState.NONE,
                    new ActiveDays(IntKeyedMap.<String>empty().with(Integer.MAX_VALUE, ""), Integer.MIN_VALUE / 64, -1),
                    List.of(),
                    0,
                    IntKeyedMap.<LeaderboardState>empty()
                            .with(4, new LeaderboardState(-719_528, value, Long.MIN_VALUE))
                            .with(5, new LeaderboardState(Integer.MAX_VALUE, value, Long.MAX_VALUE)),
                    3 - Integer.MAX_VALUE,
                    new MessageState(
                            Integer.MAX_VALUE,
                            -1,
                            Integer.MIN_VALUE + 1,
                            Integer.MAX_VALUE,
                            Long.MIN_VALUE,
                            List.of(Integer.MAX_VALUE),
                            List.of(new SentMessage(
                                    Long.MIN_VALUE,
                                    -1,
                                    new CountedMessage(Integer.MAX_VALUE, 0, Integer.MAX_VALUE),
                                    true,
                                    false,
                                    false))),
                    Long.MAX_VALUE));
        }
    }

    @Test
    void shouldReadBackGroupsOfSpreadLeaderboards() {
        var state = new LeaderboardState(0, BigDecimal.ONE, 5);
        IntKeyedMap<LeaderboardState> boards = IntKeyedMap.<LeaderboardState>empty()
                .with(4, state)
                .with(5, state.inGroup(List.of("Turku", "a/b")))
                .with(6, state.inGroup(List.of("")));
        assertRoundTrip(new UserState(
                new UserId("u"),
                Profile.BLANK,
                Preferences.NONE,
                false,
                0,
                0,
                0,
                0,
                0,
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                StreakState.NONE,
                ActiveDays.NONE,
                List.of(),
                0,
                boards,
                UserState.NO_EVENT,
                MessageState.NONE,
                7));
    }

    private void assertRoundTrip(UserState user) {
        assertEquals(user, codec.decode(codec.encode(user)));
    }

    private static UserState user(String id, Profile profile, StreakState streak) {
        return new UserState(
                new UserId(id),
                profile,
                Preferences.NONE,
                false,
                0,
                0,
                0,
                0,
                0,
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                streak,
                ActiveDays.NONE,
                List.of(),
                0,
                IntKeyedMap.empty(),
                UserState.NO_EVENT,
                MessageState.NONE,
                0);
    }

    private static UserState signedUp() {
        return user(
                "swimmer-77",
                new Profile(
                        null,
                        null,
                        ZoneId.of("UTC"),
                        List.of("token-1"),
                        null,
                        LocalDate.of(2024, 2, 29),
                        new TreeMap<>()),
                StreakState.NONE);
    }

    /** A user with a distinct value in every field but the sign-up date. */
    private static UserState full() {
        var profile = new Profile(
                "ann@example.org",
                "Ann",
                ZoneId.of("Europe/Helsinki"),
                List.of("token-1", "token-2"),
                true,
                null,
                new TreeMap<>(Map.of("plan", "pro", "club", "A")));
        var metrics = IntKeyedMap.<MetricState>empty()
                .with(
                        1,
                        new MetricState(
                                new BigDecimal("-12.5"),
                                1_000,
                                20_516,
                                new DayBucket(
                                        new BigDecimal("0.25"), true, 77, sums(302, "Turku", new BigDecimal("0.25"))),
                                20_001,
                                new RecentDays(IntKeyedMap.<Block>empty()
                                        .with(1_365, new Block(3, BigDecimal.ZERO))
                                        .with(1_367, new Block(80, new BigDecimal("2.25"))))))
                .with(
                        300,
                        new MetricState(
                                new BigDecimal("99999999999999999999"),
                                2,
                                20_517,
                                new DayBucket(BigDecimal.valueOf(-3), false, 1, AttributeSums.NONE),
                                MetricState.NEVER,
                                RecentDays.NONE));
        var boost = new UserBoost(
                new UUID(1, 2),
                7,
                "Comeback",
                20_500,
                20_530,
                new BigDecimal("1.5"),
                Rounding.NEAREST,
                1_772_618_400_000L);
        var points = IntKeyedMap.<PointsState>empty()
                .with(
                        7,
                        new PointsState(
                                1234,
                                58,
                                List.of(
                                        new Award(7, 56, 1_772_618_400_000L, 34, 1200, 8, 2, List.of()),
                                        new Award(
                                                7,
                                                57,
                                                1_772_704_800_000L,
                                                34,
                                                1234,
                                                9,
                                                3,
                                                List.of(
                                                        new AppliedBoost.OfRuleset(12),
                                                        new AppliedBoost.OfUser(boost)))),
                                IntKeyedMap.<Long>empty().with(8, 3L).with(9, 0L),
                                20_517,
                                34));
        var preferences = new Preferences(
                Map.of(
                        NotificationType.RECAP,
                        Set.of(NotificationChannel.EMAIL),
                        NotificationType.STREAK_REMINDER,
                        Set.of()),
                true,
                EvaluationMode.AND,
                List.of(new Threshold(1, new BigDecimal("2.5"))),
                null,
                Visibility.ANONYMOUS);
        return new UserState(
                new UserId("swimmer-77"),
                profile,
                preferences,
                true,
                1_772_618_400_000L,
                1_772_618_400_001L,
                1_772_704_800_000L,
                42,
                6,
                metrics,
                IntKeyedMap.<BigDecimal>empty().with(5, new BigDecimal("7.25")),
                points,
                IntKeyedMap.<Long>empty().with(4, 1_772_618_400_000L),
                streak(),
                new ActiveDays(IntKeyedMap.<String>empty().with(6, "pro"), 320, 0x8000_0000_0000_0005L),
                List.of(boost),
                20_525,
                IntKeyedMap.<LeaderboardState>empty()
                        .with(10, new LeaderboardState(0, new BigDecimal("-12.5"), 1_772_704_800_000L))
                        .with(
                                301,
                                new LeaderboardState(
                                        20_513, new BigDecimal("99999999999999999999.5"), 1_772_618_400_000L)),
                1_772_700_000_000L,
                new MessageState(
                        3,
                        2_919,
                        20_510,
                        20_509,
                        1_772_730_000_000L,
                        List.of(4, 305),
                        List.of(
                                new SentMessage(
                                        0x0123_4567_89ab_cdefL,
                                        1_772_700_000_000L,
                                        new CountedMessage(20_517, 303, 0),
                                        true,
                                        true,
                                        false),
                                new SentMessage(
                                        -1, 1_772_704_800_000L, new CountedMessage(20_516, 3, 4), false, false, true))),
                1_772_755_200_000L);
    }

    private static AttributeSums sums(int attribute, String text, BigDecimal sum) {
        return new AttributeSums(
                IntKeyedMap.<SortedMap<String, BigDecimal>>empty().with(attribute, new TreeMap<>(Map.of(text, sum))),
                false);
    }

    private static StreakState streak() {
        var block = new StreakBlock(
                91,
                3,
                9,
                2_890 * 7,
                new byte[] {1, 17, 2, 3, 4, 0, 41},
                List.of(new StreakBlock.Pin(2_916, 5), new StreakBlock.Pin(2_917, Integer.MIN_VALUE)));
        return new StreakState(
                new Periods(StreakFrequency.WEEKLY, DayOfWeek.MONDAY),
                block,
                2_917,
                7,
                12,
                20_400,
                1_772_704_800_000L,
                2_918,
                IntKeyedMap.<BigDecimal>empty().with(1, new BigDecimal("3.5")),
                2,
                20_100,
                20_501,
                1_772_600_000_000L,
                ZoneId.of("Asia/Tokyo"),
                List.of(
                        new Pause(new UUID(3, 4), 20_530, 20_540, 20_540, false),
                        new Pause(new UUID(5, 6), 20_550, 20_560, 20_549, true)),
                DaysOff.NONE,
                List.of());
    }

    private static byte[] approved(String file, UserState user) throws IOException {
        if (Boolean.getBoolean("laurel.approve")) {
            String hex = HexFormat.of().formatHex(UserCodecs.USER.encode(user));
            Files.writeString(Path.of("src/test/resources/stored", file), hex.replaceAll(".{64}", "$0\n") + "\n");
        }
        return stored(file);
    }

    static byte[] stored(String file) throws IOException {
        try (var in = UserCodecsTest.class.getResourceAsStream("/stored/" + file)) {
            String hex = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
        }
    }
}
