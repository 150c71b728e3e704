package dev.laurel.schemas.input;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collection;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Why a request is refused, as a value: nothing of it was applied. The texts are made here, so that the gateway, which
 * refuses early, and the engine, which judges, say the same.
 */
public record Refusal(Kind kind, String message) {

    /** Messages quote their input, which may be long; what is beyond this is cut. */
    public static final int MAX_MESSAGE_LENGTH = 2000;

    public Refusal {
        if (message.length() > MAX_MESSAGE_LENGTH) {
            message = UnicodeText.cut(message, MAX_MESSAGE_LENGTH - 1) + "…";
        }
    }

    /** The kinds of refusal and the HTTP status each has (docs/application-api.md §1 "Status codes"). */
    public enum Kind {
        /** Not JSON at all, or not the container that is asked for. */
        UNREADABLE(400),
        /** Switched off for everyone by the operator. */
        FORBIDDEN(403),
        /** A thing named by the request does not exist. */
        NOT_FOUND(404),
        /** Ill-typed, out of range, unknown attribute, or against a rule. */
        INVALID(422);

        private final int status;

        Kind(int status) {
            this.status = status;
        }

        public int status() {
            return status;
        }
    }

    /** The same of an item of a list. @param index zero-based */
    public Refusal at(int index) {
        return new Refusal(kind, "[" + index + "]: " + message);
    }

    public static Refusal unreadable(String message) {
        return new Refusal(Kind.UNREADABLE, message);
    }

    public static Refusal invalid(String message) {
        return new Refusal(Kind.INVALID, message);
    }

    public static Refusal unknownMetric(String key) {
        return new Refusal(Kind.NOT_FOUND, "Unknown metric: " + key + ".");
    }

    public static Refusal unknownUser(String id) {
        return new Refusal(Kind.NOT_FOUND, "Unknown user: " + id + ".");
    }

    public static Refusal unknownPointsSystem(String key) {
        return new Refusal(Kind.NOT_FOUND, "Unknown points system: " + key + ".");
    }

    /** Also of one that is inactive: to clients it is not there. */
    public static Refusal unknownLeaderboard(String key) {
        return new Refusal(Kind.NOT_FOUND, "Unknown leaderboard: " + key + ".");
    }

    /** @param date in no run, or in one that has not begun */
    public static Refusal unknownRun(String leaderboard, LocalDate date) {
        return new Refusal(Kind.NOT_FOUND, "The leaderboard '" + leaderboard + "' has no run on " + date + ".");
    }

    public static Refusal unknownAttributes(Collection<String> keys) {
        return invalid("Unknown attribute keys: " + String.join(", ", new TreeSet<>(keys))
                + ". Attribute keys must match those set up in the dashboard.");
    }

    public static Refusal subscribeWithoutEmail() {
        return invalid("subscribeToEmails cannot be true: the user has no email.");
    }

    public static Refusal tooManyAttributes(int max) {
        return invalid("attributes: the user would have more than " + max + ", which is the most a user can have.");
    }

    // Of achievements and points.

    /** Also of one that is inactive, or whose trigger is not {@code api}: to clients they are not there. */
    public static Refusal unknownAchievement(String key) {
        return new Refusal(Kind.NOT_FOUND, "Unknown achievement: " + key + ".");
    }

    public static Refusal achievementLocked(String key) {
        return invalid("The achievement '" + key + "' is locked: it takes no new completions.");
    }

    public static Refusal achievementNotForUser(String key) {
        return invalid("The user does not match the attribute filters of the achievement '" + key + "'.");
    }

    /** @param trigger key of the one that deducts */
    public static Refusal outOfPoints(String system, String trigger) {
        return invalid("The event would take points '" + system + "' below zero (trigger '" + trigger + "').");
    }

    // Of what operators ask for, in the words of docs/admin-api.md where it has them: without a full stop there.

    public static Refusal userDoesNotExist() {
        return new Refusal(Kind.NOT_FOUND, "User does not exist");
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
        return new Refusal(Kind.NOT_FOUND, "Pause not found by ID");
    }

    public static Refusal tooManyPauses(int max) {
        return invalid("The user has " + max + " pauses already, which is the most a user can have.");
    }

    public static Refusal unknownBoost() {
        return new Refusal(Kind.NOT_FOUND, "Boost not found by ID");
    }

    public static Refusal endBeforeStart() {
        return invalid("end must not be before start.");
    }

    /** @param start as it stays */
    public static Refusal boostStarted(LocalDate start) {
        return invalid("start must stay " + start + ": the boost has started.");
    }

    public static Refusal tooManyBoosts(int max) {
        return invalid("The user has " + max + " boosts already, which is the most a user can have.");
    }

    public static Refusal unknownTemplate() {
        return new Refusal(Kind.NOT_FOUND, "Template not found by ID");
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

    // Of preferences.

    public static Refusal personalizationOff() {
        return new Refusal(Kind.FORBIDDEN,
                "streak.evaluationMode and streak.metrics cannot be set: streak personalization is off.");
    }

    /** @param allowed the metrics of the streak setup */
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
