package dev.laurel.schemas.wire;

import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.wire.EditBody.VariantBody;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelBody;
import dev.laurel.schemas.wire.PointsSystemBody.UserBoostBody;
import dev.laurel.schemas.wire.StreakBody.PauseBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** docs/application-api.md §2 "User (response)". */
public record UserBody(
        String id,
        @Nullable String email,
        @Nullable String name,
        @Nullable String tz,
        List<String> deviceTokens,
        boolean subscribeToEmails,
        @Nullable LocalDate signUpDate,
        Map<String, String> attributes,
        boolean control,
        Instant created,
        Instant updated) {

    /**
     * A user in a list in the order of {@code sort} (docs/admin-api.md B7).
     *
     * @param lastActivity the time of the user's newest event; null: there was none
     */
    public record ListedUserBody(UserBody base, @Nullable Instant lastActivity) implements VariantBody {

        public String id() {
            return base.id();
        }
    }

    /**
     * {@code GET} and {@code PATCH /users/{id}/preferences}.
     *
     * @param notifications channels by type; a type that was never set is absent
     * @param streak present once the user has set a preference of streaks
     * @param leaderboards present once the user has set a preference of leaderboards
     */
    public record PreferencesBody(
            Map<String, List<String>> notifications,
            Optional<StreakPreferencesBody> streak,
            Optional<LeaderboardPreferencesBody> leaderboards,
            Optional<Boolean> pending) {

        /** The body if the result is not known within the waiting time; the request is in the log. */
        public static PreferencesBody ofPending() {
            return new PreferencesBody(Map.of(), Optional.empty(), Optional.empty(), Optional.of(true));
        }

        /**
         * @param evaluationMode {@code OR} or {@code AND}
         * @param daysOff weekdays in order; 0 is Sunday
         */
        public record StreakPreferencesBody(
                Optional<Boolean> enabled,
                Optional<String> evaluationMode,
                Optional<List<ConditionBody>> metrics,
                Optional<List<Integer>> daysOff) {}

        /** @param visibility {@code public}, {@code anonymous} or {@code hidden} */
        public record LeaderboardPreferencesBody(String visibility) {}

        /** @param key of the metric */
        public record ConditionBody(String key, BigDecimal threshold) {}
    }

    /** {@code GET /users/{id}/metrics/{key}}. */
    public record MetricBody(
            UUID id, String key, String name, String status, BigDecimal current, List<AchievementBody> achievements) {}

    /**
     * Something that happened to a user: an entry of {@code GET /admin/v1/users/{id}/timeline} (docs/admin-api.md B7). Which fields are
     * present depends on the type.
     *
     * @param type as in effects, where there is such an effect
     * @param at when it happened; the beginning of {@code date} in the user's time zone if only the date is known
     * @param date the user's local date, in entries about streaks, pauses and boosts
     * @param length of the streak: after the change; of a lost streak before it
     * @param isUndone whether a restore has undone a reset
     * @param level reached; null: none
     * @param previousLevel null: none
     */
    public record TimelineEntryBody(
            String type,
            Instant at,
            Optional<LocalDate> date,
            Optional<Integer> length,
            Optional<Boolean> isUndone,
            Optional<NamedBody> achievement,
            Optional<NamedBody> points,
            Optional<AwardBody> award,
            Optional<Present<LevelBody>> level,
            Optional<Present<LevelBody>> previousLevel,
            Optional<PauseBody> pause,
            Optional<UserBoostBody> boost,
            Optional<SentBody> message) {

        /** An object of the ruleset. @param name null if the object was deleted */
        public record NamedBody(
                UUID id, String key, @Nullable String name) {}

        /**
         * A message that was handed to delivery.
         *
         * @param templates of the channels on which it was sent, which may have been deleted since
         * @param isReturned whether the user had an event within two days
         */
        public record SentBody(
                List<SentTemplateBody> templates, boolean isReturned, boolean isOpened, boolean isClicked) {}

        /** @param id null if the template was deleted, as {@code name} */
        public record SentTemplateBody(
                String channel, @Nullable UUID id, @Nullable String name) {}

        /** An entry with nothing but its type and time. */
        public static TimelineEntryBody of(String type, Instant at) {
            return new TimelineEntryBody(
                    type,
                    at,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        /** @param changedLength null: not about the length of a streak */
        public TimelineEntryBody on(LocalDate day, @Nullable Integer changedLength) {
            return Records.with(this, "date", Optional.of(day), "length", Optional.ofNullable(changedLength));
        }

        public TimelineEntryBody undone(boolean isNow) {
            return Records.with(this, "isUndone", Optional.of(isNow));
        }

        public TimelineEntryBody of(NamedBody completed) {
            return Records.with(this, "achievement", Optional.of(completed));
        }

        public TimelineEntryBody of(NamedBody system, AwardBody made) {
            return Records.with(this, "points", Optional.of(system), "award", Optional.of(made));
        }

        public TimelineEntryBody of(NamedBody system, @Nullable LevelBody former, @Nullable LevelBody reached) {
            return Records.with(
                    this,
                    "points",
                    Optional.of(system),
                    "level",
                    Present.of(reached),
                    "previousLevel",
                    Present.of(former));
        }

        public TimelineEntryBody of(PauseBody planned) {
            return Records.with(this, "pause", Optional.of(planned));
        }

        public TimelineEntryBody of(@Nullable NamedBody system, UserBoostBody given) {
            return Records.with(this, "points", Optional.ofNullable(system), "boost", Optional.of(given));
        }

        public TimelineEntryBody of(SentBody sent) {
            return Records.with(this, "message", Optional.of(sent));
        }
    }

    /**
     * A user's year (docs/application-api.md §4 "wrapped").
     *
     * @param percentileSample the number of users that percentiles compare with; absent if these are all users
     */
    public record WrappedBody(UserBody user, ActivityBody activity, Optional<Integer> percentileSample) {

        /** @param daysActive on which there was an event, by the user's calendar; so too the weeks and months */
        public record ActivityBody(
                int daysActive,
                int weeksActive,
                int monthsActive,
                DayBody mostActiveDay,
                WeekBody mostActiveWeek,
                MonthBody mostActiveMonth,
                YearBody entireYear) {}

        public record DayBody(LocalDate date, PeriodBody base) implements VariantBody {}

        public record WeekBody(LocalDate start, LocalDate end, PeriodBody base) implements VariantBody {}

        /** @param month 0 is January */
        public record MonthBody(int month, PeriodBody base) implements VariantBody {}

        public record YearBody(LongestStreakBody longestStreak, PeriodBody base) implements VariantBody {}

        /** The last fields of all periods. */
        public record PeriodBody(
                Map<String, MetricBody> metrics,
                Map<String, PointsBody> points,
                List<AchievementBody> achievements,
                Map<String, LeaderboardBody> leaderboards) {

            public static final PeriodBody NONE = new PeriodBody(Map.of(), Map.of(), List.of(), Map.of());
        }

        /** @param periodStart null, as are the other dates, at length 0 */
        public record LongestStreakBody(
                int length,
                String frequency,
                @Nullable LocalDate periodStart,
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
        public record MetricBody(
                String name,
                @Nullable String units,
                @Nullable BigDecimal currentTotal,
                BigDecimal changeThisPeriod,
                BigDecimal percentChange,
                Optional<Integer> percentileThisPeriod,
                Map<String, Map<String, ByValueBody>> byAttribute,
                Optional<Boolean> byAttributeTruncated) {}

        /** The numbers of the events with one value of an attribute. @param name of the metric, as its units */
        public record ByValueBody(
                String name,
                @Nullable String units,
                @Nullable BigDecimal currentTotal,
                BigDecimal changeThisPeriod,
                BigDecimal percentChange) {}

        /** A points system within a period; the numbers as in {@link MetricBody}. */
        public record PointsBody(
                String name,
                @Nullable String description,
                @Nullable BigDecimal currentTotal,
                BigDecimal changeThisPeriod,
                BigDecimal percentChange,
                Optional<Integer> percentileThisPeriod) {}
    }
}
