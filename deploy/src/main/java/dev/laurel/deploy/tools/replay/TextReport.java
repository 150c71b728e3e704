package dev.laurel.deploy.tools.replay;

import dev.laurel.core.compare.ComparedUser.Entry;
import dev.laurel.core.compare.ComparedUser.Streak;
import dev.laurel.core.compare.ComparisonTotals.StreakMoves;
import dev.laurel.core.compare.ComparisonTotals;
import dev.laurel.core.compare.UserComparison.Difference;
import dev.laurel.core.compare.UserComparison;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.deploy.tools.replay.ReplayReport.Counts;
import dev.laurel.query.analytics.ReportComparison.Figures;
import dev.laurel.query.analytics.ReportComparison.Series;
import dev.laurel.query.analytics.ReportComparison;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The report for people: the summary, then totals, then the users with the largest differences. */
final class TextReport {

    private static final String NONE = "-";
    private static final int MAX_COUNTS_SHOWN = 10;

    private final PrintWriter out;
    private final ReplayReport report;
    private final ComparisonTotals totals;

    private TextReport(PrintWriter out, ReplayReport report) {
        this.out = out;
        this.report = report;
        this.totals = report.totals();
    }

    static void print(PrintWriter out, ReplayReport report) {
        new TextReport(out, report).print();
        out.flush();
    }

    private void print() {
        headline();
        if (totals.different() + totals.overtaken() > 0) {
            totals();
        }
        counts();
        if (totals.different() > 0) {
            largest();
        }
        out.println();
        Long commands = report.commands();
        double seconds = report.elapsed().toMillis() / 1000.0;
        out.println(commands == null
                ? text("The log read in %.1f s; both states as of %s.", seconds, report.at())
                : text("%,d records of the log read in %.1f s (%,d/s); both states as of %s.", commands, seconds,
                        perSecond(commands), report.at()));
        report.notes().forEach(out::println);
        if (report.notCompared() > 0) {
            out.println(text("NOT COMPARED: %s with new events in every round (%s). Run it again, or with --user.",
                    users(report.notCompared()), String.join(", ", report.examplesNotCompared())));
        }
    }

    private void headline() {
        if (totals.users() == 0) {
            out.println(report.notCompared() > 0 ? "No user could be compared." : "There are no users to compare.");
            return;
        }
        if (totals.different() + totals.overtaken() == 0) {
            out.println(text(report.isWhatIf()
                    ? "None of %,d users would have anything different."
                    : "None of %,d users differs from what the log says.", totals.users()));
            return;
        }
        out.println(text("%,d of %,d users %s.", totals.different(), totals.users(),
                report.isWhatIf() ? "would have something different" : "differ from what the log says"));
        if (totals.overtaken() > 0) {
            out.println(text("%,d more only %s another rank, because of others.", totals.overtaken(),
                    totals.overtaken() == 1 ? "has" : "have"));
        }
        if (totals.appeared() > 0) {
            out.println(usersExist(totals.appeared()) + " only in the replay.");
        }
        if (totals.disappeared() > 0) {
            out.println(usersExist(totals.disappeared()) + " only now, not in the replay.");
        }
    }

    private String then() {
        return report.isWhatIf() ? "then" : "replayed";
    }

    private void totals() {
        // The headline covers a single tenant.
        var tenants = TextTable.under("tenant", " users", " different", " only other rank");
        totals.tenants().forEach((tenant, users) -> tenants.row(tenant.isEmpty() ? NONE : tenant, count(users.users()),
                count(users.different()), count(users.overtaken())));
        print(tenants, totals.tenants().size() > 1);
        var points = TextTable.under("points of all users", " now", " " + then(), " change", " users");
        totals.points().forEach((system, sums) -> points.row(system.text(), count(sums.before()), count(sums.after()),
                change(BigDecimal.valueOf(sums.after() - sums.before())), count(sums.users())));
        print(points, !totals.points().isEmpty());
        var levels = TextTable.under("level", "now", then(), " users");
        totals.levelMoves().forEach(move -> levels.row(move.system().text(), orNone(move.from()), orNone(move.to()),
                count(move.users())));
        if (totals.otherLevelMoves() > 0) {
            levels.row("others", "", "", count(totals.otherLevelMoves()));
        }
        print(levels, !totals.levelMoves().isEmpty());
        var achievements = TextTable.under("achievement", " gained", " lost");
        totals.achievements().forEach((achievement, users) -> achievements.row(achievement.text(),
                count(users.gained()), count(users.lost())));
        print(achievements, !totals.achievements().isEmpty());
        streaks();
        var boards = TextTable.under("leaderboard", " entered", " left", " other value", " only other rank");
        totals.entries().forEach((board, moves) -> boards.row(board.text(), count(moves.entered()), count(moves.left()),
                count(moves.otherValue()), count(moves.onlyRank())));
        print(boards, !totals.entries().isEmpty());
        var metrics = TextTable.under("metric", " now", " " + then(), " change", " users");
        totals.metrics().forEach((metric, sums) -> metrics.row(metric.text(), number(sums.before()),
                number(sums.after()), change(sums.after().subtract(sums.before())), count(sums.users())));
        print(metrics, !totals.metrics().isEmpty());
    }

