package dev.laurel.producer;

import dev.laurel.producer.UserCommand.Check;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;

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
    private static final String SIGN_UP_FORM = "', must be a date, such as 2026-03-04, or a date and time with offset, such as 2026-03-04T09:15:00Z";

    private final String id;
    private final JsonText.Fields properties = new JsonText.Fields();
    private final JsonText.Fields attributes = new JsonText.Fields();

    private User(String id) {
        this.id = id;
    }

    /** @param id the client's own identifier, 1 to 255 characters without U+0000, and neither {@code .} nor {@code ..} */
    public static User of(String id) {
        Check.that(!id.isEmpty(), "user.id", "must not be empty");
        Check.that(id.length() <= MAX_ID_LENGTH, "user.id",
                "must have at most " + MAX_ID_LENGTH + " characters, has " + id.length());
        Check.that(Check.isWellFormed(id), "user.id", "must be valid Unicode text");
        Check.that(id.indexOf('\0') < 0, "user.id", "must not contain the character U+0000");
        Check.that(!id.equals(".") && !id.equals(".."), "user.id",
                "must not be . or .., which clients and proxies take out of paths");
        return new User(id);
    }

    public String id() {
        return id;
    }

    public User email(String email) {
        Check.text(email, "user.email", MAX_EMAIL_LENGTH);
        Check.that(email.indexOf('@') >= 0, "user.email", "must be an email address");
        return text("email", email);
    }

    public User name(String name) {
        return text("name", Check.text(name, "user.name", MAX_NAME_LENGTH));
    }

    /** The user's time zone, by its IANA name. */
    public User tz(ZoneId zone) {
        Check.that(ZoneId.getAvailableZoneIds().contains(zone.getId()) && !zone.getId().startsWith("SystemV/"),
                "user.tz", "must be an IANA time zone, such as Europe/Helsinki");
        return text("tz", zone.getId());
    }

    /** Gives the user the time zone of the instance again. */
    public User clearTz() {
        properties.clear("tz");
        return this;
    }

    /** Replaces the push tokens. @param tokens at most 100, of at most 4000 characters each */
    public User deviceTokens(Collection<String> tokens) {
        Check.that(tokens.size() <= MAX_TOKENS, "user.deviceTokens", "must have at most " + MAX_TOKENS + " entries");
        int number = 0;
        for (String token : tokens) {
            Check.text(token, "user.deviceTokens[" + number++ + "]", MAX_VALUE_LENGTH);
        }
        List<String> all = List.copyOf(tokens);
        properties.put("deviceTokens", json -> json.texts(all));
        return this;
    }

    public User clearDeviceTokens() {
        properties.clear("deviceTokens");
        return this;
    }

    public User subscribeToEmails(boolean subscribes) {
        properties.put("subscribeToEmails", json -> json.literal(subscribes));
        return this;
    }

    /** The date on which the user signed up with the product. */
    public User signUpDate(LocalDate date) {
        Check.that(date.getYear() >= 0 && date.getYear() <= MAX_YEAR, "user.signUpDate", "is '" + date + SIGN_UP_FORM);
        return text("signUpDate", date.toString());
    }

    /** The time at which the user signed up with the product. Its date in the user's zone counts. */
    public User signUpDate(Instant time) {
        LocalDate date = LocalDate.ofInstant(time, ZoneOffset.UTC);
        Check.that(date.minusDays(1).getYear() >= 0 && date.plusDays(1).getYear() <= MAX_YEAR, "user.signUpDate",
                "is '" + time + SIGN_UP_FORM);
        return text("signUpDate", time.toString());
    }

    public User clearSignUpDate() {
        properties.clear("signUpDate");
        return this;
    }

    public User attribute(String key, String value) {
        Check.text(value, "user.attributes." + key, MAX_VALUE_LENGTH);
        attributes.put(key, json -> json.text(value));
        return expectFewAttributes();
    }

    public User removeAttribute(String key) {
        attributes.clear(key);
        return expectFewAttributes();
    }

    private User expectFewAttributes() {
        Check.that(attributes.size() <= MAX_ATTRIBUTES, "user.attributes",
                "must have at most " + MAX_ATTRIBUTES + " entries");
        return this;
    }

    private User text(String property, String value) {
        properties.put(property, json -> json.text(value));
        return this;
    }

    /** Writes the field {@code user}. */
    void writeTo(JsonText json) {
        json.name("user").beginObject().field("id", id);
        properties.writeTo(json);
        if (!attributes.isEmpty()) {
            json.name("attributes").beginObject();
            attributes.writeTo(json);
            json.endObject();
        }
        json.endObject();
    }
}
