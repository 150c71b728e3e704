package dev.laurel.schemas.input;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collection;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a request is refused; nothing of it was applied. Texts of more than one place are in this class, so that early
 * refusals by the gateway have the same texts as those by the engine.
 */
public record Refusal(Kind kind, String message) {

    /** Limits messages, which may quote long input. */
    public static final int MAX_MESSAGE_LENGTH = 2000;

    public Refusal {
        if (message.length() > MAX_MESSAGE_LENGTH) {
            message = UnicodeText.cut(message, MAX_MESSAGE_LENGTH - 1) + "…";
        }
    }

    /** The kinds of refusal and the HTTP status each has (docs/application-api.md §1 "Status codes"). */
    public enum Kind {
        /** Not JSON, or not the expected object or array. */
        UNREADABLE(400),
        /** Switched off by the operator. */
        FORBIDDEN(403),
        /** The request names something that does not exist. */
        NOT_FOUND(404),
        /** A value of a wrong type or out of range, an unknown attribute, or a violated rule. */
        INVALID(422);

        private final int status;

        Kind(int status) {
            this.status = status;
        }

        public int status() {
            return status;
        }
    }

    /** This refusal for an item of a list. @param index zero-based */
    public Refusal at(int index) {
        return new Refusal(kind, "[" + index + "]: " + message);
    }

    public static Refusal unreadable(String message) {
        return new Refusal(Kind.UNREADABLE, message);
    }

    public static Refusal invalid(String message) {
        return new Refusal(Kind.INVALID, message);
    }

    private static Refusal notFound(String message) {
        return new Refusal(Kind.NOT_FOUND, message);
    }

    /** Also of what clients cannot see or use: an inactive leaderboard, an achievement that only the service completes. */
    public static Refusal unknown(String kind, String key) {
        return notFound("Unknown " + kind + ": " + key + ".");
    }

    /** @param date a date on which no run of the leaderboard has begun */
    public static Refusal unknownRun(String leaderboard, LocalDate date) {
        return notFound("The leaderboard '" + leaderboard + "' has no run on " + date + ".");
    }

    public static Refusal unknownAttributes(Collection<String> keys) {
        return invalid("Unknown attribute keys: " + String.join(", ", new TreeSet<>(keys))
                + ". Attribute keys must match those set up in the dashboard.");
    }

    // Requests of operators; texts that docs/admin-api.md fixes have no full stop.

    public static Refusal userDoesNotExist() {
        return notFound("User does not exist");
    }

    public static Refusal freezesOff() {
        return invalid("Streak freezes are disabled.");
    }

    public static Refusal freezeLimit() {
        return invalid("Would exceed maximum freeze limit");
    }

    public static Refusal nothingToRestore() {
        return invalid("No streak to restore");
    }

    public static Refusal nothingToReset() {
        return invalid("No streak to reset");
    }

    public static Refusal unknownPause() {
        return notFound("Pause not found by ID");
    }

    public static Refusal unknownBoost() {
        return notFound("Boost not found by ID");
    }

    public static Refusal endBeforeStart() {
        return invalid("end must not be before start.");
    }

    public static Refusal unknownApplicationKey() {
        return notFound("Application key not found by ID");
    }

    public static Refusal tooMany(String things, int max) {
        return invalid("The user has " + max + " " + things + " already, which is the most a user can have.");
    }

    public static Refusal unknownTemplate() {
        return notFound("Template not found by ID");
    }

    // Preferences.

    /** @param allowed keys of the metrics that users may choose */
    public static Refusal metricNotOfStreak(String key, Collection<String> allowed) {
        return invalid("streak.metrics has the key '" + key + "', must be one of: "
                + (allowed.isEmpty() ? "none" : String.join(", ", new TreeSet<>(allowed))) + ".");
    }

    /** @param min null: no minimum @param max null: no maximum */
    public static Refusal thresholdOutside(String key, @Nullable BigDecimal min, @Nullable BigDecimal max) {
        String least = min == null ? "" : " at least " + min.toPlainString();
        String greatest = max == null ? "" : " at most " + max.toPlainString();
        return invalid("streak.metrics: the threshold of '" + key + "' must be" + least
                + (min == null || max == null ? "" : " and") + greatest + ".");
    }
}
