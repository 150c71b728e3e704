package dev.laurel.deploy.tools.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.compare.ComparedUser;
import dev.laurel.core.compare.ComparedUser.Entry;
import dev.laurel.core.compare.ComparedUser.Exists;
import dev.laurel.core.compare.ComparedUser.Kind;
import dev.laurel.core.compare.ComparedUser.Subject;
import dev.laurel.core.compare.ComparisonTotals;
import dev.laurel.deploy.tools.replay.ReplayReport.Verdict;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.key.UserKey;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class FoldVerificationTest {

    private final ComparisonTotals totals = new ComparisonTotals(4);

    private static ComparedUser ranked(int rank) {
        var entry = new Entry("pool-week", List.of(), rank, BigDecimal.TEN);
        return new ComparedUser(
                new TreeMap<>(Map.of(new Subject(Kind.USER, 0), new Exists(), new Subject(Kind.PLACE, 30), entry)));
    }

    private String report() {
        var report = new ReplayReport(
                "the rules of the time",
                false,
                Instant.EPOCH,
                1L,
                Duration.ofSeconds(1),
                totals.sums(),
                ReplayReport.Counts.NONE,
                0,
                List.of(),
                List.of());
        var out = new StringWriter();
        FoldVerification.report(report, new Verdict(10, 0, List.of(), 0), new PrintWriter(out));
        return out.toString();
    }

    @Test
    void shouldAcceptEqualStates() {
        totals.add(UserKey.of("ida"), ranked(1), ranked(1));

        assertEquals(
                "The running state is the fold of the log: 10 entries of 8 stores are the same, byte for byte.",
                report().strip());
    }

    @Test
    void shouldFailForOtherRanks() {
        totals.add(UserKey.of("ida"), ranked(1), ranked(2));

        assertThrows(CommandFailed.class, this::report);
    }
}
