package dev.laurel.gateway.admission;

import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Attribute.AttributeType;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The checks that need only the request and one version of the ruleset. The engine checks everything that depends on the user's
 * state, and repeats these checks, because a newer version may be in force when the command is processed.
 *
 * <p>The form of the request has been checked before (400, then 422). This class checks first the object in the path (404), then the
 * references in the body (422), in the order in which a client would look for its mistake. Immutable; the key sets are created once
 * per ruleset version, and a valid request allocates nothing.
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
            return new Verdict.Denied(Refusal.unknownMetric(event.metric()));
        }
        Set<String> ofUser = event.user().attributes().keySet();
        Set<String> ofEvent = event.attributes().keySet();
        if (userAttributes.containsAll(ofUser) && eventAttributes.containsAll(ofEvent)) {
            return verdict;
        }
        Set<String> unknown = unknown(ofUser, userAttributes);
        unknown.addAll(unknown(ofEvent, eventAttributes));
        return new Verdict.Denied(Refusal.unknownAttributes(unknown));
    }

    public Verdict check(IdentifyUser identify) {
        return check(identify.user());
    }

    /** Does not check the achievement: the user may have completed one that can no longer be completed. */
    public Verdict check(CompleteAchievement completion) {
        return check(completion.user());
    }

    private Verdict check(UserChange user) {
        Set<String> given = user.attributes().keySet();
        return userAttributes.containsAll(given)
                ? ADMITTED_USER
                : new Verdict.Denied(Refusal.unknownAttributes(unknown(given, userAttributes)));
    }

    private static Set<String> unknown(Set<String> given, Set<String> known) {
        var unknown = new TreeSet<>(given);
        unknown.removeAll(known);
        return unknown;
    }
}
