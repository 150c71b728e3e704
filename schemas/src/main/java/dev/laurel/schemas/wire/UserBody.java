package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** docs/application-api.md §2 "User (response)". */
public record UserBody(String id, @Nullable String email, @Nullable String name, @Nullable String tz,
        List<String> deviceTokens,
        boolean subscribeToEmails, @Nullable LocalDate signUpDate, Map<String, String> attributes, boolean control,
        Instant created, Instant updated) {

    /**
     * A user in a list in the order of {@code sort} (docs/admin-api.md B7).
     *
     * @param lastActivity the time of the user's newest event; null: there was none
     */
    public record ListedUserBody(String id, @Nullable String email, @Nullable String name, @Nullable String tz,
            List<String> deviceTokens, boolean subscribeToEmails, @Nullable LocalDate signUpDate,
            Map<String, String> attributes, boolean control, Instant created, Instant updated,
            @Nullable Instant lastActivity) {}

    /** The user as a list shows it. @param lastActivity null: there was none */
    public ListedUserBody listed(@Nullable Instant lastActivity) {
        return new ListedUserBody(id, email, name, tz, deviceTokens, subscribeToEmails, signUpDate, attributes, control,
                created, updated, lastActivity);
    }

    /**
     * {@code GET} and {@code PATCH /users/{id}/preferences}.
     *
     * @param notifications channels by type; a type that was never set is absent
     * @param streak present once the user has set a preference of streaks
     */
    public record PreferencesBody(Map<String, List<String>> notifications, Optional<StreakPreferencesBody> streak,
            Optional<Boolean> pending) {

        /** The body if the result is not known within the waiting time; the request is in the log. */
        public static PreferencesBody ofPending() {
            return new PreferencesBody(Map.of(), Optional.empty(), Optional.of(true));
        }

        /**
         * @param evaluationMode {@code OR} or {@code AND}
         * @param daysOff weekdays in order; 0 is Sunday
         */
        public record StreakPreferencesBody(Optional<Boolean> enabled, Optional<String> evaluationMode,
                Optional<List<ConditionBody>> metrics, Optional<List<Integer>> daysOff) {}

        /** @param key of the metric */
        public record ConditionBody(String key, BigDecimal threshold) {}
    }

    /** {@code GET /users/{id}/metrics/{key}}. */
    public record MetricBody(UUID id, String key, String name, String status, BigDecimal current,
            List<AchievementBody> achievements) {}
}
