package dev.laurel.deploy.e2e;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * A second, slow and simple computation of reports of analytics from the events alone (docs/analytics.md §2): it keeps the active days of
 * every user in a set and counts windows and cohorts one by one. Events are added in the order in which the service processes those of
 * a user.
 */
final class ExpectedReports {

    /** The number of days after the creation in which a user is new. */
    private static final int NEW_DAYS = 14;

    private static final int COHORT_DAYS = 91;

    /** Stands for all metrics, and for all users. */
    static final String ALL = "";

    /** @param plan an attribute of the user from then on; null: never set */
    record Event(String user, ZoneId zone, Instant at, String metric, BigDecimal value, String plan) {

        LocalDate day() {
            return at.atZone(zone).toLocalDate();
        }

        String json() {
            String attributes = plan == null ? "" : ",\"attributes\":{\"plan\":\"" + plan + "\"}";
            return "{\"type\":\"event\",\"metric\":\"" + metric + "\",\"value\":" + value.toPlainString()
                    + ",\"user\":{\"id\":\"" + user + "\",\"tz\":\"" + zone + "\"" + attributes + "}}";
        }
    }

    /** Periods of a report: the first day and the last. */
    record Period(LocalDate first, LocalDate last) {}

    private final Map<String, Boolean> control;
    private final Map<String, User> users = new HashMap<>();
    private final Set<String> erased = new HashSet<>();

    /** Counts by segment, metric and day. */
    private final Map<String, Map<String, Counts>> counts = new TreeMap<>();

    private static final class User {

        private final LocalDate firstSeen;
        private final List<String> cohort;

        /** By metric, and of all. */
        private final Map<String, TreeSet<LocalDate>> days = new HashMap<>();

        private final List<Event> events = new ArrayList<>();

        User(LocalDate firstSeen, List<String> cohort) {
            this.firstSeen = firstSeen;
            this.cohort = cohort;
        }

        TreeSet<LocalDate> days(String metric) {
            return days.computeIfAbsent(metric, _ -> new TreeSet<>());
        }
    }

    /** Counts by day. */
    private static final class Counts {

        private final Map<LocalDate, Long> created = new HashMap<>();
        private final Map<LocalDate, Long> active = new HashMap<>();
        private final Map<LocalDate, Long> activeInWeek = new HashMap<>();
        private final Map<LocalDate, Long> activeInMonth = new HashMap<>();
        private final Map<LocalDate, Long> events = new HashMap<>();
        private final Map<LocalDate, BigDecimal> value = new HashMap<>();
        private final Map<LocalDate, Long> newActive = new HashMap<>();
        private final Map<LocalDate, BigDecimal> newValue = new HashMap<>();
    }

    /** @param control by user, whether it is in the control group */
    ExpectedReports(Map<String, Boolean> control) {
        this.control = control;
    }

    /**
     * Events of users who come often at first and more and more rarely, over two years that end now. One in twenty arrives up to four
     * months late.
     */
    static List<Event> events(long seed, int users, int count, Instant end) {
        List<ZoneId> zones = List.of(ZoneId.of("UTC"), ZoneId.of("America/Los_Angeles"), ZoneId.of("Pacific/Auckland"));
        List<String> plans = List.of("free", "pro", "team");
        Duration length = Duration.ofDays(730);
        var random = new SplittableRandom(seed);
        var events = new ArrayList<Event>();
        for (int i = 0; i < count; i++) {
            double now = (double) i / count;
            // Users begin one after the other; the later ones of those who have begun are the more active.
            int begun = Math.max(1, (int) Math.ceil(users * now));
            int user = begun - 1 - (int) (begun * Math.pow(random.nextDouble(), 3));
            long backMs = random.nextInt(20) == 0
                    ? random.nextLong(Duration.ofDays(120).toMillis())
                    : 0;
            Instant at = end.minus(length).plusMillis((long) (length.toMillis() * now) - backMs);
            String plan = user % 4 == 0 ? null : plans.get((user + (now > 0.7 ? 1 : 0)) % plans.size());
            events.add(new Event(
                    "user-" + user,
                    zones.get(user % zones.size()),
                    at,
                    random.nextInt(3) == 0 ? "dives" : "laps",
                    BigDecimal.valueOf(random.nextLong(-500, 4_000), 2),
                    plan));
        }
        return events;
    }

