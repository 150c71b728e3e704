package dev.laurel.query.read;

import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;

/** Reads the configuration as of the moment of the read: it includes every change that any gateway has answered. */
final class NewestConfig {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private NewestConfig() {}

    /** @throws NotReadyException if it is not known in time whether there is a newer version */
    static Ruleset ruleset(Rulesets rulesets, TenantId tenant) throws InterruptedException {
        if (!rulesets.awaitNewest(TIMEOUT)) {
            throw new NotReadyException("the rulesets cannot be followed now");
        }
        return rulesets.newest(tenant);
    }

    /** @throws NotReadyException if it is not known in time whether there are newer records */
    static AccessIndex access(AccessView access) throws InterruptedException {
        if (!access.awaitNewest(TIMEOUT)) {
            throw new NotReadyException("keys, tenants and secrets cannot be followed now");
        }
        return access.index();
    }
}
