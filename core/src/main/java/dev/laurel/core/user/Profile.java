package dev.laurel.core.user;

import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The profile fields of a user (docs/semantics.md §2).
 *
 * @param email always null while {@code subscribeToEmails} is false
 * @param subscribeToEmails null while unset, which means true
 * @param signUpDate when the user signed up with the product; not the creation in Laurel
 * @param attributes by key, in key order
 */
public record Profile(
        @Nullable String email,
        @Nullable String name,
        @Nullable ZoneId tz,
        List<String> deviceTokens,
        @Nullable Boolean subscribeToEmails,
        @Nullable LocalDate signUpDate,
        SortedMap<String, String> attributes) {

    public static final Profile BLANK = new Profile(null, null, null, List.of(), null, null, new TreeMap<>());

    public Profile {
        deviceTokens = List.copyOf(deviceTokens);
        attributes = Collections.unmodifiableSortedMap(attributes);
    }

    /** Whether {@code change} subscribes a user without an address to emails, which is refused (docs/semantics.md §2). */
    public boolean wouldSubscribeWithoutEmail(UserChange change) {
        return change.subscribeToEmails() instanceof Change.Set<Boolean>(Boolean wants)
                && wants
                && change.email().appliedTo(email) == null;
    }

    /**
     * Whether the user would have too many attributes. Attributes that the ruleset no longer has are kept; without a limit
     * their number would grow forever.
     */
    public boolean wouldHaveTooManyAttributes(UserChange change) {
        int most = Math.max(UserChange.MAX_ATTRIBUTES, attributes.size());
        return attributes.size() + change.attributes().size() > most
                && mergedAttributes(change).size() > most;
    }

    /** The profile with the given fields changed; this object if nothing differs. @param defaultZone of users without one */
    public Profile changedBy(UserChange change, ZoneId defaultZone) {
        if (changesNothing(change)) {
            return this;
        }
        Boolean subscribes = change.subscribeToEmails().appliedTo(subscribeToEmails);
        String address =
                Boolean.FALSE.equals(subscribes) ? null : change.email().appliedTo(email);
        List<String> tokens = change.deviceTokens().appliedTo(deviceTokens);
        var changed = new Profile(
                address,
                change.name().appliedTo(name),
                change.tz().appliedTo(tz),
                tokens == null ? List.of() : tokens,
                subscribes,
                signUpDateAfter(change, defaultZone),
                mergedAttributes(change));
        return changed.equals(this) ? this : changed;
    }

    /** The sign-up date after a change, which is that of the user's zone after the change if a time is given. */
    public @Nullable LocalDate signUpDateAfter(UserChange change, ZoneId defaultZone) {
        return switch (change.signUpDate()) {
            case Change.Keep<SignUp> _ -> signUpDate;
            case Change.Clear<SignUp> _ -> null;
            case Change.Set<SignUp>(SignUp signUp) -> {
                ZoneId zone = change.tz().appliedTo(tz);
                yield signUp.dateIn(zone == null ? defaultZone : zone);
            }
        };
    }

    /** The profile without these tokens; this object if it has none of them. */
    public Profile without(List<String> tokens) {
        List<String> others =
                deviceTokens.stream().filter(token -> !tokens.contains(token)).toList();
        return others.size() == deviceTokens.size()
                ? this
                : new Profile(email, name, tz, others, subscribeToEmails, signUpDate, attributes);
    }

    private static boolean changesNothing(UserChange change) {
        return change.attributes().isEmpty()
                && !change.tz().isGiven()
                && !change.email().isGiven()
                && !change.name().isGiven()
                && !change.deviceTokens().isGiven()
                && !change.subscribeToEmails().isGiven()
                && !change.signUpDate().isGiven();
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
