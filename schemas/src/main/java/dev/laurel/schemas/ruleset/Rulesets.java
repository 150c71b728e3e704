package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The published rulesets known to this process. Thread-safe. */
public interface Rulesets {

    /** The newest known version; {@link Ruleset#empty} before the first one. */
    Ruleset newest(TenantId tenant);

    /** The number of the newest known version; 0 before the first one. Called often: does not read the document. */
    default long newestVersion(TenantId tenant) {
        return newest(tenant).version();
    }

    /** Whether a tenant other than {@link TenantId#NONE} has a version. Called often. */
    default boolean haveTenants() {
        return false;
    }

    /** Exactly this version; null if it is not known. */
    @Nullable
    Ruleset version(TenantId tenant, long version);

    /**
     * Exactly this version. Waits until all versions published before this call are known.
     *
     * @return null if the version does not exist
     * @throws UnknownVersionException if that cannot be determined in time
     */
    @Nullable
    Ruleset await(TenantId tenant, long version, Duration timeout) throws InterruptedException;

    /**
     * Waits until all versions published before this call are known.
     *
     * @return false if that cannot be determined in time
     */
    boolean awaitNewest(Duration timeout) throws InterruptedException;
}
