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

    /** Thrown if the existence of a ruleset version cannot be determined in time. A later attempt may succeed. */
    final class UnknownVersionException extends IllegalStateException {

        public UnknownVersionException(long version, Duration timeout) {
            super("could not find out within " + timeout + " whether ruleset version " + version + " exists");
        }
    }

    /**
     * Published rulesets with a rewritten history of one tenant: the rules of one document replace those of all versions before
     * its own. These versions keep their numbers and times, so no version changes anything.
     */
    final class RulesetOverlay implements Rulesets {

        private final Rulesets published;
        private final Ruleset always;
        private final long below;

        private RulesetOverlay(Rulesets published, Ruleset always, long below) {
            this.published = published;
            this.always = always;
            this.below = below;
        }

        /** Applies a published version also to all versions before it. */
        public static Rulesets since(Rulesets published, Ruleset version) {
            return new RulesetOverlay(published, version, version.version());
        }

        /** Applies a draft in place of all present and future versions. */
        public static Rulesets always(Rulesets published, Ruleset draft) {
            return new RulesetOverlay(published, draft, Long.MAX_VALUE);
        }

        @Override
        public Ruleset newest(TenantId tenant) {
            return rewritten(published.newest(tenant));
        }

        @Override
        public long newestVersion(TenantId tenant) {
            return published.newestVersion(tenant);
        }

        @Override
        public boolean haveTenants() {
            return published.haveTenants();
        }

        @Override
        public @Nullable Ruleset version(TenantId tenant, long version) {
            Ruleset found = published.version(tenant, version);
            return found == null ? null : rewritten(found);
        }

        @Override
        public @Nullable Ruleset await(TenantId tenant, long version, Duration timeout) throws InterruptedException {
            Ruleset found = published.await(tenant, version, timeout);
            return found == null ? null : rewritten(found);
        }

        @Override
        public boolean awaitNewest(Duration timeout) throws InterruptedException {
            return published.awaitNewest(timeout);
        }

        private Ruleset rewritten(Ruleset document) {
            return !document.tenant().equals(always.tenant()) || document.version() >= below
                    ? document
                    : always.as(document).alikeSince(1L);
        }
    }
}
