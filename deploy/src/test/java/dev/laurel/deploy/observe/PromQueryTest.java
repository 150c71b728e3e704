package dev.laurel.deploy.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.observe.PromQuery.Demand;
import dev.laurel.deploy.observe.PromQuery.Selector;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PromQueryTest {

    @Test
    void shouldFindMetricsWithTheirMatchers() {
        PromQuery query =
                PromQuery.parse("sum by (le, route) (rate(a_bucket{method=\"POST\",route=~\"/x/[{]k[}]/(a|b)\"}[5m]))"
                        + " / on (instance) group_left () max_over_time(b_total[1h:5m] offset 1d) > 0.5");

        assertEquals(
                List.of(
                        new Selector(
                                "a_bucket",
                                Map.of(
                                        "method",
                                        new Demand("=", "POST"),
                                        "route",
                                        new Demand("=~", "/x/[{]k[}]/(a|b)"))),
                        new Selector("b_total", Map.of())),
                query.selectors());
        assertEquals(Set.of("le", "route", "instance"), query.grouping());
    }

    @Test
    void shouldFindMetricsBetweenWords() {
        PromQuery query = PromQuery.parse("a / b < 1e9 and c == bool 1 or d{} unless e * 2");

        assertEquals(
                Set.of("a", "b", "c", "d", "e"),
                Set.copyOf(query.selectors().stream().map(Selector::metric).toList()));
    }

    @Test
    void shouldMatchLikePrometheus() {
        assertTrue(new Demand("=~", "5..").admits("503"));
        assertFalse(new Demand("=~", "5.").admits("503"), "the whole value is meant");
        assertTrue(new Demand("!=", "/readyz").admits("/metrics"));
        assertFalse(new Demand("!~", "a|b").admits("b"));
    }

    @Test
    void shouldRefuseInvalidSelectors() {
        assertThrows(IllegalArgumentException.class, () -> PromQuery.parse("a{b}"));
    }
}
