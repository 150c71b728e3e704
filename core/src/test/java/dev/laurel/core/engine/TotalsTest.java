package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class TotalsTest {

    private static final String RULES = "metrics: {laps: {}, litres: {}}";

    @Test
    void shouldHaveOneFormOfEachNumber() {
        var user = given(RULES);
        user.event("2026-03-04T10:00:00Z", "litres", "0.5");
        user.event("2026-03-04T10:01:00Z", "litres", "0.5");

        assertEquals(BigDecimal.ONE, user.total("litres"));
        assertEquals(BigDecimal.ONE, user.change("litres", "2026-03-04"));
    }

    @Test
    void shouldExceedTheRangeOfALong() {
        var user = given(RULES);
        for (int i = 0; i < 20; i++) {
            user.event("2026-03-04T10:00:00Z", "laps", "1000000000000");
        }
        user.event("2026-03-04T10:00:00Z", "laps", "0.000000001");

        assertEquals(new BigDecimal("20000000000000.000000001"), user.total("laps"));
    }

    @Test
    void shouldNotRewindTheNewestTimeByALateEvent() {
        var user = given(RULES);
        var first = user.event("2026-03-06T10:00:00Z", "laps", "4");
        var late = user.event("2026-03-04T10:00:00Z", "laps", "4");

        assertEquals(first.state().newestMs(), late.state().newestMs());
        assertEquals(first.state().createdMs(), late.state().createdMs());
    }
}
