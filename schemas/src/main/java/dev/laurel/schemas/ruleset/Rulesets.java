package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.key.TenantId;
import java.time.Duration;

/** The published rulesets as this process knows them. Thread-safe. */
public interface Rulesets {

    /** The newest known version; {@link Ruleset#empty} before the first one. */
    Ruleset newest(TenantId tenant);

    /** Exactly this version, null if it is not known. */
    Ruleset version(TenantId tenant, long version);

    /**
     * Exactly this version, waiting for it if it may still be on its way.
     *
     * @return null if it does not exist: everything published by now has been looked at
     * @throws UnknownVersionException if that cannot be found out in time
     */
    Ruleset await(TenantId tenant, long version, Duration timeout) throws InterruptedException;

    /**
     * Waits until everything is known here that was published before this call.
     *
     * @return false if that cannot be found out in time
     */
    boolean awaitNewest(Duration timeout) throws InterruptedException;
}
