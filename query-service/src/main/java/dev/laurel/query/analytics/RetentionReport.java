package dev.laurel.query.analytics;

import dev.laurel.core.analytics.Cohorts;
import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.query.analytics.ReportTable.Columns;
import dev.laurel.query.analytics.ReportTable.ObjectLabel;
import dev.laurel.query.analytics.ReportTable.Series;
import dev.laurel.query.analytics.Window.Period;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The report of how long users stay (docs/analytics.md §2). The users of a cohort were created in the same period; a share is null while
 * the youngest of them could not have reached it.
 */
final class RetentionReport {

    private final ReportInput input;
    private final int object;

    private RetentionReport(ReportInput input) {
        this.input = input;
        this.object = input.metric() == null ? 0 : input.metric().number();
    }

    static ReportTable make(ReportInput input) {
        return ReportTable.of(input.window(), input.groups().stream().map(new RetentionReport(input)::series).toList());
    }

    private Series series(SegmentGroup group) {
        List<Cohort> cohorts = Cohort.of(input, object, group, input.window().periods());
        return new Columns().add("size", cohorts.stream().map(Cohort::size).toList())
                .add("exact", cohorts.stream().map(cohort -> shares(cohort, cohort.active)).toList())
                .add("rolling", cohorts.stream().map(cohort -> shares(cohort, cohort.stayed)).toList())
                .of(group.label(), input.metric() == null
                        ? null
                        : new ObjectLabel("metric", input.metric().key(), input.metric().number()));
    }

    private List<@Nullable BigDecimal> shares(Cohort cohort, long[] users) {
        var shares = new ArrayList<@Nullable BigDecimal>(users.length);
        for (int n = 0; n < users.length; n++) {
            shares.add(cohort.last + n > input.today() ? null : ReportInput.ratio(users[n], cohort.size));
        }
        return shares;
    }

    /**
     * The users who were created in a period.
     *
     * @param last the last day of the period
     * @param active users who were active n days after their first day
     * @param stayed users who were active on that day or later
     */
    record Cohort(int last, long size, long[] active, long[] stayed) {

        /** The cohorts of the periods. @param object the number of a metric; 0: any event counts */
        static List<Cohort> of(ReportInput input, int object, SegmentGroup group, List<Period> periods) {
            if (periods.isEmpty()) {
                return List.of();
            }
            int first = periods.getFirst().first();
            int last = periods.getLast().last();
            long[] created = input.counters().numbers(input.tenant(), Counter.NEW_USERS, 0, group, first, last);
            int origin = Cohorts.active(first, 0);
            long[] cells = input.counters().numbers(input.tenant(), Counter.COHORT, object, group, origin,
                    Cohorts.lastActive(last, Cohorts.LAST_DAY));
            var cohorts = new ArrayList<Cohort>();
            for (Period period : periods) {
                long size = 0;
                var active = new long[Cohorts.LAST_DAY + 1];
                var stayed = new long[Cohorts.LAST_DAY + 1];
                for (int day = period.first(); day <= period.last(); day++) {
                    size += created[day - first];
                    for (int n = 0; n <= Cohorts.LAST_DAY; n++) {
                        active[n] += cells[Cohorts.active(day, n) - origin];
                        stayed[n] += cells[Cohorts.lastActive(day, n) - origin];
                    }
                }
                for (int n = Cohorts.LAST_DAY - 1; n >= 0; n--) {
                    stayed[n] += stayed[n + 1];
                }
                cohorts.add(new Cohort(period.last(), size, active, stayed));
            }
            return cohorts;
        }
    }
}
