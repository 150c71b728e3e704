package dev.laurel.schemas.command;

import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.kind.Type;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A user, and the properties to change; those that are not given stay the same (docs/application-api.md §2 "User (request)"). A command
 * about a known user uses only the id.
 *
 * @param id your own id of the user, the same as in the record's key
 * @param email null counts as absent
 * @param name null counts as absent
 * @param tz IANA name of the user's time zone, such as Europe/Helsinki; null clears it
 * @param deviceTokens replaces the list of push tokens; null clears it
 * @param subscribeToEmails false also drops the stored email; null counts as absent
 * @param signUpDate when the user signed up with your product, such as 2024-03-04; not after the user's today. Of a date and time with
 *     an offset, the date in the user's zone counts, after tz of this command. Null clears it
 * @param attributes user attributes by key, merged with the present ones; keys must be defined in the ruleset. A null value removes an
 *     attribute; null in place of the object counts as absent
 */
public record UserChange(
        UserId id,
        Change<String> email,
        Change<String> name,
        Change<ZoneId> tz,
        Change<List<String>> deviceTokens,
        Change<Boolean> subscribeToEmails,
        Change<SignUp> signUpDate,
        Map<String, Change<String>> attributes) {

    /**
     * The maximum number of attributes of a user and of a change; more would not fit into a record (docs/semantics.md
     * §2).
     */
    public static final int MAX_ATTRIBUTES = 200;

    /** The maximum number of push tokens of a user and of a change. */
    public static final int MAX_DEVICE_TOKENS = 100;

    /** The maximum length of the value of an attribute. */
    public static final int MAX_ATTRIBUTE_LENGTH = 4000;

    /** docs/application-api.md §2 "User (request)". */
    public static final Kind<UserChange> KIND = Kind.ofRecord(
                    "user",
                    UserChange.class,
                    Field.text("email", 320)
                            .must(email -> email.indexOf('@') < 0 ? "must be an email address" : null)
                            .schema(Map.of("pattern", "@")),
                    Field.text("name", 255),
                    deviceTokensField("deviceTokens"),
                    Field.typed(
                            "signUpDate",
                            new Type.Form(SignUp::of, "", Map.of("pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T.+)?$"))),
                    attributesField())
            .clearable("tz", "deviceTokens", "signUpDate");

    /** The user of a command that creates or updates its user. */
    static final Field FIELD = Field.part("user", KIND).required();

    /** The user of a command that only mentions its user: all properties except the id are ignored. */
    static final Field MENTION = Field.part(
                    "user",
                    Kind.of(
                            "mention",
                            UserChange.class,
                            Field.typed("id", Type.of(UserId.class)).required()))
            .required();

    static Field deviceTokensField(String name) {
        return Field.list(name, new Type.Text(0, 4000), MAX_DEVICE_TOKENS);
    }

    static Field attributesField() {
        return Field.typed(
                "attributes",
                new Type.MapOf(
                        new Type.Text(0, 0), new Type.LooseText(MAX_ATTRIBUTE_LENGTH), MAX_ATTRIBUTES, null, "key"));
    }

    public UserChange {
        attributes = Map.copyOf(attributes);
    }

    /** A mention of the user that changes no property. */
    public static UserChange mention(UserId id) {
        return new UserChange(
                id, Change.keep(), Change.keep(), Change.keep(), Change.keep(), Change.keep(), Change.keep(), Map.of());
    }

    public UserChange withTz(ZoneId zone) {
        return Records.with(this, "tz", Change.set(zone));
    }

    public UserChange withName(String newName) {
        return Records.with(this, "name", Change.set(newName));
    }

    /** Why the user may not be a new one; null if it may. @param prefix prefix of the name of the id */
    public @Nullable Refusal refusalIfNew(String prefix) {
        String problem = UserId.problemWithNew(id.value());
        return problem == null ? null : Refusal.invalid(prefix + "id " + problem + ".");
    }

    /** The date of sign-up as the client gives it. The date of a time depends on the user's zone (docs/semantics.md §2). */
    public sealed interface SignUp {

        record OnDate(LocalDate date) implements SignUp {

            @Override
            public String toString() {
                return date.toString();
            }
        }

        record AtTime(Instant time) implements SignUp {

            @Override
            public String toString() {
                return time.toString();
            }
        }

        /** Reads a date, or a date and time with an offset. @throws IllegalArgumentException if the text is neither */
        static SignUp of(String text) {
            try {
                if (text.length() == "2026-03-04".length()) {
                    LocalDate date = LocalDate.parse(text);
                    if (hasPlainYear(date)) {
                        return new OnDate(date);
                    }
                } else {
                    Instant time = DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
                    LocalDate date = LocalDate.ofInstant(time, ZoneOffset.UTC);
                    // In a zone it may be a day earlier or later.
                    if (hasPlainYear(date.minusDays(1)) && hasPlainYear(date.plusDays(1))) {
                        return new AtTime(time);
                    }
                }
            } catch (DateTimeException _) {
                // reported below
            }
            throw new IllegalArgumentException("is '" + text
                    + "', must be a date, such as 2026-03-04, or a date and time with offset, such as"
                    + " 2026-03-04T09:15:00Z");
        }

        /** Other years have a sign, and could not be read back. */
        private static boolean hasPlainYear(LocalDate date) {
            return date.getYear() >= 0 && date.getYear() <= 9999;
        }

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
