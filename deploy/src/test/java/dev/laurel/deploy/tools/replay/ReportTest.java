package dev.laurel.deploy.tools.replay;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.laurel.processors.core.compare.ComparisonTotals;
import dev.laurel.processors.core.compare.UserComparison;
import dev.laurel.processors.core.compare.ComparedUser.Entry;
import dev.laurel.processors.core.compare.ComparedUser.Points;
import dev.laurel.processors.core.compare.ComparedUser.Streak;
import dev.laurel.processors.core.compare.ComparedUser.Total;
import dev.laurel.processors.core.compare.ComparedUser;
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
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Compares reports with approved files; {@code -Dlaurel.approve=true} rewrites them. */
final class ReportTest {

    private static final Path FOLDER = Path.of("src/test/resources/replay");
    private static final String BASE = "https://laurel.dev/v1/schemas/";

    private final ComparisonTotals totals = new ComparisonTotals(4);
    private final List<UserComparison> found = new ArrayList<>();

    @Test
    void shouldPrintTotalsAndLargestDifferences() throws IOException {
        addUsers();
        expect("what-if.txt", text(report("thirty.yaml", true, 2, List.of("The log lacks its first 3 records."))));
    }

    @Test
    void shouldPrintThatNothingDiffers() throws IOException {
        add(UserKey.of("same"), withPoints(80, "minnow", 1), withPoints(80, "minnow", 1));

        expect("same.txt", text(report("the rules of the time", false, 0, List.of())));
    }

    @Test
    void shouldPrintThatThereAreNoUsers() {
        assertEquals("There are no users to compare.", firstLine(report("the rules of the time", false, 0, List.of())));
        assertEquals("No user could be compared.", firstLine(report("thirty.yaml", true, 2, List.of())));
    }

    private static String firstLine(ReplayRun.Report report) {
        return text(report).lines().findFirst().orElseThrow();
    }

    @Test
    void shouldWriteOneCsvLinePerDifference() throws IOException {
        addUsers();
        expect("what-if.csv", written(CsvReport::new, report("thirty.yaml", true, 0, List.of())));
    }

    @Test
    void shouldWriteJsonOfSchema() throws IOException {
        addUsers();
        String json = written(JsonReport::new, report("thirty.yaml", true, 2, List.of("A note.")));

        expect("what-if.json", json);
        var schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
                builder -> builder.schemaIdResolvers(r -> r.mapPrefix(BASE, "classpath:dev/laurel/schemas/json/")))
                .getSchema(SchemaLocation.of(BASE + "replay-report.schema.json"));
        assertEquals(List.of(), schema.validate(json, InputFormat.JSON));
    }

    /** Creates one user of each kind. */
    private void addUsers() {
        add(UserKey.of("same"), withPoints(1_000, null, 0), withPoints(1_000, null, 0));
        add(UserKey.of("swimmer-77"), user(80, "minnow", 1, Map.of(), streak(3, 20), entry(2, "80")),
                user(1_320, "dolphin", 3, Map.of(20, "forty-laps"), streak(5, 18), entry(1, "1320")));
        add(UserKey.of("swimmer-12"), user(90, "minnow", 1, Map.of(), null, entry(1, "90")),
                user(90, "minnow", 1, Map.of(), null, entry(2, "90")));
        add(UserKey.of("swimmer-5"), withPoints(60, "minnow", 1), withPoints(10, null, 0));
        add(new UserKey(new TenantId("club"), new UserId("a, \"quoted\"")), withPoints(0, null, 0),
                user(0, null, 0, Map.of(20, "forty-laps"), streak(1, 22), entry(0, "4.5")));
        add(UserKey.of("gone"), new ComparedUser(
                new TreeMap<>(Map.of(1, new Total("laps-swum", new BigDecimal("4.50")))), new TreeMap<>(),
                new TreeMap<>(), null, new TreeMap<>()), null);
    }

    private void add(UserKey user, ComparedUser before, ComparedUser after) {
        UserComparison comparison = totals.add(user, before, after);
        if (!comparison.isSame()) {
            found.add(comparison);
        }
    }

    private static ComparedUser withPoints(long gems, String level, int height) {
        return user(gems, level, height, Map.of(), null, null);
    }

    private static ComparedUser user(long gems, String level, int height, Map<Integer, String> achievements,
            Streak streak, Entry entry) {
        return new ComparedUser(new TreeMap<>(),
                gems == 0 ? new TreeMap<>() : new TreeMap<>(Map.of(10, new Points("gems", gems, level, height))),
                new TreeMap<>(achievements), streak,
                entry == null ? new TreeMap<>() : new TreeMap<>(Map.of(30, entry)));
    }

    private static Streak streak(int length, int firstDay) {
        return new Streak(length, StreakFrequency.DAILY, LocalDate.of(2026, 11, firstDay),
                LocalDate.of(2026, 11, 23));
    }

    private static Entry entry(int rank, String value) {
        return new Entry("pool-week", List.of("Turku"), rank, new BigDecimal(value));
    }

    private ReplayRun.Report report(String rules, boolean isWhatIf, long notCompared, List<String> notes) {
        return new ReplayRun.Report(rules, isWhatIf, Instant.parse("2026-11-22T10:15:00Z"), 1_234_567,
                Duration.ofMillis(61_700), totals, notCompared,
                notCompared == 0 ? List.of() : List.of("busy-1", "busy-2"), notes);
    }

    private static String text(ReplayRun.Report report) {
        var out = new StringWriter();
        TextReport.print(new PrintWriter(out), report);
        return out.toString();
    }

    private String written(ReportFiles.SinkFactory factory, ReplayRun.Report report) throws IOException {
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
