package dev.laurel.query.read;

import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Before a read says that something is missing, it looks again at the rules as of its beginning: an edit that a gateway has
 * answered may be on its way here. Only who would be refused waits, together with all others who wait at that moment.
 * Thread-safe.
 */
final class SecondLook {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final RulesetVersions rulesets;

    SecondLook(RulesetVersions rulesets) {
        this.rulesets = rulesets;
    }

    /** @throws NotReadyException if it cannot be found out whether there are newer rules */
    <T> Result<T> read(TenantId tenant, Supplier<Result<T>> look) {
        long known = rulesets.newest(tenant).version();
        Result<T> first = look.get();
        if (first instanceof Result.Found<T>) {
            return first;
        }
        try {
            if (!rulesets.awaitNewest(PATIENCE)) {
                throw new NotReadyException("the rulesets cannot be followed now");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new NotReadyException("interrupted while waiting for the newest rulesets");
        }
        return rulesets.newest(tenant).version() == known ? first : look.get();
    }
}
