package dev.laurel.query.read;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;

/** The rules as of the beginning of a read: an edit that a gateway has answered may still be on its way here. Thread-safe. */
final class NewestRules {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Rulesets rulesets;

    NewestRules(Rulesets rulesets) {
        this.rulesets = rulesets;
    }

    /** @throws NotReadyException if it cannot be found out whether there is a newer version */
    Ruleset of(TenantId tenant) throws InterruptedException {
        if (!rulesets.awaitNewest(PATIENCE)) {
            throw new NotReadyException("the rulesets cannot be followed now");
        }
        return rulesets.newest(tenant);
    }
}
