package dev.laurel.schemas.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AmountsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "0e999",
                "-0",
                "1",
                "-1",
                "1e12",
                "-1e12",
                "1000000000000.000",
                "0.123456789",
                "0.1234567890000",
                "-0.000000001",
                "1000000000000.0000000000000",
                "999999999999.999999999"
            })
    void shouldAcceptExactAmountsWithinBounds(String value) {
        assertNull(Amounts.problemWith(new BigDecimal(value)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e400",
                "-1e400",
                "1000000000001",
                "1000000000000.000000001",
                "-1000000000000.1",
                "1e13",
                "9999999999999",
                "1e2147483647"
            })
    void shouldRefuseAmountsBeyondBounds(String value) {
        assertEquals(
                "must be at least -1000000000000 and at most 1000000000000",
                Amounts.problemWith(new BigDecimal(value)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.1234567891", "1e-10", "-1e-400", "1e-2147483647", "0.00000000010"})
    void shouldRefuseMoreThanNineFractionalDigits(String value) {
        assertEquals("must have at most 9 fractional digits", Amounts.problemWith(new BigDecimal(value)));
    }

    @ParameterizedTest
    @CsvSource({
        "12.0, 12",
        "1e3, 1000",
        "0e999, 0",
        "0.000, 0",
        "-1.500, -1.5",
        "0.123456789000, 0.123456789",
        "1000, 1000",
        "1e12, 1000000000000"
    })
    void shouldGiveEqualNumbersOneForm(String value, String canonical) {
        assertEquals(new BigDecimal(canonical), Amounts.canonical(new BigDecimal(value)));
    }

    /** The sender chooses the exponent, so no check may write the digits out, which would need gigabytes. */
    @Test
    void shouldCheckHugeExponentsWithoutTheirDigits() {
        assertNotNull(Amounts.problemWith(new BigDecimal("7e2000000000")));
        assertNotNull(Amounts.problemWith(new BigDecimal("7e-2000000000")));
        assertTrue(Amounts.canonical(new BigDecimal("0e2000000000")).signum() == 0);
    }

    @ParameterizedTest
    @CsvSource({
        "5, 10, 50",
        "-5, 10, -50",
        "5, -10, 50",
        "-5, -10, -50",
        "15, -10, 150",
        "1, 3, 33.3",
        "0, 7, 0",
        "-2, 3, -66.7"
    })
    void shouldCompareAChangeWithTheSizeOfWhatWasBefore(BigDecimal change, BigDecimal before, BigDecimal percent) {
        assertEquals(percent, Amounts.percent(change, before, 1));
    }

    @Test
    void shouldKnowNoPercentOfNothing() {
        assertNull(Amounts.percent(BigDecimal.TEN, new BigDecimal("0.00"), 1));
    }
}
