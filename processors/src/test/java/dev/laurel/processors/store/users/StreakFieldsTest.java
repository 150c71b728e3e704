package dev.laurel.processors.store.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.rules.Periods;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.StreakState.DaysOff;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.StreakState.Reset;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StreakFieldsTest {

    private static final StreakBlock BLOCK = new StreakBlock(
            -3,
            7,
            9,
            20_500,
            new byte[] {1, 0, 2, (byte) 0xf9, 5},
            List.of(new StreakBlock.Pin(-90, -4), new StreakBlock.Pin(-80, Integer.MIN_VALUE)));

    private static void assertRoundTrip(StreakState streak) throws IOException {
        byte[] bytes = new byte[512];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        StreakFields.write(streak, out);
        CodedInputStream in = CodedInputStream.newInstance(Arrays.copyOf(bytes, bytes.length - out.spaceLeft()));
        in.pushLimit(bytes.length - out.spaceLeft());
        assertEquals(streak, StreakFields.read(in));
        assertEquals(true, in.isAtEnd());
    }

    @Test
    void shouldReadBackWhatWasWritten() throws IOException {
        assertRoundTrip(StreakState.NONE);
        assertRoundTrip(new StreakState(
                new Periods(StreakFrequency.DAILY, DayOfWeek.SUNDAY),
                StreakBlock.EMPTY,
                20_515,
                0,
                12,
                0,
                StreakState.NEVER,
                Integer.MIN_VALUE,
                IntKeyedMap.empty(),
                0,
                20_500,
                20_500,
                StreakState.NEVER,
                null,
                List.of(),
                DaysOff.always(65),
                List.of()));
        assertRoundTrip(new StreakState(
                new Periods(StreakFrequency.MONTHLY, DayOfWeek.MONDAY),
                BLOCK,
                -91,
                10,
                12,
                20_500,
                -5,
                -90,
                IntKeyedMap.<BigDecimal>empty().with(3, new BigDecimal("-0.25")),
                100,
                -1,
                4,
                17,
                ZoneId.of("Pacific/Apia"),
                List.of(
                        new Pause(new UUID(1, 2), 20_520, 20_525, 20_525, false),
                        new Pause(new UUID(3, 4), 20_530, 20_535, 20_529, true)),
                new DaysOff(0, List.of(new DaysOff.Change(-5, 3), new DaysOff.Change(20_500, 126))),
                List.of(new Reset(-1, -5, true), new Reset(20_520, 1_772_618_400_000L, false))));
    }

    @Test
    void shouldReadBackABlock() {
        assertEquals(BLOCK, UserCodecs.STREAK_BLOCK.decode(UserCodecs.STREAK_BLOCK.encode(BLOCK)));
    }

    @Test
    void shouldRefuseAVerdictThatThereIsNot() {
        byte[] bytes = UserCodecs.STREAK_BLOCK.encode(new StreakBlock(1, 0, 0, 0, new byte[] {1}, List.of()));
        bytes[bytes.length - 2] = 7;

        assertThrows(StoredFormatException.class, () -> UserCodecs.STREAK_BLOCK.decode(bytes));
    }

    @Test
    void shouldTakeFewBytesForAnOrdinaryStreak() {
        byte[] month = new byte[30];
        Arrays.fill(month, (byte) 1);

        assertEquals(40, UserCodecs.STREAK_BLOCK.encode(new StreakBlock(641, 31, 31, 20_512, month, List.of())).length);
    }
}
