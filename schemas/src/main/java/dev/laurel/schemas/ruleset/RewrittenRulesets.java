package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Published rulesets with a rewritten history of one tenant: the rules of one document replace those of all versions before
 * its own. These versions keep their numbers and times, so no version changes anything.
 */
public final class RewrittenRulesets implements Rulesets {

    private final Rulesets published;
    private final Ruleset always;
    private final long below;

    private RewrittenRulesets(Rulesets published, Ruleset always, long below) {
        this.published = published;
        this.always = always;
        this.below = below;
    }

    /** Applies a published version also to all versions before it. */
    public static Rulesets since(Rulesets published, Ruleset version) {
        return new RewrittenRulesets(published, version, version.version());
    }

    /** Applies a draft in place of all present and future versions. */
    public static Rulesets always(Rulesets published, Ruleset draft) {
        return new RewrittenRulesets(published, draft, Long.MAX_VALUE);
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
