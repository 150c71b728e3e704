package dev.laurel.gateway.admission;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The {@link Admission} of each tenant's newest ruleset, made when a version is first asked for. Thread-safe. */
public final class Admissions {

    private record Compiled(Ruleset ruleset, Admission admission) {}

    private final Rulesets rulesets;
    private final Map<TenantId, Compiled> newest = new ConcurrentHashMap<>();

    public Admissions(Rulesets rulesets) {
        this.rulesets = rulesets;
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
