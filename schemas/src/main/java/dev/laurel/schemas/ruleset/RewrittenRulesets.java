package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.key.TenantId;
import java.time.Duration;

/**
 * Published rulesets, but one tenant's history is rewritten: what one document says holds for all versions before its own,
 * as if it had always been in force. Each of them keeps its number and its time, so that nothing seems to change with them.
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

    /** A published version, as if it had always been in force; later ones are what they are. */
    public static Rulesets since(Rulesets published, Ruleset version) {
        return new RewrittenRulesets(published, version, version.version());
    }

    /** A document in place of all versions there are and will be: a draft. */
    public static Rulesets always(Rulesets published, Ruleset draft) {
        return new RewrittenRulesets(published, draft, Long.MAX_VALUE);
    }

    @Override
    public Ruleset newest(TenantId tenant) {
        return rewritten(published.newest(tenant));
    }

    @Override
    public Ruleset version(TenantId tenant, long version) {
        return rewritten(published.version(tenant, version));
    }

    @Override
    public Ruleset await(TenantId tenant, long version, Duration timeout) throws InterruptedException {
        return rewritten(published.await(tenant, version, timeout));
    }

    @Override
    public boolean awaitNewest(Duration timeout) throws InterruptedException {
        return published.awaitNewest(timeout);
    }

    private Ruleset rewritten(Ruleset document) {
        return document == null || !document.tenant().equals(always.tenant()) || document.version() >= below
                ? document
                : always.as(document.version(), document.published());
    }
}
