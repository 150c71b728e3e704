package dev.laurel.processors.core.user;

import dev.laurel.schemas.command.Change;
import dev.laurel.schemas.command.UserChange;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of a user as a person (semantics.md §2).
 *
 * @param email null if unknown, always null while {@code subscribeToEmails} is false
 * @param subscribeToEmails null while unset, which reads as true
 * @param attributes by key, in key order
 */
public record Profile(String email, String name, ZoneId tz, List<String> deviceTokens, Boolean subscribeToEmails,
        SortedMap<String, String> attributes) {

    public static final Profile BLANK = new Profile(null, null, null, List.of(), null, new TreeMap<>());

    public Profile {
        deviceTokens = List.copyOf(deviceTokens);
        attributes = Collections.unmodifiableSortedMap(attributes);
    }

    /** Whether {@code change} asks for emails to a user who then has no address: an error (semantics.md §2). */
    boolean wouldSubscribeWithoutEmail(UserChange change) {
        return change.subscribeToEmails() instanceof Change.Set<Boolean>(Boolean wants) && wants
                && change.email().appliedTo(email) == null;
    }

    /** Attributes come one by one, and those that the ruleset does not know any more are kept: without a limit a user grows. */
    boolean wouldHaveTooManyAttributes(UserChange change) {
        int most = Math.max(UserChange.MAX_ATTRIBUTES, attributes.size());
        return attributes.size() + change.attributes().size() > most && mergedAttributes(change).size() > most;
    }

    /** Only what is given changes; the same object if that makes no difference. */
    Profile changedBy(UserChange change) {
        if (changesNothing(change)) {
            return this;
        }
        Boolean subscribes = change.subscribeToEmails().appliedTo(subscribeToEmails);
        String address = Boolean.FALSE.equals(subscribes) ? null : change.email().appliedTo(email);
        List<String> tokens = change.deviceTokens().appliedTo(deviceTokens);
        var changed = new Profile(address, change.name().appliedTo(name), change.tz().appliedTo(tz),
                tokens == null ? List.of() : tokens, subscribes, mergedAttributes(change));
        return changed.equals(this) ? this : changed;
    }

    /** The same object if none of these tokens is there. */
    Profile without(List<String> tokens) {
        List<String> others = deviceTokens.stream().filter(token -> !tokens.contains(token)).toList();
        return others.size() == deviceTokens.size()
                ? this
                : new Profile(email, name, tz, others, subscribeToEmails, attributes);
    }

    private static boolean changesNothing(UserChange change) {
        return change.attributes().isEmpty() && !change.tz().isGiven() && !change.email().isGiven()
                && !change.name().isGiven() && !change.deviceTokens().isGiven()
                && !change.subscribeToEmails().isGiven();
    }

    private SortedMap<String, String> mergedAttributes(UserChange change) {
        if (change.attributes().isEmpty()) {
            return attributes;
        }
        var merged = new TreeMap<>(attributes);
        change.attributes().forEach((key, value) -> {
            String applied = value.appliedTo(merged.get(key));
            if (applied == null) {
                merged.remove(key);
            } else {
                merged.put(key, applied);
            }
        });
        return merged;
    }
}