    private void print(TextTable table, boolean hasRows) {
        if (hasRows) {
            out.println();
            out.print(table.text());
        }
    }

    private void streaks() {
        StreakMoves moves = totals.streaks();
        var parts = new ArrayList<String>();
        addPart(parts, moves.begun(), "begun");
        addPart(parts, moves.gone(), "gone");
        addPart(parts, moves.longer(), "longer");
        addPart(parts, moves.shorter(), "shorter");
        addPart(parts, moves.moved(), "as long, on other days");
        if (!parts.isEmpty()) {
            out.println();
            out.println("streaks: " + String.join(", ", parts));
        }
    }

    private static void addPart(List<String> parts, long count, String what) {
        if (count > 0) {
            parts.add(text("%,d %s", count, what));
        }
    }

    private void counts() {
        Counts counts = report.counts();
        if (counts.series() == 0) {
            return;
        }
        out.println();
        if (counts.different() == 0) {
            out.println(text("All %,d series of counts are equal, %s.", counts.series(), days(counts)));
            return;
        }
        List<CountDifference> rows = counts.tenants().stream()
                .flatMap(tenant -> tenant.series().stream().filter(series -> !series.isEqual())
                        .map(series -> new CountDifference(tenant.tenant(), series)))
                .sorted(CountDifference.LARGEST_FIRST).limit(MAX_COUNTS_SHOWN).toList();
        var table = TextTable.under("counts", " now", " " + then(), " change");
        rows.forEach(row -> table.row(row.name(), figure(row.series().before()), figure(row.series().after()),
                row.change()));
        out.print(rows.isEmpty() ? "" : table.text()); // Those that differ may all be left out.
        out.println(text("%,d of %,d series of counts differ, %s%s.", counts.different(), counts.series(), days(counts),
                counts.different() > rows.size()
                        ? text(": the %,d largest changes; --json and --csv write all", rows.size())
                        : ""));
    }

    /** Returns the days that are compared, of all tenants together. */
    private static String days(Counts counts) {
        LocalDate from = counts.tenants().stream().map(tenant -> tenant.span().from()).min(Comparator.naturalOrder())
                .orElseThrow();
        LocalDate to = counts.tenants().stream().map(tenant -> tenant.span().to()).max(Comparator.naturalOrder())
                .orElseThrow();
        return from + " to " + to;
    }

    private static String figure(@Nullable Figures figures) {
        return figures == null ? NONE : number(figures.total());
    }

    private void largest() {
        List<UserComparison> largest = totals.largest();
        if (largest.isEmpty()) {
            return;
        }
        long all = totals.different() + totals.overtaken();
        var table = TextTable.under("user", "what", "now", then());
        for (UserComparison user : largest) {
            String name = user.user().text();
            for (Difference difference : user.differences()) {
                add(table, name, difference);
                name = "";
            }
        }
        out.println();
        out.println(largest.size() == all
                ? text("all %s, the largest differences first:", users(all))
                : text("%,d of %s, the largest differences first:", largest.size(), users(all)));
        out.print(table.text());
    }

    private static void add(TextTable table, String user, Difference difference) {
        switch (difference) {
            case Difference.UserAppears() -> table.row(user, "user", NONE, "exists");
            case Difference.UserDisappears() -> table.row(user, "user", "exists", NONE);
            case Difference.PointsDiffer it -> table.row(user, it.system(), points(it.before(), it.levelBefore()),
                    points(it.after(), it.levelAfter()));
            case Difference.AchievementGained(String key) -> table.row(user, key, NONE, "achieved");
            case Difference.AchievementLost(String key) -> table.row(user, key, "achieved", NONE);
            case Difference.StreakDiffers it -> table.row(user, "streak", streak(it.before()), streak(it.after()));
            case Difference.EntryDiffers it -> table.row(user, it.leaderboard(), entry(it.before()), entry(it.after()));
            case Difference.MetricDiffers(String metric, BigDecimal before, BigDecimal after) ->
                table.row(user, metric, number(before), number(after));
        }
    }

