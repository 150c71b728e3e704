package dev.laurel.gateway.admission;

import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Attribute.AttributeType;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The {@link Admission} of each tenant's newest ruleset, created at the first request for a version. Thread-safe. */
public final class Admissions {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /** The maximum of objects in compiled rulesets. Then all are compiled again when they are needed. */
    private static final int MAX_OBJECTS_KEPT = 200_000;

    private record Compiled(Ruleset ruleset, Admission admission) {}

    private final Rulesets rulesets;
    private final Map<TenantId, Compiled> newest = new ConcurrentHashMap<>();

    /** The objects in the rulesets that were compiled since all were last discarded. */
    private final AtomicInteger objectsKept = new AtomicInteger();

    public Admissions(Rulesets rulesets) {
        this.rulesets = rulesets;
    }

    /**
     * Checks a request by the newest ruleset. Before a refusal, waits for all versions that were published before this call, because
     * another gateway may already have answered the edit that creates the missing object. Only refusals wait, and concurrent ones
     * share one wait.
     */
    public Verdict check(TenantId tenant, Function<Admission, Verdict> check) {
        Admission known = newest(tenant);
        Verdict verdict = check.apply(known);
        if (verdict instanceof Verdict.Admitted) {
            return verdict;
        }
        if (!awaitNewest()) {
            return Verdict.UNDECIDED;
        }
        Admission current = newest(tenant);
        return current == known ? verdict : check.apply(current);
    }

    private boolean awaitNewest() {
        try {
            return rulesets.awaitNewest(TIMEOUT);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    public Admission newest(TenantId tenant) {
        Ruleset ruleset = rulesets.newest(tenant);
        Compiled compiled = newest.get(tenant);
        if (compiled == null || compiled.ruleset().version() < ruleset.version()) {
            if (objectsKept.addAndGet(ruleset.nextNumber() - ruleset.retired().size()) > MAX_OBJECTS_KEPT) {
                newest.clear();
                objectsKept.set(0);
            }
            // If two threads compile at the same time, the newer version stays; equal ones are interchangeable.
            compiled = newest.merge(
                    tenant,
                    new Compiled(ruleset, new Admission(ruleset)),
                    (a, b) -> a.ruleset().version() > b.ruleset().version() ? a : b);
        }
        return compiled.admission();
    }

    /**
     * The checks that need only the request and one version of the ruleset. The engine checks everything that depends on the user's
     * state, and repeats these checks, because a newer version may be in force when the command is processed.
     *
     * <p>The form of the request has been checked before (400, then 422). This class checks first the object in the path (404), then the
     * references in the body (422), in the order in which a client would look for its mistake. Immutable; the key sets are created once
     * per ruleset version, and a valid request allocates nothing.
     */
    public static final class Admission {

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
            return ruleset.attributes().stream()
                    .filter(a -> a.type() == type)
                    .map(Attribute::key)
                    .collect(Collectors.toUnmodifiableSet());
        }

        /** Does not check the achievement of a completion: the user may have completed one that can no longer be completed. */
        public Verdict check(UserCommand command) {
            return switch (command) {
                case RecordEvent event -> check(event);
                case IdentifyUser _, CompleteAchievement _ -> check(command.user());
                default -> ADMITTED_USER;
            };
        }

        private Verdict check(RecordEvent event) {
            Verdict verdict = admitted.get(event.metric());
            if (verdict == null) {
                return new Verdict.Denied(Refusal.unknown("metric", event.metric()));
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

    /** The decision whether a command may go into the log. */
    public sealed interface Verdict {

        Verdict UNDECIDED = new Undecided();

        /** The command may go into the log. @param metric the metric of an event; null for other commands */
        record Admitted(@Nullable Metric metric) implements Verdict {}

        /** The client gets this refusal; the request does not reach the log. */
        record Denied(Refusal refusal) implements Verdict {}

        /** The known ruleset would deny the command, but there may be a newer one. */
        record Undecided() implements Verdict {}
    }
}
