package dev.laurel.core.engine;

import static dev.laurel.core.engine.UserSpecification.day;
import static dev.laurel.core.engine.UserSpecification.eventOf;
import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.DayBucket.AttributeSums;
import dev.laurel.core.user.MetricState;
import dev.laurel.schemas.command.Command.RecordEvent;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The sums of a day, in the state and, once a newer day has begun, in the history. */
class DayBucketsTest {

    private static final String RULES = """
        attributes: {event: {city: {}, style: {}}}
        metrics: {laps: {}}
        """;

    private final UserSpecification user = given(RULES);

    private void swim(String at, String value, Map<String, String> attributes) {
        user.applied(
                at,
                new RecordEvent(eventOf("laps", value).user(), "laps", new BigDecimal(value), attributes, null, null));
    }

    private MetricState newest() {
        return user.state().metrics().valueAt(0);
    }

    private DayBucket bucket(String date) {
        return newest().day() == day(date)
                ? newest().bucket()
                : user.memory().day(user.state().metrics().numberAt(0), day(date));
    }

    /** @param attribute its key */
    private SortedMap<String, BigDecimal> sums(String date, String attribute) {
        return bucket(date).attributes().values().get(user.rules().eventAttribute(attribute));
    }

    private static Map<String, BigDecimal> values(Object... keysAndNumbers) {
        var values = new TreeMap<String, BigDecimal>();
        for (int i = 0; i < keysAndNumbers.length; i += 2) {
            values.put((String) keysAndNumbers[i], new BigDecimal((String) keysAndNumbers[i + 1]));
        }
        return values;
    }

    @Test
    void shouldCountEveryEventOfADayWhateverItsValue() {
        user.event("2026-03-01T10:00:00Z", "laps", "2");
        user.event("2026-03-01T11:00:00Z", "laps", "0");
        user.event("2026-03-01T12:00:00Z", "laps", "-3");
        user.event("2026-03-02T10:00:00Z", "laps", "1");

        assertEquals(3, bucket("2026-03-01").events());
        assertEquals(1, bucket("2026-03-02").events());
    }

    @Test
    void shouldCountALateEventOnItsOwnDay() {
        user.event("2026-03-03T10:00:00Z", "laps", "1");
        user.event("2026-03-01T10:00:00Z", "laps", "1");
        user.event("2026-03-01T11:00:00Z", "laps", "1");

        assertEquals(2, bucket("2026-03-01").events());
        assertEquals(1, bucket("2026-03-03").events());
    }

    @Test
    void shouldAddUpByTheValuesOfAttributes() {
        swim("2026-03-01T10:00:00Z", "2.5", Map.of("city", "Turku", "style", "crawl"));
        swim("2026-03-01T11:00:00Z", "0.5", Map.of("city", "Turku", "style", "back"));
        swim("2026-03-01T12:00:00Z", "4", Map.of("city", "Oulu"));
        swim("2026-03-01T13:00:00Z", "8", Map.of());

        assertEquals(values("Oulu", "4", "Turku", "3"), sums("2026-03-01", "city"));
        assertEquals(values("back", "0.5", "crawl", "2.5"), sums("2026-03-01", "style"));
        assertEquals(new BigDecimal("15"), bucket("2026-03-01").change());
    }

    @Test
    void shouldKeepTheSumsByAttributeWithTheirDay() {
        swim("2026-03-01T10:00:00Z", "2", Map.of("city", "Turku"));
        swim("2026-03-02T10:00:00Z", "5", Map.of());
        swim("2026-03-01T11:00:00Z", "1", Map.of("city", "Oulu"));

        assertEquals(values("Oulu", "1", "Turku", "2"), sums("2026-03-01", "city"));
        assertSame(AttributeSums.NONE, bucket("2026-03-02").attributes());
        assertFalse(bucket("2026-03-01").attributes().isTruncated());
    }

    @Test
    void shouldRecordTheFirstDayWithAttributes() {
        swim("2026-03-02T10:00:00Z", "1", Map.of());
        assertEquals(MetricState.NEVER, newest().attributedFrom());

        swim("2026-03-03T10:00:00Z", "1", Map.of("city", "Turku"));
        assertEquals(day("2026-03-03"), newest().attributedFrom());

        swim("2026-03-01T10:00:00Z", "1", Map.of("city", "Turku"));
        swim("2026-03-04T10:00:00Z", "1", Map.of("city", "Turku"));
        assertEquals(day("2026-03-01"), newest().attributedFrom());
    }

    @Test
    void shouldLimitTheNumberOfValuesOfADay() {
        for (int i = 0; i <= AttributeSums.MAX_VALUES; i++) {
            swim("2026-03-01T10:00:00Z", "1", Map.of("city", "c" + i));
        }
        swim("2026-03-01T11:00:00Z", "1", Map.of("city", "c0", "style", "crawl"));

        assertTrue(bucket("2026-03-01").attributes().isTruncated());
        assertEquals(AttributeSums.MAX_VALUES, sums("2026-03-01", "city").size());
        assertEquals(new BigDecimal("2"), sums("2026-03-01", "city").get("c0"));
        assertEquals(null, sums("2026-03-01", "city").get("c" + AttributeSums.MAX_VALUES));
        assertEquals(values("crawl", "1"), sums("2026-03-01", "style"), "another attribute has values of its own");
        assertEquals(
                BigDecimal.valueOf(AttributeSums.MAX_VALUES + 2),
                bucket("2026-03-01").change());
    }

    @Test
    void shouldNotLetLongValuesFillTheState() {
        swim("2026-03-01T10:00:00Z", "1", Map.of("city", "x".repeat(4_000)));
        assertTrue(bucket("2026-03-01").attributes().isTruncated());
        swim("2026-03-01T10:00:00Z", "1", Map.of("city", "y".repeat(1_500), "style", "z".repeat(1_500)));
        swim("2026-03-01T10:00:00Z", "1", Map.of("city", "Turku"));

        assertEquals(values("Turku", "1", "y".repeat(1_500), "1"), sums("2026-03-01", "city"));
        assertEquals(null, sums("2026-03-01", "style"));
    }

    @Test
    void shouldFillUpIndependentlyOfTheOrderOfAttributes() {
        var one = new HashMap<String, String>();
        for (String key : new String[] {"city", "style"}) {
            one.put(key, key.charAt(0) + "x".repeat(1_200));
        }
        swim("2026-03-01T10:00:00Z", "1", one);

        assertTrue(user.rules().eventAttribute("city") < user.rules().eventAttribute("style"));
        assertEquals(1, sums("2026-03-01", "city").size());
        assertEquals(null, sums("2026-03-01", "style"));
    }
}
