package dev.laurel.deploy.e2e;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A season of events, the same for the same seed, with a second and simpler computation of its result. Event {@code
 * i} does not depend on the caller or the order; times advance over the season, up to days out of order.
 */
final class Season {

    static final String RULESET = """
        {"metrics": {"laps": {}},
         "achievements": {"club-200": {"trigger": "metric", "metric": "laps", "value": 200}},
         "points": {
           "gems": {"triggers": {"per-ten": {"type": "metric", "metric": "laps", "threshold": 10, "points": 3}}},
           "capped": {"maxPoints": 100, "triggers": {
             "per-25": {"type": "metric", "metric": "laps", "threshold": 25, "points": 30}}}},
         "streak": {}}
        """;

    private static final List<ZoneId> ZONES = List.of(
            ZoneId.of("UTC"),
            ZoneId.of("Europe/Helsinki"),
            ZoneId.of("America/Los_Angeles"),
            ZoneId.of("Asia/Kolkata"),
            ZoneId.of("Pacific/Auckland"));
    private static final Duration DISORDER = Duration.ofDays(3);

    record Event(int number, String user, ZoneId zone, Instant at, BigDecimal value) {

        /**
         * Returns the event as a record of the log. Its id contains its number, so that the log can be
         * checked event by event.
         */
        String json() {
            return "{\"type\":\"event\",\"metric\":\"laps\",\"value\":" + value.toPlainString() + ",\"eventId\":\""
                    + idOf(number) + "\",\"user\":{\"id\":\"" + user + "\",\"tz\":\"" + zone + "\"}}";
        }

        /** Returns the event as a line of an import file. */
        String line() {
            return "{\"time\":\"" + at + "\"," + json().substring(1);
        }
    }

    private final long seed;
    private final int users;
    private final int events;
    private final Instant end;
    private final Duration length;

    Season(long seed, int users, int events, Instant end, Duration length) {
        this.seed = seed;
        this.users = users;
        this.events = events;
        this.end = end;
        this.length = length;
    }

    int events() {
        return events;
    }

    static String idOf(int number) {
        return "00000000-0000-4000-8000-%012d".formatted(number);
    }

    static int numberOf(String eventId) {
        return Integer.parseInt(eventId.substring(24));
    }

    Event event(int number) {
        var random = new SplittableRandom(seed * 1_000_003 + number);
        int user = random.nextInt(users);
        long passedMs = length.toMillis() * number / events;
        long backMs = random.nextInt(4) == 0 ? random.nextLong(DISORDER.toMillis()) : 0;
        Instant at = end.minus(length).plusMillis(passedMs - backMs);
        // From -2 to 8, mostly with fractions; one in six is negative.
        BigDecimal value = BigDecimal.valueOf(random.nextLong(-2_000, 8_000), random.nextBoolean() ? 3 : 4);
        return new Event(number, "swimmer-" + user, ZONES.get(user % ZONES.size()), at, value);
    }

    /** Returns the expected results of the whole season by user. */
    Map<String, Standing> standings() {
        var standings = new TreeMap<String, Standing>();
        for (int number = 0; number < events; number++) {
            Event event = event(number);
            standings
                    .computeIfAbsent(event.user(), _ -> new Standing(event.zone()))
                    .add(event);
        }
        return standings;
    }

    /** The totals, points and days of one user, computed from the events alone. */
    static final class Standing {
        private final ZoneId zone;
        private final Map<LocalDate, Boolean> metDays = new HashMap<>();
        private BigDecimal total = BigDecimal.ZERO;
        private BigDecimal highest = BigDecimal.ZERO;

        private Standing(ZoneId zone) {
            this.zone = zone;
        }

        private void add(Event event) {
            total = total.add(event.value());
            highest = highest.max(total);
            if (event.value().signum() > 0) {
                metDays.put(event.at().atZone(zone).toLocalDate(), true);
            }
        }

        BigDecimal total() {
            return total;
        }

        long gems() {
            return 3 * timesPassed(10);
        }

        long capped() {
            return Math.min(100, 30 * timesPassed(25));
        }

        boolean isInClub() {
            return highest.compareTo(BigDecimal.valueOf(200)) >= 0;
        }

        private long timesPassed(int threshold) {
            return highest.divide(BigDecimal.valueOf(threshold), 0, RoundingMode.FLOOR)
                    .longValue();
        }

        /** Returns the length of the streak at the end of a day; 0 for a day without events. */
        int lengthOn(LocalDate day) {
            int length = 0;
            for (LocalDate met = day; metDays.containsKey(met); met = met.minusDays(1)) {
                length++;
            }
            return length;
        }

        /** Returns the length today, when the period may still be met. */
        int lengthAsOf(LocalDate today) {
            return metDays.containsKey(today) ? lengthOn(today) : lengthOn(today.minusDays(1));
        }
    }
}
