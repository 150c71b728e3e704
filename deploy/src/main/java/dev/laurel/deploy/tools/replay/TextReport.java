package dev.laurel.deploy.tools.replay;

import dev.laurel.core.compare.ComparedUser.Completed;
import dev.laurel.core.compare.ComparedUser.Entry;
import dev.laurel.core.compare.ComparedUser.Exists;
import dev.laurel.core.compare.ComparedUser.Kind;
import dev.laurel.core.compare.ComparedUser.Points;
import dev.laurel.core.compare.ComparedUser.Streak;
import dev.laurel.core.compare.ComparedUser.Total;
import dev.laurel.core.compare.ComparisonTotals.StreakMoves;
import dev.laurel.core.compare.ComparisonTotals.Sums;
import dev.laurel.core.compare.UserComparison;
import dev.laurel.core.compare.UserComparison.Difference;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.deploy.tools.replay.ReplayReport.Counts;
import dev.laurel.query.analytics.ReportComparison;
import dev.laurel.query.analytics.ReportComparison.Figures;
import dev.laurel.query.analytics.ReportComparison.Series;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The report for people: the summary, then totals, then the users with the largest differences. */
final class TextReport {

    private static final String NONE = "-";
    private static final int MAX_COUNTS_SHOWN = 10;

    private final PrintWriter out;
    private final ReplayReport report;
    private final Sums totals;

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
        if (totals.different() + totals.onlyOtherRank() > 0) {
            totals();
        }
        counts();
        if (totals.different() > 0) {
            largest();
        }
        out.println();
        Long commands = report.commands();
        double seconds = report.elapsed().toMillis() / 1000.0;
        out.println(
                commands == null
                        ? text("The log read in %.1f s; both states as of %s.", seconds, report.at())
                        : text(
                                "%,d records of the log read in %.1f s (%,d/s); both states as of %s.",
                                commands, seconds, perSecond(commands), report.at()));
        report.notes().forEach(out::println);
        if (report.notCompared() > 0) {
            out.println(text(
                    "NOT COMPARED: %s with new events in every round (%s). Run it again, or with --user.",
                    users(report.notCompared()), String.join(", ", report.examplesNotCompared())));
        }
    }

    private void headline() {
        if (totals.users() == 0) {
            out.println(report.notCompared() > 0 ? "No user could be compared." : "There are no users to compare.");
            return;
        }
        if (totals.different() + totals.onlyOtherRank() == 0) {
            out.println(text(
                    report.isWhatIf()
                            ? "None of %,d users would have anything different."
                            : "None of %,d users differs from what the log says.",
                    totals.users()));
            return;
        }
        out.println(text(
                "%,d of %,d users %s.",
                totals.different(),
                totals.users(),
                report.isWhatIf() ? "would have something different" : "differ from what the log says"));
        if (totals.onlyOtherRank() > 0) {
            out.println(text(
                    "%,d more only %s another rank, because of others.",
                    totals.onlyOtherRank(), totals.onlyOtherRank() == 1 ? "has" : "have"));
        }
        if (totals.onlyAfter() > 0) {
            out.println(usersExist(totals.onlyAfter()) + " only in the replay.");
        }
        if (totals.onlyBefore() > 0) {
            out.println(usersExist(totals.onlyBefore()) + " only now, not in the replay.");
        }
    }

    private String then() {
        return report.isWhatIf() ? "then" : "replayed";
    }

    private void totals() {
        if (totals.tenants().size() > 1) { // The headline covers a single tenant.
            print(
                    totals.tenants(),
                    users -> List.of(users.users(), users.different(), users.onlyOtherRank()),
                    "tenant",
                    " users",
                    " different",
                    " only other rank");
        }
        print(
                totals.points(),
                sums -> List.of(sums.before(), sums.after(), change(sums.after() - sums.before()), sums.users()),
                "points of all users",
                " now",
                " " + then(),
                " change",
                " users");
        var levels = TextTable.under("level", "now", then(), " users");
        totals.levels()
                .forEach(move ->
                        levels.row(move.pointsSystem(), cell(move.before()), cell(move.after()), cell(move.users())));
        if (totals.otherLevelMoves() > 0) {
            levels.row("others", "", "", cell(totals.otherLevelMoves()));
        }
        print(levels, totals.levels().isEmpty());
        print(totals.achievements(), users -> List.of(users.gained(), users.lost()), "achievement", " gained", " lost");
        streaks();
        print(
                totals.leaderboards(),
                moves -> List.of(moves.entered(), moves.left(), moves.otherValue(), moves.onlyOtherRank()),
                "leaderboard",
                " entered",
                " left",
                " other value",
                " only other rank");
        print(
                totals.metrics(),
                sums -> List.of(
                        sums.before(), sums.after(), change(sums.after().subtract(sums.before())), sums.users()),
                "metric",
                " now",
                " " + then(),
                " change",
                " users");
    }

    /** Prints a table with a row for each object. */
    private <K, T> void print(Map<K, T> objects, Function<T, List<Object>> cells, String... header) {
        var table = TextTable.under(header);
        objects.forEach((key, sums) -> table.row(Stream.concat(Stream.of(key.toString()), cells.apply(sums).stream())
                .map(TextReport::cell)
                .toList()));
        print(table, objects.isEmpty());
    }

    private void print(TextTable table, boolean isEmpty) {
        if (!isEmpty) {
            out.println();
            out.print(table.text());
        }
    }

    private void streaks() {
        StreakMoves moves = totals.streaks();
        String parts = Stream.of(
                        part(moves.begun(), "begun"),
                        part(moves.gone(), "gone"),
                        part(moves.longer(), "longer"),
                        part(moves.shorter(), "shorter"),
                        part(moves.otherDays(), "as long, on other days"))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
        if (!parts.isEmpty()) {
            out.println();
            out.println("streaks: " + parts);
        }
    }

    private static String part(long count, String what) {
        return count > 0 ? text("%,d %s", count, what) : "";
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
                .flatMap(tenant -> tenant.series().stream()
                        .filter(series -> !series.isEqual())
                        .map(series -> new CountDifference(tenant.tenant(), series)))
                .sorted(CountDifference.LARGEST_FIRST)
                .limit(MAX_COUNTS_SHOWN)
                .toList();
        var table = TextTable.under("counts", " now", " " + then(), " change");
        rows.forEach(row -> table.row(
                row.name(),
                cell(total(row.series().before())),
                cell(total(row.series().after())),
                row.change()));
        out.print(rows.isEmpty() ? "" : table.text()); // Those that differ may all be left out.
        out.println(text(
                "%,d of %,d series of counts differ, %s%s.",
                counts.different(),
                counts.series(),
                days(counts),
                counts.different() > rows.size()
                        ? text(": the %,d largest changes; --json and --csv write all", rows.size())
                        : ""));
    }

    /** Returns the days that are compared, of all tenants together. */
    private static String days(Counts counts) {
        LocalDate from = counts.tenants().stream()
                .map(tenant -> tenant.span().from())
                .min(Comparator.naturalOrder())
                .orElseThrow();
        LocalDate to = counts.tenants().stream()
                .map(tenant -> tenant.span().to())
                .max(Comparator.naturalOrder())
                .orElseThrow();
        return from + " to " + to;
    }

    static @Nullable BigDecimal total(@Nullable Figures figures) {
        return figures == null ? null : figures.total();
    }

    private void largest() {
        List<UserComparison> largest = totals.largest();
        if (largest.isEmpty()) {
            return;
        }
        long all = totals.different() + totals.onlyOtherRank();
        var table = TextTable.under("user", "what", "now", then());
        for (UserComparison user : largest) {
            String name = user.user().text();
            for (Difference difference : user.differences()) {
                add(table, name, difference);
                name = "";
            }
        }
        out.println();
        out.println(
                largest.size() == all
                        ? text("all %s, the largest differences first:", users(all))
                        : text("%,d of %s, the largest differences first:", largest.size(), users(all)));
        out.print(table.text());
    }

    private static void add(TextTable table, String user, Difference difference) {
        String what = switch (difference.kind()) {
            case USER -> "user";
            case STREAK -> "streak";
            case POINTS, ACHIEVEMENT, PLACE, METRIC -> difference.key();
        };
        // Points and totals are never absent, but 0.
        Object none = difference.kind() == Kind.POINTS || difference.kind() == Kind.METRIC ? 0 : NONE;
        table.row(
                user,
                what,
                cell(difference.before() == null ? none : difference.before()),
                cell(difference.after() == null ? none : difference.after()));
    }

    private static String cell(@Nullable Object value) {
        return switch (value) {
            case null -> NONE;
            case BigDecimal number ->
                text("%,." + Math.max(0, number.stripTrailingZeros().scale()) + "f", number);
            case Number count -> text("%,d", count);
            case Exists() -> "exists";
            case Completed(var _) -> "achieved";
            case Points(var _, long total, String level) -> cell(total) + (level == null ? "" : " (" + level + ")");
            case Total(var _, BigDecimal total) -> cell(total);
            case Streak streak -> {
                String unit = switch (streak.frequency()) {
                    case DAILY -> "day";
                    case WEEKLY -> "week";
                    case MONTHLY -> "month";
                };
                yield text(
                        "%,d %s%s since %s", streak.length(), unit, streak.length() == 1 ? "" : "s", streak.started());
            }
            case Entry entry ->
                (entry.isRanked() ? text("%,d.", entry.rank()) : "no rank,") + " with " + cell(entry.value())
                        + in(entry);
            default -> value.toString().isEmpty() ? NONE : value.toString();
        };
    }

    /** The group of a place on a leaderboard; empty if it is not of a group. */
    static String in(Entry entry) {
        return entry.group().isEmpty() ? "" : " in " + String.join(", ", entry.group());
    }

    private static String users(long count) {
        return counted(count, "user");
    }

    /** @param what a noun, in the singular */
    static String counted(long count, String what) {
        return text("%,d %s%s", count, what, count == 1 ? "" : "s");
    }

    private static String usersExist(long count) {
        return users(count) + (count == 1 ? " exists" : " exist");
    }

    private static String change(long change) {
        return change(BigDecimal.valueOf(change));
    }

    private static String change(BigDecimal change) {
        return (change.signum() > 0 ? "+" : "") + cell(change);
    }

    private long perSecond(long commands) {
        return report.elapsed().isZero()
                ? 0
                : Math.round(commands * 1e9 / report.elapsed().toNanos());
    }

    /** Text in English, whatever the language of the machine is. */
    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** A series of counts that differs, as told to people. */
    private record CountDifference(TenantId tenant, Series series) {

        /** By the difference as a share of the larger total, so that what exists in one state only comes first. */
        static final Comparator<CountDifference> LARGEST_FIRST = Comparator.comparing(CountDifference::share)
                .thenComparing(CountDifference::size)
                .reversed()
                .thenComparing(CountDifference::name);

        private static final int SHARE_DIGITS = 4;

        /** Returns what is counted; objects of a tenant are written {@code tenant/key}. */
        String name() {
            String key = series.object().isEmpty() ? tenant.value() : UserKey.prefixOf(tenant) + series.object();
            String of = key.isEmpty() ? "" : " of " + key;
            return what() + of;
        }

        private String what() {
            return switch (series.report() + "." + series.column()) {
                case "points.usersByLevel" -> "users at " + entry("level");
                case "achievements.completions" -> "completions";
                case "achievements.usersByHighest" -> "users at " + entry("achievement");
                case "streaks.savedByFreezes" -> "streaks saved by freezes";
                case "active-users.dau" -> "active users a day";
                case "active-users.newUsers" -> "new users";
                case "events.events" -> "events";
                case "events.value" -> "value of events";
                default -> series.report() + " " + series.column();
            };
        }

        private String entry(String kind) {
            return Objects.requireNonNull(series.entry()).equals(ReportComparison.NO_ENTRY)
                    ? "no " + kind
                    : kind + " " + series.entry();
        }

        /** Returns the change of the total in percent; {@code new} if it was 0. */
        String change() {
            if (size().signum() == 0) {
                return "other days";
            }
            BigDecimal percent = Amounts.percent(after().subtract(before()), before(), 0);
            return percent == null ? "new" : TextReport.change(percent) + " %";
        }

        private BigDecimal size() {
            return after().subtract(before()).abs();
        }

        private BigDecimal share() {
            BigDecimal larger = before().abs().max(after().abs());
            return larger.signum() == 0 ? larger : size().divide(larger, SHARE_DIGITS, RoundingMode.HALF_UP);
        }

        private BigDecimal before() {
            return Objects.requireNonNullElse(total(series.before()), BigDecimal.ZERO);
        }

        private BigDecimal after() {
            return Objects.requireNonNullElse(total(series.after()), BigDecimal.ZERO);
        }
    }
}
