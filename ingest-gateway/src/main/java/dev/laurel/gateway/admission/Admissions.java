package dev.laurel.gateway.admission;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

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
            compiled = newest.merge(tenant, new Compiled(ruleset, new Admission(ruleset)),
                    (a, b) -> a.ruleset().version() > b.ruleset().version() ? a : b);
        }
        return compiled.admission();
    }
}
