package dev.laurel.gateway.admission;

import dev.laurel.schemas.command.CompleteAchievement;
import dev.laurel.schemas.command.IdentifyUser;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The checks that need only the request and one version of the ruleset. Whatever depends on the user's state is the
 * engine's to judge, and so is the request once more: a newer version may be in force when it is processed.
 *
 * <p>A request that reaches this has been read already, so its form is right (400, then 422). Here the thing that the
 * path names comes first (404), then what the body refers to (422): the order in which a client would look for its own
 * mistake. Immutable; the key sets are made once per ruleset version, and a request without mistakes allocates nothing
 * but its verdict.
 */
public final class Admission {

    private static final Verdict ADMITTED_USER = new Verdict.Admitted(null);

    private final Map<String, Verdict> admitted;
    private final Set<String> userAttributes;
    private final Set<String> eventAttributes;

    public Admission(Ruleset ruleset) {
        this.admitted = ruleset.metrics().stream()
                .collect(Collectors.toUnmodifiableMap(Metric::key, Verdict.Admitted::new));
        this.userAttributes = keys(ruleset, AttributeType.USER);
        this.eventAttributes = keys(ruleset, AttributeType.EVENT);
    }

    private static Set<String> keys(Ruleset ruleset, AttributeType type) {
        return ruleset.attributes().stream().filter(a -> a.type() == type).map(Attribute::key)
                .collect(Collectors.toUnmodifiableSet());
    }

    public Verdict check(RecordEvent event) {
        Verdict verdict = admitted.get(event.metric());
        if (verdict == null) {
            return new Verdict.Refused(Refusal.unknownMetric(event.metric()));
        }
        Set<String> ofUser = event.user().attributes().keySet();
        Set<String> ofEvent = event.attributes().keySet();
        if (userAttributes.containsAll(ofUser) && eventAttributes.containsAll(ofEvent)) {
            return verdict;
        }
        Set<String> unknown = unknown(ofUser, userAttributes);
        unknown.addAll(unknown(ofEvent, eventAttributes));
        return new Verdict.Refused(Refusal.unknownAttributes(unknown));
    }

    public Verdict check(IdentifyUser identify) {
        return check(identify.user());
    }

    /** Says nothing of the achievement: a user may have completed one that is not to be had any more. */
    public Verdict check(CompleteAchievement completion) {
        return check(completion.user());
    }

    private Verdict check(UserChange user) {
        Set<String> given = user.attributes().keySet();
        return userAttributes.containsAll(given)
                ? ADMITTED_USER
                : new Verdict.Refused(Refusal.unknownAttributes(unknown(given, userAttributes)));
    }

    private static Set<String> unknown(Set<String> given, Set<String> known) {
        var unknown = new TreeSet<>(given);
        unknown.removeAll(known);
        return unknown;
    }
}
