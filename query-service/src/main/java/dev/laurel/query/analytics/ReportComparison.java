package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.LocalDays;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.query.analytics.AnalyticsReads.Span;
import dev.laurel.query.analytics.Window.Period;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The counts of all users of one tenant in two states: the running one, {@code before}, and the result of a replay, {@code after}. The
 * numbers are those of the reports of docs/analytics.md §2.
 *
 * @param span the days that are compared
 * @param periods the first days of the periods
 * @param series in the order of reports
 */
public record ReportComparison(TenantId tenant, Span span, List<LocalDate> periods, List<Series> series) {

    /** The entry of users without a level or an achievement. */
    public static final String NO_ENTRY = ProgressReports.NONE;

    /** The columns that are compared. Others follow from them, name single users, or are not counted from the log. */
    private static final List<Compared> COMPARED = List.of(
            new Compared("points", List.of("awarded", "taken", "usersByLevel")),
            new Compared("achievements", List.of("completions", "usersByHighest")),
            new Compared("streaks", List.of("started", "extended", "lost", "savedByFreezes", "restored")),
            new Compared("active-users", List.of("dau", "newUsers")),
            new Compared("events", List.of("events", "value")));

    /** The only column whose numbers are averages of the days. */
    private static final String AVERAGE = "dau";

    /** What is counted by days, and shows on which days there is something to compare. */
    private static final List<Counter> DATED = List.of(
            Counter.NEW_USERS,
            Counter.ACTIVE,
            Counter.COMPLETIONS,
            Counter.STREAKS_STARTED,
            Counter.STREAKS_EXTENDED,
            Counter.STREAKS_LOST,
            Counter.STREAKS_SAVED,
            Counter.STREAKS_RESTORED,
            Counter.POINTS_AWARDED,
            Counter.POINTS_TAKEN);

    private record Compared(String report, List<String> columns) {}

    /** One of the two states. @param rules under which it is shown */
    public record Side(CompiledRuleset rules, AccountCounters counters) {}

    /**
     * One column of a report, or one entry of a column of present users by level or achievement.
     *
     * @param object the key of the object after, or before if it is only there; empty: the column concerns no single object
     * @param entry the key of the level or achievement, or {@link #NO_ENTRY}; null: the column has a number for each period
     * @param before null: the object does not exist there, as for {@code after}
     */
    public record Series(
            String report,
            String object,
            String column,
            @Nullable String entry,
            @Nullable Figures before,
            @Nullable Figures after) {

        /** Whether both states have the same numbers. An object that does not exist has zeros. */
        public boolean isEqual() {
            return before != null && after != null
                    ? before.equals(after)
                    : (before == null || before.isZero()) && (after == null || after.isZero());
        }
    }

    /**
     * @param total the sum of the days, or their average if the numbers are averages; for present users their number
     * @param numbers of the periods; empty for present users
     */
    public record Figures(BigDecimal total, List<BigDecimal> numbers) {

        public Figures {
            numbers = List.copyOf(numbers);
        }

        private boolean isZero() {
            return total.signum() == 0 && numbers.stream().allMatch(number -> number.signum() == 0);
        }
    }

    /** What a series is about, whatever the keys are. @param entry {@link #PERIODS} if it has a number for each period */
    private record Place(String report, String column, int object, int entry) {

        private static final int PERIODS = -1;
    }

    private record Found(String object, @Nullable String entry, Figures figures) {}

    public ReportComparison {
        periods = List.copyOf(periods);
        series = List.copyOf(series);
    }

    /**
     * Compares all days with counts that both states keep.
     *
     * @param at no later days are compared
     * @return null if nothing is counted
     */
    public static @Nullable ReportComparison of(TenantId tenant, Side before, Side after, Instant at) {
        Window window = windowOf(tenant, before, after, at);
        if (window == null) {
            return null;
        }
        Map<Place, Found> was = found(tenant, before, window);
        Map<Place, Found> is = found(tenant, after, window);
        SequencedSet<Place> places = new LinkedHashSet<>(is.keySet());
        places.addAll(was.keySet());
        return new ReportComparison(
                tenant,
                AnalyticsReads.spanOf(window),
                window.periods().stream()
                        .map(Period::first)
                        .map(LocalDate::ofEpochDay)
                        .toList(),
                places.stream()
                        .map(place -> series(place, was.get(place), is.get(place)))
                        .toList());
    }

    private static Series series(Place place, @Nullable Found before, @Nullable Found after) {
        Found named = after == null ? Objects.requireNonNull(before, "found in one of them") : after;
        return new Series(
                place.report,
                named.object,
                place.column,
                named.entry,
                before == null ? null : before.figures,
                after == null ? null : after.figures);
    }

