package dev.laurel.schemas.input;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collection;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a request is refused; nothing of it was applied. All texts are in this class, so that early refusals by the
 * gateway have the same texts as those by the engine.
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

    public static Refusal subscribeWithoutEmail() {
        return invalid("subscribeToEmails cannot be true: the user has no email.");
    }

    /** @param today the user's local date */
    public static Refusal signUpInTheFuture(LocalDate signUpDate, LocalDate today) {
        return invalid("signUpDate is " + signUpDate + ", must not be after the user's today, which is " + today + ".");
    }

    public static Refusal tooManyAttributes(int max) {
        return invalid("attributes: the user would have more than " + max + ", which is the most a user can have.");
    }

    // Achievements and points.

    public static Refusal achievementLocked(String key) {
        return invalid("The achievement '" + key + "' is locked: it takes no new completions.");
    }

    public static Refusal achievementNotForUser(String key) {
        return invalid("The user does not match the attribute filters of the achievement '" + key + "'.");
    }

    /** @param trigger key of the trigger that deducts */
    public static Refusal outOfPoints(String system, String trigger) {
        return invalid("The event would take points '" + system + "' below zero (trigger '" + trigger + "').");
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

    /** @param today the user's local date */
    public static Refusal pauseInThePast(LocalDate start, LocalDate today) {
        return invalid("start is " + start + ", must not be before the user's today, which is " + today + ".");
    }

    public static Refusal pauseOverlaps(LocalDate start, LocalDate end) {
        return invalid("The pause overlaps with another pause of the user, from " + start + " to " + end + ".");
    }

    public static Refusal pauseExists(UUID pauseId) {
        return invalid("pauseId " + pauseId + " is in use by another pause of the user.");
    }

    public static Refusal unknownPause() {
        return notFound("Pause not found by ID");
    }

    public static Refusal tooManyPauses(int max) {
        return invalid("The user has " + max + " pauses already, which is the most a user can have.");
    }

    public static Refusal unknownBoost() {
        return notFound("Boost not found by ID");
    }

    public static Refusal endBeforeStart() {
        return invalid("end must not be before start.");
    }

    /** @param start the present start */
    public static Refusal boostStarted(LocalDate start) {
        return invalid("start must stay " + start + ": the boost has started.");
    }

    public static Refusal tooManyBoosts(int max) {
        return invalid("The user has " + max + " boosts already, which is the most a user can have.");
    }

    public static Refusal unknownApplicationKey() {
        return notFound("Application key not found by ID");
    }

    public static Refusal tooManyApplicationKeys(int max) {
        return invalid("The user has " + max + " application keys already, which is the most a user can have.");
    }

    public static Refusal keyOfAnotherUser(UUID keyId) {
        return invalid("keyId " + keyId + " is no id for a key of this user.");
    }

    /** @param keys number of the user's application keys whose revocation the erasure does not name */
    public static Refusal keysNotRevoked(int keys) {
        return invalid("The user has " + keys
                + " application keys that are not revoked. Erase the user through the admin API, which revokes"
                + " them first.");
    }

    public static Refusal unknownTemplate() {
        return notFound("Template not found by ID");
    }

    public static Refusal noEmail() {
        return invalid("The user has no email: there is no address to write to.");
    }

    public static Refusal noDeviceTokens() {
        return invalid("The user has no deviceTokens: there is no device to push to.");
    }

    public static Refusal noAchievementToShow() {
        return invalid(
                "There is no achievement that the message could be about: the user has completed none, and none is "
                        + "active.");
    }

    // Preferences.

    public static Refusal personalizationOff() {
        return new Refusal(
                Kind.FORBIDDEN,
                "streak.evaluationMode, streak.metrics and streak.daysOff cannot be set: streak personalization is"
                        + " off.");
    }

    public static Refusal daysOffOfLongerPeriods() {
        return invalid("streak.daysOff must be empty: only daily streaks have days off.");
    }

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
