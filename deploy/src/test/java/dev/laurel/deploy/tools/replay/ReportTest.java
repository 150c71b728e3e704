package dev.laurel.deploy.tools.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.laurel.core.compare.ComparedUser;
import dev.laurel.core.compare.ComparedUser.Completed;
import dev.laurel.core.compare.ComparedUser.Entry;
import dev.laurel.core.compare.ComparedUser.Exists;
import dev.laurel.core.compare.ComparedUser.Kind;
import dev.laurel.core.compare.ComparedUser.Points;
import dev.laurel.core.compare.ComparedUser.Streak;
import dev.laurel.core.compare.ComparedUser.Subject;
import dev.laurel.core.compare.ComparedUser.Total;
import dev.laurel.core.compare.ComparedUser.Value;
import dev.laurel.core.compare.ComparisonTotals;
import dev.laurel.core.compare.UserComparison;
import dev.laurel.deploy.tools.replay.ReplayReport.Counts;
import dev.laurel.query.analytics.AnalyticsReads.Span;
import dev.laurel.query.analytics.ReportComparison;
import dev.laurel.query.analytics.ReportComparison.Figures;
import dev.laurel.query.analytics.ReportComparison.Series;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares reports with approved files; {@code -Dlaurel.approve=true} rewrites them. */
final class ReportTest {

    private static final Path FOLDER = Path.of("src/test/resources/replay");
    private static final Subject USER = new Subject(Kind.USER, 0);
    private static final String BASE = "https://laurel.dev/v1/schemas/";

    private final ComparisonTotals totals = new ComparisonTotals(4);
    private final List<UserComparison> found = new ArrayList<>();
    private Counts counts = Counts.NONE;

    @Test
    void shouldPrintTotalsAndLargestDifferences() throws IOException {
        addUsers();
        counts = ofEachKind();
        expect("what-if.txt", text(report("thirty.yaml", true, 2, List.of("The log lacks its first 3 records."))));
    }

    @Test
    void shouldPrintLargestChangesOfCounts() throws IOException {
        List<Series> changes = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> series("points", "awarded", "p" + i, figures(100, 100), figures(100, 100 + i)))
                .toList();
        counts = counts(counts(TenantId.NONE, changes));

        List<String> shown = text(report("thirty.yaml", true, 0, List.of()))
                .lines()
                .filter(line -> line.startsWith("points awarded"))
                .toList();