    boolean isControl(String user) {
        return control.get(user);
    }

    void add(Event event) {
        LocalDate day = event.day();
        List<String> segments = List.of(ALL, "control=" + control.get(event.user()), "plan=" + event.plan());
        User user = users.computeIfAbsent(event.user(), _ -> {
            segments.forEach(segment -> add(of(segment, ALL).created, day));
            return new User(day, segments);
        });
        for (String metric : List.of(ALL, event.metric())) {
            boolean isNewDay = !user.days(metric).contains(day);
            for (String segment : segments) {
                Counts to = of(segment, metric);
                boolean isNew = !day.isBefore(user.firstSeen) && day.isBefore(user.firstSeen.plusDays(NEW_DAYS));
                add(to.events, day);
                to.value.merge(day, event.value(), BigDecimal::add);
                if (isNew) {
                    to.newValue.merge(day, event.value(), BigDecimal::add);
                }
                if (isNewDay) {
                    add(to.active, day);
                    if (isNew) {
                        add(to.newActive, day);
                    }
                    addWindows(to.activeInWeek, 7, user.days(metric), day);
                    addWindows(to.activeInMonth, 30, user.days(metric), day);
                }
            }
            user.days(metric).add(day);
        }
        user.events.add(event);
    }

    /** The user is no longer present; what was counted before stays. */
    void erase(String user) {
        erased.add(user);
    }

    boolean isPresent(String user) {
        return !erased.contains(user);
    }

    /** A user of a ranking. */
    record Place(String user, BigDecimal value) {}

    /**
     * The best 100 users by a metric, or by the number of events.
     *
     * @param metric {@link #ALL}: by events
     * @param days only so many days that end with that of {@code now}; 0: all
     */
    List<Place> topUsers(String metric, int days, Instant now) {
        var places = new ArrayList<Place>();
        users.forEach((id, user) -> {
            List<Event> counted = user.events.stream()
                    .filter(event -> metric.equals(ALL) || event.metric().equals(metric))
                    .filter(event -> days == 0 || isInLast(days, event, now))
                    .toList();
            if (isPresent(id) && !counted.isEmpty()) {
                places.add(new Place(
                        id,
                        metric.equals(ALL)
                                ? BigDecimal.valueOf(counted.size())
                                : counted.stream().map(Event::value).reduce(BigDecimal.ZERO, BigDecimal::add)));
            }
        });
        return places.stream()
                .sorted(Comparator.comparing(Place::value).reversed().thenComparing(Place::user))
                .limit(100)
                .toList();
    }

    private static boolean isInLast(int days, Event event, Instant now) {
        LocalDate today = now.atZone(event.zone()).toLocalDate();
        return !event.day().isAfter(today) && event.day().isAfter(today.minusDays(days));
    }

    /** The number of users by the highest of these totals of a metric that they ever had. @param isControl null: of all users */
    Map<Integer, Long> usersByHighest(String metric, List<Integer> totals, Boolean isControl) {
        var users = new TreeMap<Integer, Long>();
        this.users.forEach((id, user) -> {
            if (isPresent(id) && (isControl == null || control.get(id).equals(isControl))) {
                BigDecimal total = BigDecimal.ZERO;
                int highest = 0;
                for (Event event : user.events) {
                    total = event.metric().equals(metric) ? total.add(event.value()) : total;
                    for (int one : totals) {
                        highest = total.compareTo(BigDecimal.valueOf(one)) >= 0 ? Math.max(highest, one) : highest;
                    }
                }
                users.merge(highest, 1L, Long::sum);
            }
        });
        return users;
    }

