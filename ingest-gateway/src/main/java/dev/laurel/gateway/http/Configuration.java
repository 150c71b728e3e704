package dev.laurel.gateway.http;

import dev.laurel.schemas.http.HttpRefusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;

/** The rulesets as of this moment, for routes that answer by them: what any gateway has answered is in them. Thread-safe. */
public final class Configuration {

    private final Rulesets rulesets;
    private final Duration timeout;

    /** @param timeout to find out whether there is a newer version */
    public Configuration(Rulesets rulesets, Duration timeout) {
        this.rulesets = rulesets;
        this.timeout = timeout;
    }

    /** @throws HttpRefusal 503 if it cannot be found out in time */
    Ruleset newest(TenantId tenant) {
        boolean isKnown;
        try {
            isKnown = rulesets.awaitNewest(timeout);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            isKnown = false;
        }
        if (!isKnown) {
            throw HttpRefusal.busy("The rulesets cannot be followed now. Nothing was stored; try again.",
                    Answers.RETRY_AFTER_S);
        }
        return rulesets.newest(tenant);
    }

    /** That version; null if there is none. @throws HttpRefusal as {@link #newest} */
    Ruleset version(TenantId tenant, long version) {
        return version > newest(tenant).version() ? null : rulesets.version(tenant, version);
    }
}
