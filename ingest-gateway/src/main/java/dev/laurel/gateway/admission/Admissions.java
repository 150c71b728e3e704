package dev.laurel.gateway.admission;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The {@link Admission} of each tenant's newest ruleset, made when a version is first asked for. Thread-safe. */
public final class Admissions {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private record Compiled(Ruleset ruleset, Admission admission) {}

    private final Rulesets rulesets;
    private final Map<TenantId, Compiled> newest = new ConcurrentHashMap<>();

    public Admissions(Rulesets rulesets) {
        this.rulesets = rulesets;
    }

    /**
     * Judges a request by the newest ruleset. Before it is refused, everything is looked at that was published before this
     * call: another gateway may have answered already that there is what seems to be unknown here. So only a refusal waits,
     * together with all others that wait at that moment.
     */
    public Verdict judge(TenantId tenant, Function<Admission, Verdict> check) {
        Admission known = newest(tenant);
        Verdict verdict = check.apply(known);
        if (verdict instanceof Verdict.Admitted) {
            return verdict;
        }
        if (!hasLookedAtAll()) {
            return Verdict.UNDECIDED;
        }
        Admission present = newest(tenant);
        return present == known ? verdict : check.apply(present);
    }

    private boolean hasLookedAtAll() {
        try {
            return rulesets.awaitNewest(PATIENCE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    public Admission newest(TenantId tenant) {
        Ruleset ruleset = rulesets.newest(tenant);
        Compiled compiled = newest.get(tenant);
        if (compiled == null || compiled.ruleset().version() < ruleset.version()) {
            // Two threads may both compile a new version; the newer one stays, and equal ones are equal.
            compiled = newest.merge(tenant, new Compiled(ruleset, new Admission(ruleset)),
                    (a, b) -> a.ruleset().version() > b.ruleset().version() ? a : b);
        }
        return compiled.admission();
    }
}