        assertEquals(10, shown.size());
        assertEquals(
                List.of("points", "awarded", "of", "p20", "200", "220", "+10", "%"),
                List.of(shown.getFirst().split(" +")));
        assertEquals("points awarded of p11", shown.getLast().substring(0, 21));
    }

    @Test
    void shouldPrintThatNothingDiffers() throws IOException {
        add(UserKey.of("same"), withPoints(80, "minnow"), withPoints(80, "minnow"));
        counts = counts(counts(TenantId.NONE, List.of(series("streaks", "lost", "", figures(3, 4), figures(3, 4)))));

        expect("same.txt", text(report("the rules of the time", false, 0, List.of())));
    }

    @Test
    void shouldPrintThatThereAreNoUsers() {
        assertEquals("There are no users to compare.", firstLine(report("the rules of the time", false, 0, List.of())));
        assertEquals("No user could be compared.", firstLine(report("thirty.yaml", true, 2, List.of())));
    }

    private static String firstLine(ReplayReport report) {
        return text(report).lines().findFirst().orElseThrow();
    }

    @Test
    void shouldWriteOneCsvLinePerDifference() throws IOException {
        addUsers();
        counts = ofEachKind();
        expect("what-if.csv", written(CsvReport::new, report("thirty.yaml", true, 0, List.of())));
    }

    @Test
    void shouldWriteJsonOfSchema() throws IOException {
        addUsers();
        counts = ofEachKind();
        String json = written(JsonReport::new, report("thirty.yaml", true, 2, List.of("A note.")));

        expect("what-if.json", json);
        expectOfSchema(json);
    }

    @Test
    void shouldNotHaveTheSizeOfTheLogForATenant() throws IOException {
        ReplayReport whole = report("thirty.yaml", true, 0, List.of());
        var report = new ReplayReport(
                whole.rules(), true, whole.at(), null, whole.elapsed(), totals.sums(), counts, 0, List.of(), List.of());

        String json = written(JsonReport::new, report);

        assertEquals(written(JsonReport::new, whole).replace("\"records\":1234567,", ""), json);
        expectOfSchema(json);
        assertTrue(text(report).endsWith("\nThe log read in 61.7 s; both states as of 2026-11-22T10:15:00Z.\n"));
    }

    private static void expectOfSchema(String json) {
        var schema = SchemaRegistry.withDefaultDialect(
                        SpecificationVersion.DRAFT_2020_12,
                        builder ->
                                builder.schemaIdResolvers(r -> r.mapPrefix(BASE, "classpath:dev/laurel/schemas/json/")))
                .getSchema(SchemaLocation.of(BASE + "replay-report.schema.json"));
        assertEquals(List.of(), schema.validate(json, InputFormat.JSON));
    }

    /** Creates one user of each kind. */
    private void addUsers() {
        add(UserKey.of("same"), withPoints(1_000, null), withPoints(1_000, null));
        add(
                UserKey.of("swimmer-77"),
                user(80, "minnow", Map.of(), streak(3, 20), entry(2, "80")),
                user(1_320, "dolphin", Map.of(20, "forty-laps"), streak(5, 18), entry(1, "1320")));
        add(
                UserKey.of("swimmer-12"),
                user(90, "minnow", Map.of(), null, entry(1, "90")),
                user(90, "minnow", Map.of(), null, entry(2, "90")));
        add(UserKey.of("swimmer-5"), withPoints(60, "minnow"), withPoints(10, null));
        add(
                new UserKey(new TenantId("club"), new UserId("a, \"quoted\"")),
                withPoints(0, null),
                user(0, null, Map.of(20, "forty-laps"), streak(1, 22), entry(0, "4.5")));
        add(
                UserKey.of("gone"),
                new ComparedUser(new TreeMap<>(Map.of(
                        USER,
                        new Exists(),
                        new Subject(Kind.METRIC, 1),
                        new Total("laps-swum", new BigDecimal("4.50"))))),
                null);
    }

    /** Creates counts of a tenant over two days. */
    private static ReportComparison counts(TenantId tenant, List<Series> series) {
        LocalDate first = LocalDate.of(2026, 11, 20);
        return new ReportComparison(
                tenant, new Span(first, first.plusDays(1), "day"), List.of(first, first.plusDays(1)), series);
    }

    private static Counts counts(ReportComparison... tenants) {
        List<Series> series = Stream.of(tenants)
                .map(ReportComparison::series)
                .flatMap(List::stream)
                .toList();
        return new Counts(
                List.of(tenants),
                series.size(),
                series.stream().filter(one -> !one.isEqual()).count(),
                true);
    }

    /** Creates one series of each kind. */
    private static Counts ofEachKind() {
        ReportComparison single = counts(
                TenantId.NONE,
                List.of(
                        series("points", "awarded", "gems", figures(12_000, 340), figures(18_000, 22)),
                        series("points", "taken", "gems", figures(0, 0), figures(0, 4)),
                        new Series("points", "gems", "usersByLevel", "dolphin", figures(3), figures(5)),
                        new Series("points", "gems", "usersByLevel", "(none)", figures(3), figures(1)),
                        series("achievements", "completions", "forty-laps", null, figures(2, 0)),
                        series("achievements", "completions", "old", figures(7, 1), null),
                        series("achievements", "completions", "unused", null, figures(0, 0)),
                        series("streaks", "lost", "", figures(1, 0), figures(0, 1)),
                        series("events", "value", "laps-swum", figures(1.5, 2), figures(1.5, 2))));
        ReportComparison club = counts(
                new TenantId("club"),
                List.of(
                        series("streaks", "extended", "", figures(4, 4), figures(4, 3)),
                        series("events", "events", "laps-swum", figures(8, 9), figures(8, 0))));
        return counts(single, club);
    }

    private static Series series(String report, String column, String object, Figures before, Figures after) {
        return new Series(report, object, column, null, before, after);
    }

    private static Figures figures(double... days) {
        return days.length == 1
                ? new Figures(exact(days[0]), List.of())
                : new Figures(
                        exact(DoubleStream.of(days).sum()),
                        DoubleStream.of(days).mapToObj(ReportTest::exact).toList());
    }

    private static BigDecimal exact(double number) {
        return new BigDecimal(Double.toString(number).replaceFirst("\\.0$", ""));
    }

    private void add(UserKey user, ComparedUser before, ComparedUser after) {
        UserComparison comparison = totals.add(user, before, after);
        if (!comparison.isSame()) {
            found.add(comparison);
        }
    }

    private static ComparedUser withPoints(long gems, String level) {
        return user(gems, level, Map.of(), null, null);
    }

    private static ComparedUser user(
            long gems, String level, Map<Integer, String> achievements, Streak streak, Entry entry) {
        var values = new TreeMap<Subject, Value>(Map.of(USER, new Exists()));
        if (gems != 0) {
            values.put(new Subject(Kind.POINTS, 10), new Points("gems", gems, level));
        }
        achievements.forEach((number, key) -> values.put(new Subject(Kind.ACHIEVEMENT, number), new Completed(key)));
        if (streak != null) {
            values.put(new Subject(Kind.STREAK, 0), streak);
        }
        if (entry != null) {
            values.put(new Subject(Kind.PLACE, 30), entry);
        }
        return new ComparedUser(values);
    }

    private static Streak streak(int length, int firstDay) {
        return new Streak(length, StreakFrequency.DAILY, LocalDate.of(2026, 11, firstDay), LocalDate.of(2026, 11, 23));
    }

    private static Entry entry(int rank, String value) {
        return new Entry("pool-week", List.of("Turku"), rank, new BigDecimal(value));
    }

    private ReplayReport report(String rules, boolean isWhatIf, long notCompared, List<String> notes) {
        return new ReplayReport(
                rules,
                isWhatIf,
                Instant.parse("2026-11-22T10:15:00Z"),
                1_234_567L,
                Duration.ofMillis(61_700),
                totals.sums(),
                counts,
                notCompared,
                notCompared == 0 ? List.of() : List.of("busy-1", "busy-2"),
                notes);
    }

    private static String text(ReplayReport report) {
        var out = new StringWriter();
        TextReport.print(new PrintWriter(out), report);
        return out.toString();
    }

    private String written(ReportFiles.SinkFactory factory, ReplayReport report) throws IOException {
        var out = new StringWriter();
        try (ReportFiles.Sink sink = factory.create(out)) {
            for (UserComparison comparison : found) {
                sink.add(comparison);
            }
            sink.end(report);
        }
        return out.toString();
    }

    private static void expect(String file, String actual) throws IOException {
        Path path = FOLDER.resolve(file);
        if (Boolean.getBoolean("laurel.approve")) {
            Files.writeString(path, actual);
        }
        assertEquals(Files.readString(path), actual);
    }
}
