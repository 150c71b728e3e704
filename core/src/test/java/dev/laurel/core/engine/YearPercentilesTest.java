package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.rules.CalendarYear;
import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.statistics.YearPercentiles;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import org.junit.jupiter.api.Test;

class YearPercentilesTest {

    private static final CalendarYear YEAR = new CalendarYear(2025, DayOfWeek.SUNDAY);
    private static final String RULES = """
        metrics: {laps: {}}
        points: {xp: {triggers: {lap: {type: metric, metric: laps, threshold: 1, points: 2}}}}
        """;

    private final YearPercentiles year = new YearPercentiles(YEAR, 4, true);
    private int laps;
    private int xp;

    /** @param datesAndLaps alternating */
    private void add(String id, String... datesAndLaps) {
        UserSpecification user = given(RULES);
        laps = user.rules().metric("laps").metric().number();
        xp = user.rules().pointsSystem("xp").number();
        for (int i = 0; i < datesAndLaps.length; i += 2) {
            user.event(datesAndLaps[i] + "T10:00:00Z", "laps", datesAndLaps[i + 1]);
        }
        UserState one = user.state();
        UserState named = new UserState(
                new UserId(id),
                one.profile(),
                one.preferences(),
                one.control(),
                one.createdMs(),
                one.updatedMs(),
                one.newestMs(),
                one.sequence(),
                one.rulesVersion(),
                one.metrics(),
                one.sums(),
                one.points(),
                one.completions(),
                one.streak(),
                one.active(),
                one.boosts(),
                one.boostsAnnouncedTo(),
                one.boards(),
                one.lastEventMs(),
                one.messages(),
                one.wakeUpMs());
        year.add(YearPercentiles.sum(named, user.memory(), YEAR));
    }

    private int percentile(String user, Span span, String change) {
        return year.percentile(new UserId(user), laps, span, new BigDecimal(change));
    }

    @Test
    void shouldCountUsersWithAtMostTheSameChange() {
        add("ann", "2025-05-06", "30");
        add("bo", "2025-05-06", "10", "2025-05-07", "10");
        add("cy", "2025-06-01", "0.1", "2025-06-02", "0.2");
        add("di", "2024-05-06", "99", "2026-05-06", "99");

        assertEquals(100, percentile("ann", YEAR.whole(), "30"));
        assertEquals(75, percentile("bo", YEAR.whole(), "20"));
        assertEquals(50, percentile("cy", YEAR.whole(), "0.3"));
        assertEquals(25, percentile("di", YEAR.whole(), "0"));
    }

    @Test
    void shouldCompareWithinMonthsAndWeeks() {
        add("ann", "2025-05-06", "30", "2025-06-01", "1");
        add("bo", "2025-05-06", "10", "2025-05-12", "40");

        assertEquals(50, percentile("ann", YEAR.month(4), "30"));
        assertEquals(100, percentile("ann", YEAR.month(5), "1"));
        assertEquals(100, percentile("ann", YEAR.week(YEAR.weekOf(YEAR.month(4).first() + 5)), "30"));
        assertEquals(100, percentile("ann", YEAR.month(11), "0"), "nobody came to anything");
        assertThrows(IllegalArgumentException.class, () -> percentile("ann", new Span(20_000, 20_000), "0"));
    }

    @Test
    void shouldCompareAsExactlyAsSumsAre() {
        add("ann", "2025-05-06", "0.1", "2025-05-07", "0.2");
        add("bo", "2025-05-06", "0.3");

        assertEquals(100, percentile("ann", YEAR.whole(), "0.3"));
        assertEquals(100, percentile("bo", YEAR.whole(), "0.3"));
    }

    /** The user's own change is the present one, not the one in the sample. */
    @Test
    void shouldUseTheGivenChangeOfTheUser() {
        add("ann", "2025-05-06", "1");
        add("bo", "2025-05-06", "2");
        add("cy", "2025-05-06", "3");

        assertEquals(100, percentile("ann", YEAR.whole(), "4"));
        assertEquals(75, percentile("newcomer", YEAR.whole(), "2.5"));
        assertEquals(25, percentile("newcomer", YEAR.whole(), "-1"));
    }

    @Test
    void shouldComparePointsToo() {
        add("ann", "2025-05-06", "3");
        add("bo", "2025-05-06", "5");

        assertEquals(50, year.percentile(new UserId("ann"), xp, YEAR.whole(), new BigDecimal("6")));
        assertEquals(100, year.percentile(new UserId("bo"), xp, YEAR.whole(), new BigDecimal("10")));
    }

    @Test
    void shouldBeHundredWithoutOtherUsers() {
        assertEquals(100, percentile("ann", YEAR.whole(), "-5"));
    }

    @Test
    void shouldRoundToTheNearestPercent() {
        for (int i = 0; i < 2; i++) {
            add("u" + i, "2025-05-06", "5");
        }
        assertEquals(33, percentile("ann", YEAR.whole(), "1"));
        assertEquals(100, percentile("ann", YEAR.whole(), "5"));
    }

    @Test
    void shouldReportItsWeight() {
        int empty = year.weight();
        add("idle", "2024-05-06", "3");
        int idle = year.weight() - empty;
        add("ann", "2025-05-06", "3");

        assertEquals(1, idle);
        assertEquals(1 + 4 * 2 * 3, year.weight() - empty - idle, "of laps and points, a year, a month and a week");
    }
}