    private static @Nullable Window windowOf(TenantId tenant, Side before, Side after, Instant at) {
        int[] days = List.of(before, after).stream()
                .flatMapToInt(side -> days(tenant, side.counters))
                .filter(day -> day >= 0)
                .toArray();
        if (days.length == 0) {
            return null;
        }
        int kept = Math.min(
                before.rules.document().settings().analyticsRetentionDays(),
                after.rules.document().settings().analyticsRetentionDays());
        int latest = LocalDays.dayOf(at.toEpochMilli(), ZoneOffset.MAX);
        int to = Math.min(latest, IntStream.of(days).max().orElseThrow());
        int from = Math.clamp(IntStream.of(days).min().orElseThrow(), to - kept + 1, to);
        return Window.readable(from, to, after.rules.document().settings().weekStartsOn());
    }

    /** The first and the last days of all counters. */
    private static IntStream days(TenantId tenant, AccountCounters counters) {
        return DATED.stream()
                .flatMapToInt(counter -> counters.objects(tenant, counter).stream()
                        .flatMapToInt(object -> IntStream.of(
                                counters.firstCell(tenant, counter, object, SegmentGroup.ALL),
                                counters.lastCell(tenant, counter, object, SegmentGroup.ALL))));
    }

    private static Map<Place, Found> found(TenantId tenant, Side side, Window window) {
        var found = new LinkedHashMap<Place, Found>();
        ReportInput input = ReportInput.ofCounters(tenant, side.rules, side.counters, window);
        for (Compared compared : COMPARED) {
            ReportTable table = Objects.requireNonNull(AnalyticsReads.REPORTS.get(compared.report))
                    .make()
                    .apply(input);
            for (ReportTable.Series series : table.series()) {
                for (String column : compared.columns) {
                    add(found, compared.report, column, series, input);
                }
            }
        }
        return found;
    }

    private static void add(
            Map<Place, Found> found, String report, String column, ReportTable.Series series, ReportInput input) {
        String key = series.object() == null ? "" : series.object().key();
        int number = series.object() == null ? 0 : series.object().number();
        switch (series.columns().get(column)) {
            case List<?> numbers ->
                found.put(
                        new Place(report, column, number, Place.PERIODS),
                        new Found(
                                key,
                                null,
                                figures(
                                        column,
                                        numbers.stream()
                                                .map(ReportComparison::exact)
                                                .toList(),
                                        input.window())));
            case Map<?, ?> users -> {
                Map<String, Integer> entries = entriesOf(column, number, input.rules());
                users.forEach((entry, count) -> found.put(
                        new Place(report, column, number, entries.getOrDefault(entry.toString(), 0)),
                        new Found(key, entry.toString(), new Figures(exact(count), List.of()))));
            }
            // The column of another object of this report.
            case null -> {}
            default -> throw new IllegalStateException("the column " + column + " cannot be compared");
        }
    }

    private static BigDecimal exact(@Nullable Object number) {
        return Amounts.canonical(
                number instanceof BigDecimal decimal
                        ? decimal
                        : BigDecimal.valueOf(((Number) Objects.requireNonNull(number)).longValue()));
    }

    private static Figures figures(String column, List<BigDecimal> numbers, Window window) {
        BigDecimal total = BigDecimal.ZERO;
        List<Period> periods = window.periods();
        for (int i = 0; i < numbers.size(); i++) {
            total = total.add(
                    column.equals(AVERAGE)
                            ? numbers.get(i)
                                    .multiply(BigDecimal.valueOf(periods.get(i).days()))
                            : numbers.get(i));
        }
        return new Figures(
                Amounts.canonical(
                        column.equals(AVERAGE)
                                ? total.divide(BigDecimal.valueOf(window.days()), 2, RoundingMode.HALF_UP)
                                : total),
                numbers);
    }

    /** The numbers of levels or achievements by key, which are the same under another key. None has the number 0. */
    private static Map<String, Integer> entriesOf(String column, int object, CompiledRuleset rules) {
        var numbers = new LinkedHashMap<String, Integer>();
        if (column.equals("usersByLevel")) {
            PointsSystem system = rules.pointsSystem(object);
            if (system != null) {
                system.levels().forEach(level -> numbers.put(level.key(), level.number()));
            }
        } else {
            rules.document()
                    .achievements()
                    .forEach(achievement -> numbers.put(achievement.key(), achievement.number()));
        }
        return numbers;
    }

    /** The first series. */
    public ReportComparison first(int limit) {
        return series.size() <= limit ? this : new ReportComparison(tenant, span, periods, series.subList(0, limit));
    }
}
