package dev.laurel.deploy.tools.replay;

import dev.laurel.query.analytics.ReportComparison.Figures;
import dev.laurel.query.analytics.ReportComparison.Series;
import dev.laurel.query.analytics.ReportComparison;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A series of counts that differs, as told to people. */
record CountDifference(TenantId tenant, Series series) {

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
