package dev.laurel.core.engine;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;

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
    void shouldPutAnEventIntoItsLocalDay() {
        var user = given(RULES);
        user.eventIn("Asia/Tokyo", "2026-03-04T14:59:59Z", "laps", "1");
        user.event("2026-03-04T15:00:00Z", "laps", "2");

        assertEquals(BigDecimal.ONE, user.change("laps", "2026-03-04"));
        assertEquals(BigDecimal.TWO, user.change("laps", "2026-03-05"));
    }

    @Test
    void shouldCountTheDayInTheZoneThatTheEventItselfBrings() {
        var user = given(RULES);
        user.eventIn("Pacific/Kiritimati", "2026-03-04T12:00:00Z", "laps", "1");

        assertEquals(BigDecimal.ONE, user.change("laps", "2026-03-05"));
    }

    @Test
    void shouldUseTheDefaultZoneWhileTheUserHasNone() {
        var user = given("metrics: {laps: {}}\nsettings: {defaultTimeZone: Asia/Tokyo}");
        user.event("2026-03-04T20:00:00Z", "laps", "1");

        assertEquals(BigDecimal.ONE, user.change("laps", "2026-03-05"));
    }

    @Test
    void shouldKeepAnOldDayWhenANewOneBegins() {
        var user = given(RULES);
        user.event("2026-03-04T10:00:00Z", "laps", "1");
        user.event("2026-03-04T11:00:00Z", "laps", "2");
        user.event("2026-03-06T10:00:00Z", "laps", "4");

        assertEquals(BigDecimal.valueOf(3), user.change("laps", "2026-03-04"));
        assertEquals(BigDecimal.ZERO, user.change("laps", "2026-03-05"));
        assertEquals(BigDecimal.valueOf(4), user.change("laps", "2026-03-06"));
    }

    @Test
    void shouldPutALateEventIntoItsOwnDay() {
        var user = given(RULES);
        user.event("2026-03-04T10:00:00Z", "laps", "1");
        user.event("2026-03-06T10:00:00Z", "laps", "4");
        user.event("2026-03-04T09:00:00Z", "laps", "10");
        user.event("2026-03-05T09:00:00Z", "laps", "20");
        user.event("2026-03-04T08:00:00Z", "laps", "100");

        assertEquals(BigDecimal.valueOf(111), user.change("laps", "2026-03-04"));
        assertEquals(BigDecimal.valueOf(20), user.change("laps", "2026-03-05"));
        assertEquals(BigDecimal.valueOf(4), user.change("laps", "2026-03-06"));
        assertEquals(BigDecimal.valueOf(135), user.total("laps"));
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
