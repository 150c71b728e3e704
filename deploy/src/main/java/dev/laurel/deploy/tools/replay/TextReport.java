package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.TextTable;
import dev.laurel.processors.core.compare.ComparisonTotals.StreakMoves;
import dev.laurel.processors.core.compare.ComparisonTotals;
import dev.laurel.processors.core.compare.UserComparison.Difference;
import dev.laurel.processors.core.compare.UserComparison;
import dev.laurel.processors.core.compare.ComparedUser.Entry;
import dev.laurel.processors.core.compare.ComparedUser.Streak;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report for people: the summary, then totals, then the users with the largest differences. */
final class TextReport {

    private static final String NONE = "-";

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
            tenants();
            points();
            levels();
            achievements();
            streaks();
            places();
            metrics();
            largest();
        }
        out.println();
        out.println(text("%,d records of the log read in %s (%,d/s); both states as of %s.", report.commands(),
                seconds(), perSecond(), report.at()));
        report.notes().forEach(out::println);
        if (report.notCompared() > 0) {
            out.println(text("NOT COMPARED: %s, whose events kept arriving (%s). Run it again, or with --user.",
                    users(report.notCompared()), String.join(", ", report.examplesNotCompared())));
        }
    }

    private void headline() {
        if (totals.users() == 0) {
            out.println(report.notCompared() > 0 ? "No user could be compared." : "There is nobody to compare.");
            return;
        }
        String differ = report.isWhatIf() ? "would have something different" : "differ from what the log says";
        if (totals.different() + totals.overtaken() == 0) {
            out.println(text(report.isWhatIf()
                    ? "None of %,d users would have anything different."
                    : "None of %,d users differs from what the log says.", totals.users()));
            return;
        }
        out.println(text("%,d of %,d users %s.", totals.different(), totals.users(), differ));
        if (totals.overtaken() > 0) {
            out.println(text("%,d more only %s another rank, because of others.", totals.overtaken(),
                    totals.overtaken() == 1 ? "has" : "have"));
        }
        if (totals.appeared() > 0) {
            out.println(text("%s there only in the replay.", usersAre(totals.appeared())));
        }
        if (totals.disappeared() > 0) {
            out.println(text("%s there only now, and not in the replay.", usersAre(totals.disappeared())));
        }
    }

    /** Prints tenants if there are several; the summary covers a single one. */
    private void tenants() {
        if (totals.tenants().size() < 2) {
            return;
        }
        var table = TextTable.under("tenant", " users", " different", " only other rank");
        totals.tenants().forEach((tenant, users) -> table.row(tenant.isEmpty() ? NONE : tenant, count(users.users()),
                count(users.different()), count(users.overtaken())));
        out.println();
        out.print(table.text());
    }

    private void points() {
        if (totals.points().isEmpty()) {
            return;
        }
        var table = TextTable.under("points of all users", " now", " " + then(), " change", " users");
        totals.points().forEach((system, sums) -> table.row(system.text(), count(sums.before()), count(sums.after()),
                change(BigDecimal.valueOf(sums.after() - sums.before())), count(sums.users())));
        out.println();
        out.print(table.text());
    }

    private String then() {
        return report.isWhatIf() ? "then" : "replayed";
    }

    private void levels() {
        if (totals.levelMoves().isEmpty()) {
            return;
        }
        var table = TextTable.under("level", "now", then(), " users");
        totals.levelMoves().forEach(
                move -> table.row(move.system().text(), orNone(move.from()), orNone(move.to()), count(move.users())));
        if (totals.otherLevelMoves() > 0) {
            table.row("others", "", "", count(totals.otherLevelMoves()));
        }
        out.println();
        out.print(table.text());
    }

    private void achievements() {
        if (totals.achievements().isEmpty()) {
            return;
        }
        var table = TextTable.under("achievement", " gained", " lost");
        totals.achievements().forEach((key, made) -> table.row(key.text(), count(made.gained()), count(made.lost())));
        out.println();
        out.print(table.text());
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

    private void places() {
        if (totals.entries().isEmpty()) {
            return;
        }
        var table = TextTable.under("leaderboard", " come in", " drop out", " other value", " only other rank");
        totals.entries().forEach((board, moves) -> table.row(board.text(), count(moves.entered()), count(moves.left()),
                count(moves.otherValue()), count(moves.onlyRank())));
        out.println();
        out.print(table.text());
    }

    private void metrics() {
        if (totals.metrics().isEmpty()) {
            return;
        }
        var table = TextTable.under("metric", " now", " " + then(), " change", " users");
        totals.metrics().forEach((key, sums) -> table.row(key.text(), number(sums.before()), number(sums.after()),
                change(sums.after().subtract(sums.before())), count(sums.users())));
        out.println();
        out.print(table.text());
    }

    private void largest() {
        List<UserComparison> largest = totals.largest();
        if (largest.isEmpty() || totals.different() == 0) {
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
            case Difference.UserAppears() -> table.row(user, "user", NONE, "is there");
            case Difference.UserDisappears() -> table.row(user, "user", "is there", NONE);
            case Difference.PointsDiffer it -> table.row(user, it.system(), points(it.before(), it.levelBefore()),
                    points(it.after(), it.levelAfter()));
            case Difference.AchievementGained(String key) -> table.row(user, key, NONE, "achieved");
            case Difference.AchievementLost(String key) -> table.row(user, key, "achieved", NONE);
            case Difference.StreakDiffers it -> table.row(user, "streak", streak(it.before()), streak(it.after()));
            case Difference.EntryDiffers(String board, Entry before, Entry after) ->
                table.row(user, board, place(before), place(after));
            case Difference.MetricDiffers(String metric, BigDecimal before, BigDecimal after) ->
                table.row(user, metric, number(before), number(after));
        }
    }

    private static String points(long total, String level) {
        return count(total) + (level == null ? "" : " (" + level + ")");
    }

    private static String streak(Streak streak) {
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

    private static String place(Entry place) {
        if (place == null) {
            return NONE;
        }
        String group = place.group().isEmpty() ? "" : " in " + String.join(", ", place.group());
        String rank = place.isRanked() ? text("%,d.", place.rank()) : "no rank,";
        return rank + " with " + number(place.value()) + group;
    }

    private static String orNone(String text) {
        return text == null ? NONE : text;
    }

    private static String users(long count) {
        return text("%,d %s", count, count == 1 ? "user" : "users");
    }

    private static String usersAre(long count) {
        return users(count) + (count == 1 ? " is" : " are");
    }

    private static String count(long count) {
        return text("%,d", count);
    }

    private static String number(BigDecimal number) {
        return text("%,." + Math.max(0, number.stripTrailingZeros().scale()) + "f", number);
    }

    private static String change(BigDecimal change) {
        return change.signum() > 0 ? "+" + number(change) : number(change);
    }

    private String seconds() {
        return text("%.1f s", report.elapsed().toMillis() / 1000.0);
    }

    private long perSecond() {
        return report.elapsed().isZero() ? 0 : Math.round(report.commands() * 1e9 / report.elapsed().toNanos());
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