    private static String points(long total, @Nullable String level) {
        return count(total) + (level == null ? "" : " (" + level + ")");
    }

    private static String streak(@Nullable Streak streak) {
        if (streak == null) {
            return NONE;
        }
        String unit = switch (streak.frequency()) {
            case DAILY -> "day";
            case WEEKLY -> "week";
            case MONTHLY -> "month";
        };
        return text("%,d %s%s since %s", streak.length(), unit, streak.length() == 1 ? "" : "s", streak.started());
    }

    private static String entry(@Nullable Entry entry) {
        if (entry == null) {
            return NONE;
        }
        String group = entry.group().isEmpty() ? "" : " in " + String.join(", ", entry.group());
        String rank = entry.isRanked() ? text("%,d.", entry.rank()) : "no rank,";
        return rank + " with " + number(entry.value()) + group;
    }

    private static String orNone(@Nullable String text) {
        return text == null ? NONE : text;
    }

    private static String users(long count) {
        return text("%,d %s", count, count == 1 ? "user" : "users");
    }

    private static String usersExist(long count) {
        return users(count) + (count == 1 ? " exists" : " exist");
    }

    private static String count(long count) {
        return text("%,d", count);
    }

    private static String number(BigDecimal number) {
        return text("%,." + Math.max(0, number.stripTrailingZeros().scale()) + "f", number);
    }

    static String change(BigDecimal change) {
        return change.signum() > 0 ? "+" + number(change) : number(change);
    }

    private long perSecond(long commands) {
        return report.elapsed().isZero() ? 0 : Math.round(commands * 1e9 / report.elapsed().toNanos());
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** A series of counts that differs, as told to people. */
    private record CountDifference(TenantId tenant, Series series) {

        /** By the difference as a share of the larger total, so that what exists in one state only comes first. */
        static final Comparator<CountDifference> LARGEST_FIRST = Comparator.comparing(CountDifference::share)
                .thenComparing(CountDifference::size).reversed().thenComparing(CountDifference::name);

        private static final int SHARE_DIGITS = 4;

        /** Returns what is counted; objects of a tenant are written {@code tenant/key}. */
        String name() {
            String key = series.object().isEmpty() ? tenant.value() : UserKey.prefixOf(tenant) + series.object();
            String of = key.isEmpty() ? "" : " of " + key;
            return switch (series.report() + "." + series.column()) {
                case "points.awarded" -> "points awarded" + of;
                case "points.taken" -> "points taken" + of;
                case "points.usersByLevel" -> "users at " + entry("level") + of;
                case "achievements.completions" -> "completions" + of;
                case "achievements.usersByHighest" -> "users at " + entry("achievement") + of;
                case "streaks.savedByFreezes" -> "streaks saved by freezes" + of;
                case "active-users.dau" -> "active users a day" + of;
                case "active-users.newUsers" -> "new users" + of;
                case "events.events" -> "events" + of;
                case "events.value" -> "value of events" + of;
                default -> series.report() + " " + series.column() + of;
            };
        }

        private String entry(String kind) {
            return Objects.requireNonNull(series.entry()).equals(ReportComparison.NO_ENTRY)
                    ? "no " + kind
                    : kind + " " + series.entry();
        }

        /** Returns the change of the total in percent; {@code new} if it was 0. */
        String change() {
            BigDecimal before = total(series.before());
            if (size().signum() == 0) {
                return "other days";
            }
            BigDecimal percent = Amounts.percent(total(series.after()).subtract(before), before, 0);
            return percent == null ? "new" : TextReport.change(percent) + " %";
        }

        private BigDecimal size() {
            return total(series.after()).subtract(total(series.before())).abs();
        }

        private BigDecimal share() {
            BigDecimal larger = total(series.before()).abs().max(total(series.after()).abs());
            return larger.signum() == 0 ? larger : size().divide(larger, SHARE_DIGITS, RoundingMode.HALF_UP);
        }

        private static BigDecimal total(@Nullable Figures figures) {
            return figures == null ? BigDecimal.ZERO : figures.total();
        }
    }
}
