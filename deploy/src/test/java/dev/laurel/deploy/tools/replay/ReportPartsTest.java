package dev.laurel.deploy.tools.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

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
import dev.laurel.deploy.tools.replay.ReplayReport.Mismatch;
import dev.laurel.deploy.tools.replay.ReplayReport.Verdict;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

final class ReportPartsTest {

    private static final String TOPIC = "laurel.replay-run-g1000000001";

    private final ComparisonTotals totals = new ComparisonTotals(10);
    private final List<UserComparison> users = new ArrayList<>();

    /** Adds a user with a difference of each kind, one who appears and one who disappears. */
    private void addUsers() {
        var swimmer = new UserKey(new TenantId("club"), new UserId("a/\"b\""));
        ComparedUser before = user(
                "4.50",
                new Points("gems", 80, null),
                Map.of(20, "old"),
                null,
                new Entry("pool-week", List.of("Turku"), 2, new BigDecimal("80")));
        ComparedUser after = user(
                "4.75",
                new Points("gems", 1_320, "dolphin"),
                Map.of(21, "forty-laps"),
                new Streak(5, StreakFrequency.WEEKLY, LocalDate.of(2026, 11, 18), LocalDate.of(2026, 11, 23)),
                null);
        users.add(totals.add(swimmer, before, after));
        users.add(totals.add(UserKey.of("new"), null, after));
        users.add(totals.add(UserKey.of("gone"), before, null));
        totals.add(UserKey.of("same"), before, before);
    }

    private static ComparedUser user(
            String laps, Points points, Map<Integer, String> achievements, Streak streak, Entry entry) {
        var values = new TreeMap<Subject, Value>(Map.of(
                new Subject(Kind.USER, 0),
                new Exists(),
                new Subject(Kind.METRIC, 1),
                new Total("laps", new BigDecimal(laps)),
                new Subject(Kind.POINTS, 10),
                points));
        achievements.forEach((number, key) -> values.put(new Subject(Kind.ACHIEVEMENT, number), new Completed(key)));
        if (streak != null) {
            values.put(new Subject(Kind.STREAK, 0), streak);
        }
        if (entry != null) {
            values.put(new Subject(Kind.PLACE, 30), entry);
        }
        return new ComparedUser(values);
    }

    @Test
    void shouldReadUsersAsTheyWereWritten() {
        addUsers();

        assertEquals(users, ReportParts.usersOf(ReportParts.usersToBytes(users)));
    }

    @Test
    void shouldReadSumsAsTheyWereWritten() {
        addUsers();
        var mismatch = new Mismatch("users", 3, UserKey.of("ann"), new byte[] {1, 2}, null, new byte[] {-1});
        byte[] written = new ReportParts.Summary(
                        17,
                        4_200,
                        false,
                        totals.sums(),
                        2,
                        List.of("busy-1", "busy-2"),
                        new Verdict(9, 1, List.of(mismatch), 0))
                .toBytes();

        ReportParts.Summary read = ReportParts.Summary.of(written);

        assertArrayEquals(written, read.toBytes());
        assertEquals(totals.sums(), read.totals());
        assertEquals(List.of("busy-1", "busy-2"), read.examples());
        assertArrayEquals(new byte[] {-1}, read.verdict().first().getFirst().replayed());
        assertNull(read.verdict().first().getFirst().live());
    }

    @Test
    void shouldWriteUsersBeforeSumsAndLargeSumsInPieces() {
        addUsers();
        var producer = new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        var writer = new ReportParts.Writer(producer, TOPIC, 3);
        users.forEach(writer::add);

        ReplayLog.Entry.Part part =
                writer.end(new ReportParts.Summary(1, 1, true, totals.sums(), 0, List.of("x".repeat(1_200_000)), null));

        assertEquals(new ReplayLog.Entry.Part(3, part.attempt(), 0, 4), part);
        String sums = part.attempt() + "-sums";
        assertEquals(
                List.of(part.attempt(), sums, sums, sums),
                producer.history().stream()
                        .map(record -> new String(record.key(), US_ASCII))
                        .toList());
        assertEquals(users, ReportParts.usersOf(producer.history().getFirst().value()));
    }

    @Test
    void shouldAddUpVerdicts() {
        var mismatch = new Mismatch("users", 0, UserKey.of("ann"), new byte[0], null, null);
        var one = new Verdict(10, 1, List.of(mismatch), 1);
        var other = new Verdict(5, 0, List.of(), 0);

        assertEquals(
                new Verdict(15, 1, List.of(mismatch), 1),
                Verdict.NONE.plus(other).plus(one));
    }
}
