package dev.laurel.query.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.rules.CalendarYear;
import dev.laurel.query.read.YearReviews.YearSamples;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class YearSamplesTest {

    private static final CalendarYear YEAR = new CalendarYear(2026, DayOfWeek.MONDAY);

    private final InMemoryUsers users = new InMemoryUsers();

    @BeforeEach
    void addUsers() throws Exception {
        users.rules("2026-01-01T00:00:00Z", "{\"metrics\":{\"laps\":{\"name\":\"Laps\"}}}")
                .event("ann", "laps", 5, "2026-03-01T09:00:00Z")
                .event("bo", "laps", 2, "2026-03-02T09:00:00Z")
                .event("cy", "laps", 1, "2026-03-03T09:00:00Z")
                .identify("di", "", "2026-03-03T09:00:00Z");
    }

    private Optional<Integer> percentile(String user, int laps) {
        int metric = users.newest(TenantId.NONE).metrics().getFirst().number();
        return new YearSamples(users.localNode(), users.clock())
                .percentiles(UserKey.of(user), YEAR)
                .of(metric, YEAR.whole(), BigDecimal.valueOf(laps));
    }

    @Test
    void shouldCompareWithTheUsersOfAllPartitions() {
        assertEquals(Optional.of(100), percentile("ann", 5));
        assertEquals(Optional.of(75), percentile("bo", 2));
        assertEquals(Optional.of(50), percentile("cy", 1));
        assertEquals(Optional.of(25), percentile("di", 0));
    }
}
