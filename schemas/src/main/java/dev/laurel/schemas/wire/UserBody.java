package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** docs/application-api.md §2 "User (response)". */
public record UserBody(String id, @Nullable String email, @Nullable String name, @Nullable String tz,
        List<String> deviceTokens,
        boolean subscribeToEmails, @Nullable LocalDate signUpDate, Map<String, String> attributes, boolean control,
        Instant created, Instant updated) {

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
}