    /** The scores on a leaderboard of totals. @param hasGroups whether it is divided by plan, so that users without a plan are not on it */
    List<BigDecimal> scores(String metric, boolean hasGroups) {
        return users.entrySet().stream()
                .filter(user -> isPresent(user.getKey()))
                .filter(user -> !hasGroups || user.getValue().events.getLast().plan() != null)
                .map(user -> user.getValue().events.stream()
                        .filter(event -> event.metric().equals(metric))
                        .map(Event::value)
                        .reduce(BigDecimal.ZERO, BigDecimal::add))
                .filter(score -> score.signum() > 0)
                .sorted()
                .toList();
    }

    /** The number of scores in each of 20 ranges of equal width. @param scores the lowest first */
    static List<Long> histogram(List<BigDecimal> scores) {
        var counts = new Long[20];
        Arrays.fill(counts, 0L);
        BigDecimal width = scores.getLast().subtract(scores.getFirst());
        for (BigDecimal score : scores) {
            int range = score.subtract(scores.getFirst())
                    .multiply(BigDecimal.valueOf(counts.length))
                    .divideToIntegralValue(width)
                    .intValue();
            counts[Math.min(range, counts.length - 1)]++;
        }
        return List.of(counts);
    }

    private Counts of(String segment, String metric) {
        return counts.computeIfAbsent(segment, _ -> new HashMap<>()).computeIfAbsent(metric, _ -> new Counts());
    }

    private static void add(Map<LocalDate, Long> to, LocalDate day) {
        to.merge(day, 1L, Long::sum);
    }

    private static void addWindows(Map<LocalDate, Long> to, int length, TreeSet<LocalDate> active, LocalDate day) {
        for (LocalDate end = day; end.isBefore(day.plusDays(length)); end = end.plusDays(1)) {
            if (active.subSet(end.minusDays(length - 1), true, end, true).isEmpty()) {
                add(to, end);
            }
        }
    }

    /** The segments of a division, as this class names them. */
    List<String> segments(String by) {
        return counts.keySet().stream()
                .filter(segment -> by == null ? segment.equals(ALL) : segment.startsWith(by + "="))
                .toList();
    }

    static List<Period> periods(LocalDate from, LocalDate to, String granularity) {
        var periods = new ArrayList<Period>();
        for (LocalDate first = from; !first.isAfter(to); ) {
            LocalDate end = switch (granularity) {
                case "day" -> first;
                case "week" -> first.with(TemporalAdjusters.nextOrSame(DayOfWeek.SATURDAY));
                default -> first.with(TemporalAdjusters.lastDayOfMonth());
            };
            LocalDate last = end.isAfter(to) ? to : end;
            periods.add(new Period(first, last));
            first = last.plusDays(1);
        }
        return periods;
    }

    private static List<LocalDate> days(Period period) {
        return period.first().datesUntil(period.last().plusDays(1)).toList();
    }

