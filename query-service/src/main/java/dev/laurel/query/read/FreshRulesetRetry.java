package dev.laurel.query.read;

import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Repeats a read that would be refused if there is a newer ruleset. An edit that a gateway has answered may still be on its way to
 * this node, so before a refusal the read waits for every edit that precedes it. Only refused reads wait, and all that wait at
 * the same time share one wait. Thread-safe.
 */
public final class FreshRulesetRetry {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final RulesetVersions rulesets;

    public FreshRulesetRetry(RulesetVersions rulesets) {
        this.rulesets = rulesets;
    }

    /**
     * @throws Refused by the attempt
     * @throws NotReadyException if it is not known in time whether there is a newer ruleset
     */
    public <T> T read(TenantId tenant, Supplier<T> attempt) {
        long known = rulesets.newest(tenant).version();
        try {
            return attempt.get();
        } catch (Refused refused) {
            awaitNewest();
            if (rulesets.newest(tenant).version() == known) {
                throw refused;
            }
            return attempt.get();
        }
    }

    private void awaitNewest() {
        try {
            if (!rulesets.awaitNewest(TIMEOUT)) {
                throw new NotReadyException("the rulesets cannot be followed now");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new NotReadyException("interrupted while waiting for the newest rulesets");
        }
    }
}
