package dev.laurel.core.analytics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.analytics.Counter.AnswerTimes;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnswerTimesTest {

    private static final int DAY = 20_000;

    private static long[] cells(int days, long... durationsMs) {
        var cells = new long[days * AnswerTimes.CELLS];
        for (int i = 0; i < durationsMs.length; i++) {
            cells[AnswerTimes.cell(DAY + i % days, durationsMs[i]) - AnswerTimes.first(DAY)]++;
        }
        return cells;
    }

    @Test
    void shouldFindEachTimeWithinASixteenth() {
        for (int ms = 0; ms < 1 << 16; ms++) {
            int found = AnswerTimes.percentile(cells(1, ms), 50);

            assertTrue(Math.abs(found - ms) * 16 <= ms, ms + " ms are shown as " + found);
        }
    }

    @Test
    void shouldCountLongerTimesAsTheLongest() {
        assertEquals(
                AnswerTimes.percentile(cells(1, (1 << 16) - 1), 50),
                AnswerTimes.percentile(cells(1, Long.MAX_VALUE), 50));
    }

    @ParameterizedTest
    @CsvSource({"50, 5", "90, 9", "91, 10", "99, 10", "1, 1", "100, 10"})
    void shouldFindTheTimeThatAShareDidNotExceed(int percent, int ms) {
        assertEquals(ms, AnswerTimes.percentile(cells(1, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1), percent));
        assertEquals(ms, AnswerTimes.percentile(cells(3, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1), percent));
    }

    @Test
    void shouldFindNothingWithoutAnswers() {
        assertNull(AnswerTimes.percentile(cells(2), 50));
    }

    @Test
    void shouldHaveAllCellsOfADayInOneBlock() {
        long[] times = new long[AnswerTimes.CELLS];
        Arrays.setAll(times, i -> i * 600L);

        assertTrue(AnswerTimes.CELLS <= CounterBlock.MAX_SIZE);
        for (long time : times) {
            assertEquals(DAY, CounterBlock.blockOf(Counter.WEBHOOK_ANSWERS, AnswerTimes.cell(DAY, time)));
        }
    }
}