    private static BigDecimal sum(Map<LocalDate, ? extends Number> counts, Period period) {
        return days(period).stream()
                .map(day ->
                        counts.containsKey(day) ? new BigDecimal(counts.get(day).toString()) : BigDecimal.ZERO)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal average(Map<LocalDate, Long> counts, Period period) {
        return sum(counts, period).divide(BigDecimal.valueOf(days(period).size()), 2, RoundingMode.HALF_UP);
    }

    /** Null: the denominator is 0. */
    private static BigDecimal ratio(BigDecimal numerator, BigDecimal denominator) {
        return denominator.signum() == 0 ? null : numerator.divide(denominator, 4, RoundingMode.HALF_UP);
    }

    Map<String, List<?>> activeUsers(String segment, List<Period> periods) {
        Counts of = of(segment, ALL);
        var columns = new LinkedHashMap<String, List<?>>();
        columns.put("dau", each(periods, period -> average(of.active, period)));
        columns.put("wau", each(periods, period -> of.activeInWeek.getOrDefault(period.last(), 0L)));
        columns.put("mau", each(periods, period -> of.activeInMonth.getOrDefault(period.last(), 0L)));
        columns.put(
                "stickiness",
                each(
                        periods,
                        period -> ratio(
                                sum(of.active, period),
                                BigDecimal.valueOf(of.activeInMonth.getOrDefault(period.last(), 0L)
                                        * days(period).size()))));
        columns.put("newUsers", each(periods, period -> sum(of.created, period)));
        columns.put(
                "totalUsers",
                each(
                        periods,
                        period -> of.created.entrySet().stream()
                                .filter(day -> !day.getKey().isAfter(period.last()))
                                .mapToLong(Map.Entry::getValue)
                                .sum()));
        return columns;
    }

    Map<String, List<?>> events(String segment, String metric, List<Period> periods) {
        Counts of = of(segment, metric);
        var columns = new LinkedHashMap<String, List<?>>();
        columns.put("events", each(periods, period -> sum(of.events, period)));
        columns.put("value", each(periods, period -> sum(of.value, period)));
        columns.put("activeUsers", each(periods, period -> average(of.active, period)));
        return columns;
    }

    Map<String, List<?>> engagement(String segment, String metric, List<Period> periods) {
        Counts of = of(segment, metric);
        var columns = new LinkedHashMap<String, List<?>>();
        columns.put("engagement", each(periods, period -> ratio(sum(of.value, period), sum(of.active, period))));
        columns.put(
                "earlyEngagement", each(periods, period -> ratio(sum(of.newValue, period), sum(of.newActive, period))));
        return columns;
    }

    /** @param metric {@link #ALL}: any event counts */
    Map<String, List<?>> retention(String segment, String metric, List<Period> periods, LocalDate today) {
        var columns = new LinkedHashMap<String, List<?>>();
        columns.put("size", each(periods, period ->
                (long) cohort(segment, period).size()));
        columns.put(
                "exact",
                each(
                        periods,
                        period -> shares(
                                segment,
                                period,
                                today,
                                (user, n) -> user.days(metric).contains(user.firstSeen.plusDays(n)))));
        columns.put(
                "rolling",
                each(periods, period -> shares(segment, period, today, (user, n) -> isActiveFrom(user, metric, n))));
        return columns;
    }

    private static boolean isActiveFrom(User user, String metric, int n) {
        return user.days(metric).ceiling(user.firstSeen.plusDays(n)) != null;
    }

    private interface Condition {

        boolean holds(User user, int n);
    }

    private List<BigDecimal> shares(String segment, Period period, LocalDate today, Condition condition) {
        List<User> cohort = cohort(segment, period);
        var shares = new ArrayList<BigDecimal>();
        for (int n = 0; n < COHORT_DAYS; n++) {
            int days = n;
            shares.add(
                    period.last().plusDays(n).isAfter(today)
                            ? null
                            : ratio(
                                    BigDecimal.valueOf(cohort.stream()
                                            .filter(user -> condition.holds(user, days))
                                            .count()),
                                    BigDecimal.valueOf(cohort.size())));
        }
        return shares;
    }

    private List<User> cohort(String segment, Period period) {
        return users.values().stream()
                .filter(user -> user.cohort.contains(segment)
                        && !user.firstSeen.isBefore(period.first())
                        && !user.firstSeen.isAfter(period.last()))
                .toList();
    }

    /** The users of one side of the comparison, and those of them who were active {@code n} days later or after that. */
    List<Long> impact(boolean isControl, Period window, int n, LocalDate today) {
        LocalDate last = today.minusDays(n).isBefore(window.last()) ? today.minusDays(n) : window.last();
        List<User> side = cohort("control=" + isControl, new Period(window.first(), last));
        return List.of(
                (long) side.size(),
                side.stream().filter(user -> isActiveFrom(user, ALL, n)).count());
    }

    private static <T> List<T> each(List<Period> periods, Function<Period, T> value) {
        return periods.stream().map(value).toList();
    }
}
