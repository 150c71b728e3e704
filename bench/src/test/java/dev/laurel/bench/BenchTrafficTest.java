package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BenchTrafficTest {
    private static final int EVENTS = 100_000;

    @Test
    void shouldUseAllMetricsEvenlyForEveryUser() {
        var counts = new HashMap<String, Integer>();
        for (int event = 0; event < EVENTS; event++) {
            counts.merge(BenchTraffic.userOf(event, 10) + " " + BenchTraffic.metricOf(event), 1, Integer::sum);
        }

        assertEquals(100, counts.size());
        counts.forEach((pair, count) -> assertTrue(count > 850 && count < 1_150, pair + ": " + count));
    }

    @Test
    void shouldAddAChannelOrAProfileToSomeEvents() {
        int channels = 0;
        int profiles = 0;
        for (int event = 0; event < EVENTS; event++) {
            channels += BenchTraffic.attributesOf(event).isEmpty() ? 0 : 1;
            profiles += BenchTraffic.profileOf(event, "user-7") == null ? 0 : 1;
        }

        assertEquals(0.25, (double) channels / EVENTS, 0.01);
        assertEquals(0.1, (double) profiles / EVENTS, 0.01);
    }

    @Test
    void shouldSeldomChangeTheProfileOfAUser() {
        var profiles = new HashMap<BenchTraffic.Profile, Integer>();
        for (int event = 0; event < EVENTS; event++) {
            BenchTraffic.Profile profile = BenchTraffic.profileOf(event, "user-7");
            if (profile != null) {
                profiles.merge(profile, 1, Integer::sum);
            }
        }

        int all = profiles.values().stream().mapToInt(Integer::intValue).sum();
        int most = profiles.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
        assertTrue(profiles.size() > 1, "nobody moves");
        assertTrue(most > 0.95 * all, profiles.toString());
    }

    @Test
    void shouldHaveUsersOfEveryKind() {
        var plans = new HashSet<Map<String, String>>();
        for (int user = 0; user < 1_000; user++) {
            String name = BenchTraffic.user(user);
            for (int event = 0; event < 100; event++) {
                BenchTraffic.Profile profile = BenchTraffic.profileOf(event, name);
                if (profile != null) {
                    plans.add(profile.attributes());
                }
            }
        }

        assertEquals(10, plans.size());
    }

    @Test
    void shouldSpreadEventsEvenlyOverUsers() {
        var events = new HashMap<String, Integer>();
        for (int event = 0; event < 100_000; event++) {
            events.merge(BenchTraffic.userOf(event, 10), 1, Integer::sum);
        }

        assertEquals(10, events.size());
        assertTrue(events.values().stream().allMatch(count -> count > 9_500 && count < 10_500), events.toString());
    }
}
