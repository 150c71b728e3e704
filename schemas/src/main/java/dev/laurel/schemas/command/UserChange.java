package dev.laurel.schemas.command;

import dev.laurel.schemas.key.UserId;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/**
 * The properties of a user that a request carries (application-api.md §2 "User (request)"). Only what is given changes;
 * attributes are merged key by key, a cleared one is removed.
 */
public record UserChange(UserId id, Change<String> email, Change<String> name, Change<ZoneId> tz,
        Change<List<String>> deviceTokens, Change<Boolean> subscribeToEmails, Map<String, Change<String>> attributes) {

    /** Of a user, and so of a change: more would not fit into a record (semantics.md §2, ours). */
    public static final int MAX_ATTRIBUTES = 200;

    /** Push tokens of a user, and so of a change. */
    public static final int MAX_DEVICE_TOKENS = 100;

    public UserChange {
        attributes = Map.copyOf(attributes);
    }

    /** A mention of the user that changes no property. */
    public static UserChange mention(UserId id) {
        return new UserChange(id, Change.keep(), Change.keep(), Change.keep(), Change.keep(), Change.keep(), Map.of());
    }

    public UserChange withTz(ZoneId zone) {
        return new UserChange(id, email, name, Change.set(zone), deviceTokens, subscribeToEmails, attributes);
    }

    public UserChange withName(String newName) {
        return new UserChange(id, email, Change.set(newName), tz, deviceTokens, subscribeToEmails, attributes);
    }
}
