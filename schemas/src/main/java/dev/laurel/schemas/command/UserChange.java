package dev.laurel.schemas.command;

import dev.laurel.schemas.key.UserId;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a user's properties that a request carries (docs/application-api.md §2 "User (request)"). Properties
 * that are not given stay the same. Attributes are merged by key, and cleared ones are removed.
 */
public record UserChange(UserId id, Change<String> email, Change<String> name, Change<ZoneId> tz,
        Change<List<String>> deviceTokens, Change<Boolean> subscribeToEmails, Change<SignUp> signUpDate,
        Map<String, Change<String>> attributes) {

    /**
     * The maximum number of attributes of a user and of a change; more would not fit into a record (docs/semantics.md
     * §2).
     */
    public static final int MAX_ATTRIBUTES = 200;

    /** The maximum number of push tokens of a user and of a change. */
    public static final int MAX_DEVICE_TOKENS = 100;

    public UserChange {
        attributes = Map.copyOf(attributes);
    }

    /** A mention of the user that changes no property. */
    public static UserChange mention(UserId id) {
        return new UserChange(id, Change.keep(), Change.keep(), Change.keep(), Change.keep(), Change.keep(),
                Change.keep(), Map.of());
    }

    public UserChange withTz(ZoneId zone) {
        return new UserChange(id, email, name, Change.set(zone), deviceTokens, subscribeToEmails, signUpDate,
                attributes);
    }

    public UserChange withName(String newName) {
        return new UserChange(id, email, Change.set(newName), tz, deviceTokens, subscribeToEmails, signUpDate,
                attributes);
    }

    /** The date of sign-up as the client gives it. The date of a time depends on the user's zone (docs/semantics.md §2). */
    public sealed interface SignUp {

        record OnDate(LocalDate date) implements SignUp {}

        record AtTime(Instant time) implements SignUp {}

        /** @param zone the user's zone after the change */
        default LocalDate dateIn(ZoneId zone) {
            return switch (this) {
                case OnDate(LocalDate date) -> date;
                case AtTime(Instant time) -> LocalDate.ofInstant(time, zone);
            };
        }
    }

    /** The change of one property: none, clear, or a new value. */
    public sealed interface Change<T> {

        /** Not given: the property stays as it is. */
        record Keep<T>() implements Change<T> {}

        /** Given as null, where null clears the property. */
        record Clear<T>() implements Change<T> {}

        record Set<T>(T value) implements Change<T> {}

        Keep<?> KEEP = new Keep<>();
        Clear<?> CLEAR = new Clear<>();

        @SuppressWarnings("unchecked") // a Keep has no T
        static <T> Change<T> keep() {
            return (Change<T>) KEEP;
        }

        @SuppressWarnings("unchecked") // a Clear has no T
        static <T> Change<T> clear() {
            return (Change<T>) CLEAR;
        }

        static <T> Change<T> set(T value) {
            return new Set<>(value);
        }

        /** The property's value after this change. */
        default @Nullable T appliedTo(@Nullable T current) {
            return switch (this) {
                case Keep<T> _ -> current;
                case Clear<T> _ -> null;
                case Set<T>(T value) -> value;
            };
        }

        default boolean isGiven() {
            return !(this instanceof Keep<T>);
        }
    }
}
