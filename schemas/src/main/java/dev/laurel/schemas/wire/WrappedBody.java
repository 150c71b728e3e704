package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A user's year (docs/application-api.md §4 "wrapped"). All periods have the same four last fields.
 *
 * @param percentileSample the number of users that percentiles compare with; absent if these are all users
 */
public record WrappedBody(UserBody user, ActivityBody activity, Optional<Integer> percentileSample) {

    /** @param daysActive on which there was an event, by the user's calendar; so too the weeks and months */
    public record ActivityBody(int daysActive, int weeksActive, int monthsActive, DayBody mostActiveDay,
            WeekBody mostActiveWeek, MonthBody mostActiveMonth, YearBody entireYear) {}

    public record DayBody(LocalDate date, Map<String, MetricBody> metrics, Map<String, PointsBody> points,
            List<AchievementBody> achievements, Map<String, LeaderboardBody> leaderboards) {}

    public record WeekBody(LocalDate start, LocalDate end, Map<String, MetricBody> metrics,
            Map<String, PointsBody> points, List<AchievementBody> achievements,
            Map<String, LeaderboardBody> leaderboards) {}

    /** @param month 0 is January */
    public record MonthBody(int month, Map<String, MetricBody> metrics, Map<String, PointsBody> points,
            List<AchievementBody> achievements, Map<String, LeaderboardBody> leaderboards) {}

    public record YearBody(LongestStreakBody longestStreak, Map<String, MetricBody> metrics,
            Map<String, PointsBody> points, List<AchievementBody> achievements,
            Map<String, LeaderboardBody> leaderboards) {}

    /** @param periodStart null, as are the other dates, at length 0 */
    public record LongestStreakBody(int length, String frequency, @Nullable LocalDate periodStart,
            @Nullable LocalDate periodEnd,
            @Nullable LocalDate started) {}

    /**
     * A metric within a period.
     *
     * @param currentTotal total at the end of the period
     * @param percentChange with one decimal
     * @param percentileThisPeriod percentage of users with at most this change
     * @param byAttribute by key and value of event attributes
     * @param byAttributeTruncated true if there were values that {@code byAttribute} lacks; otherwise absent
     */
    public record MetricBody(String name, @Nullable String units, @Nullable BigDecimal currentTotal,
            BigDecimal changeThisPeriod,
            BigDecimal percentChange, Optional<Integer> percentileThisPeriod,
            Map<String, Map<String, ByValueBody>> byAttribute, Optional<Boolean> byAttributeTruncated) {}

    /** The numbers of the events with one value of an attribute. @param name of the metric, as its units */
    public record ByValueBody(String name, @Nullable String units, @Nullable BigDecimal currentTotal,
            BigDecimal changeThisPeriod,
            BigDecimal percentChange) {}

    /** A points system within a period; the numbers as in {@link MetricBody}. */
    public record PointsBody(String name, @Nullable String description, @Nullable BigDecimal currentTotal,
            BigDecimal changeThisPeriod,
            BigDecimal percentChange, Optional<Integer> percentileThisPeriod) {}
}
