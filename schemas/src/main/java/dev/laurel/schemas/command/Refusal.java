package dev.laurel.schemas.command;

import dev.laurel.schemas.key.UnicodeText;
import java.util.Collection;
import java.util.TreeSet;

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

    /** The kinds of refusal and the HTTP status each has (application-api.md §1 "Status codes"). */
    public enum Kind {
        /** Not JSON at all, or not the container that is asked for. */
        UNREADABLE(400),
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

    public static Refusal unknownAttributes(Collection<String> keys) {
        return invalid("Unknown attribute keys: " + String.join(", ", new TreeSet<>(keys))
                + ". Attribute keys must match those set up in the dashboard.");
    }

    public static Refusal subscribeWithoutEmail() {
        return invalid("subscribeToEmails cannot be true: the user has no email.");
    }
}
