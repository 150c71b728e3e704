package dev.laurel.producer;

import dev.laurel.producer.UserCommand.Check;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The user of a command, with the properties that change; those that are not given stay the same, and attributes are merged by key.
 * Each method checks as {@link UserCommand} says. Not thread-safe.
 */
public final class User {

    static final int MAX_VALUE_LENGTH = 4000;

    private static final int MAX_ID_LENGTH = 255;
    private static final int MAX_EMAIL_LENGTH = 320;
    private static final int MAX_NAME_LENGTH = 255;
    private static final int MAX_TOKENS = 100;
    private static final int MAX_ATTRIBUTES = 200;
    private static final int MAX_YEAR = 9999;
    private static final String SIGN_UP_FORM =
            "', must be a date, such as 2026-03-04, or a date and time with offset, such as 2026-03-04T09:15:00Z";

    private final String id;
    private final Map<String, @Nullable Object> properties = new TreeMap<>();
    private final Map<String, @Nullable String> attributes = new TreeMap<>();

    private User(String id) {
        this.id = id;
    }

    /** @param id the client's own identifier, 1 to 255 characters without U+0000, and neither {@code .} nor {@code ..} */
    public static User of(String id) {
        Check.that(!id.isEmpty(), "user.id", "must not be empty");
        Check.that(
                id.length() <= MAX_ID_LENGTH,
                "user.id",
                "must have at most " + MAX_ID_LENGTH + " characters, has " + id.length());
        Check.that(Check.isWellFormed(id), "user.id", "must be valid Unicode text");
        Check.that(id.indexOf('\0') < 0, "user.id", "must not contain the character U+0000");
        Check.that(
                !id.equals(".") && !id.equals(".."),
                "user.id",
                "must not be . or .., which clients and proxies take out of paths");
        return new User(id);
    }

    public String id() {
        return id;
    }

    public User email(String email) {
        Check.text(email, "user.email", MAX_EMAIL_LENGTH);
        Check.that(email.indexOf('@') >= 0, "user.email", "must be an email address");
        return with("email", email);
    }

    public User name(String name) {
        return with("name", Check.text(name, "user.name", MAX_NAME_LENGTH));
    }

    /** The user's time zone, by its IANA name. */
    public User tz(ZoneId zone) {
        Check.that(
                ZoneId.getAvailableZoneIds().contains(zone.getId())
                        && !zone.getId().startsWith("SystemV/"),
                "user.tz",
                "must be an IANA time zone, such as Europe/Helsinki");
        return with("tz", zone.getId());
    }

    /** Gives the user the time zone of the instance again. */
    public User clearTz() {
        return with("tz", null);
    }

    /** Replaces the push tokens. @param tokens at most 100, of at most 4000 characters each */
    public User deviceTokens(Collection<String> tokens) {
        Check.that(tokens.size() <= MAX_TOKENS, "user.deviceTokens", "must have at most " + MAX_TOKENS + " entries");
        int number = 0;
        for (String token : tokens) {
            Check.text(token, "user.deviceTokens[" + number++ + "]", MAX_VALUE_LENGTH);
        }
        return with("deviceTokens", List.copyOf(tokens));
    }

    public User clearDeviceTokens() {
        return with("deviceTokens", null);
    }

    public User subscribeToEmails(boolean subscribes) {
        return with("subscribeToEmails", subscribes);
    }

    /** The date on which the user signed up with the product. */
    public User signUpDate(LocalDate date) {
        Check.that(date.getYear() >= 0 && date.getYear() <= MAX_YEAR, "user.signUpDate", "is '" + date + SIGN_UP_FORM);
        return with("signUpDate", date.toString());
    }

    /** The time at which the user signed up with the product. Its date in the user's zone counts. */
    public User signUpDate(Instant time) {
        LocalDate date = LocalDate.ofInstant(time, ZoneOffset.UTC);
        Check.that(
                date.minusDays(1).getYear() >= 0 && date.plusDays(1).getYear() <= MAX_YEAR,
                "user.signUpDate",
                "is '" + time + SIGN_UP_FORM);
        return with("signUpDate", time.toString());
    }

    public User clearSignUpDate() {
        return with("signUpDate", null);
    }

    public User attribute(String key, String value) {
        Check.text(value, "user.attributes." + key, MAX_VALUE_LENGTH);
        attributes.put(key, value);
        return expectFewAttributes();
    }

    public User removeAttribute(String key) {
        attributes.put(key, null);
        return expectFewAttributes();
    }

    private User expectFewAttributes() {
        Check.that(
                attributes.size() <= MAX_ATTRIBUTES,
                "user.attributes",
                "must have at most " + MAX_ATTRIBUTES + " entries");
        return this;
    }

    private User with(String property, @Nullable Object value) {
        properties.put(property, value);
        return this;
    }

    /** Returns the field {@code user}. */
    Map<String, @Nullable Object> json() {
        var json = new LinkedHashMap<String, @Nullable Object>();
        json.put("id", id);
        json.putAll(properties);
        if (!attributes.isEmpty()) {
            json.put("attributes", new TreeMap<>(attributes));
        }
        return json;
    }
}
