package dev.laurel.deploy.tools.replay;

import dev.laurel.core.compare.ComparisonTotals.Sums;
import dev.laurel.query.analytics.ReportComparison;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Summary of a replay.
 *
 * @param rules replayed rules for people: {@code the rules of the time}, or a file
 * @param isWhatIf whether the rules differ from those of the time, so that differences are expected
 * @param at moment at which both states are shown
 * @param commands number of records read from the log; null: the report is for a tenant, which does not see what all have
 * @param elapsed time for reading them
 * @param counts counts of analytics of both states
 * @param notCompared number of users who had new records in every round
 * @param examplesNotCompared some of them
 * @param notes further remarks
 */
record ReplayReport(
        String rules,
        boolean isWhatIf,
        Instant at,
        @Nullable Long commands,
        Duration elapsed,
        Sums totals,
        Counts counts,
        long notCompared,
        List<String> examplesNotCompared,
        List<String> notes) {

    /** Maximum number of users who are named as not compared. */
    static final int EXAMPLES = 5;
    /** Maximum number of series in a report, about 50 MB; all are counted. */
    static final int MAX_SERIES = 10_000;
    /** Maximum number of reported differing entries; all are counted. */
    static final int MAX_MISMATCHES = 100;

    /**
     * The counts of analytics of both states.
     *
     * @param tenants tenants with counts, with at most {@value #MAX_SERIES} series together
     * @param series number of series of all tenants
     * @param different number of those that differ
     * @param isExact whether both states were at the same place of the log
     */
    record Counts(List<ReportComparison> tenants, long series, long different, boolean isExact) {

        /** The result if no counts are compared. */
        static final Counts NONE = new Counts(List.of(), 0, 0, true);

        /** Returns the number of series that are only counted. */
        long leftOut() {
            return series
                    - tenants.stream()
                            .mapToLong(tenant -> tenant.series().size())
                            .sum();
        }
    }

    /**
     * A differing entry.
     *
     * @param user null: the entry belongs to no user
     * @param live null: missing
     * @param replayed null: missing
     */
    record Mismatch(
            String store,
            int partition,
            @Nullable UserKey user,
            byte[] key,
            byte @Nullable [] live,
            byte @Nullable [] replayed) {}

    /** @param partitions partitions without a conclusive comparison */
    record Verdict(long entries, long mismatches, List<Mismatch> first, int partitions) {

        static final Verdict NONE = new Verdict(0, 0, List.of(), 0);

        /** Adds the verdict of other partitions. */
        Verdict plus(Verdict other) {
            return new Verdict(
                    entries + other.entries,
                    mismatches + other.mismatches,
                    Stream.concat(first.stream(), other.first.stream())
                            .limit(MAX_MISMATCHES)
                            .toList(),
                    partitions + other.partitions);
        }
    }
}
