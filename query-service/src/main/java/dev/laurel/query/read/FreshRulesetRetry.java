package dev.laurel.query.read;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.util.function.Function;

/**
 * Repeats a read that would be refused if there is a newer ruleset. An edit that a gateway has answered may still be on its way to
 * this node, so before a refusal the read waits for every edit that precedes it. Only refused reads wait, and all that wait at
 * the same time share one wait. Thread-safe.
 */
public record FreshRulesetRetry(RulesetVersions rulesets) {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String NOT_FOLLOWED = "the rulesets cannot be followed now";

    /**
     * @param attempt reads by the newest rules
     * @throws Refused by the attempt
     * @throws NotReadyException if it is not known in time whether there is a newer ruleset
     */
    public <T> T read(TenantId tenant, Function<CompiledRuleset, T> attempt) {
        CompiledRuleset known = rulesets.newest(tenant);
        try {
            return attempt.apply(known);
        } catch (Refused refused) {
            expectNewest(rulesets::awaitNewest, NOT_FOLLOWED);
            CompiledRuleset newest = rulesets.newest(tenant);
            if (newest.version() == known.version()) {
                throw refused;
            }
            return attempt.apply(newest);
        }
    }

    /** The newest ruleset. @throws NotReadyException if it is not known in time whether there is a newer version */
    static Ruleset newest(Rulesets rulesets, TenantId tenant) {
        expectNewest(rulesets::awaitNewest, NOT_FOLLOWED);
        return rulesets.newest(tenant);
    }

    /** A wait until everything is known that was published before. */
    interface Wait {

        boolean isOver(Duration timeout) throws InterruptedException;
    }

    /** @throws NotReadyException with this problem if the wait is not over in time, or is interrupted */
    static void expectNewest(Wait wait, String problem) {
        try {
            if (wait.isOver(TIMEOUT)) {
                return;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        throw new NotReadyException(problem);
    }
}
