package dev.laurel.query.read;

import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;

/** Rulesets as of the moment of the read: every edit that any gateway has answered is included. Thread-safe. */
final class NewestRulesets {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Rulesets rulesets;

    NewestRulesets(Rulesets rulesets) {
        this.rulesets = rulesets;
    }

    /** @throws NotReadyException if it is not known in time whether there is a newer version */
    Ruleset of(TenantId tenant) throws InterruptedException {
        if (!rulesets.awaitNewest(TIMEOUT)) {
            throw new NotReadyException("the rulesets cannot be followed now");
        }
        return rulesets.newest(tenant);
    }
}
