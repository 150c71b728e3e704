package dev.laurel.query.read;

import dev.laurel.schemas.admin.RulesetDiff;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetExport;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.wire.RulesetChangeBody;
import dev.laurel.schemas.wire.RulesetVersionBody;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The versions of rulesets, as of the moment of the read: one that any gateway has answered is there. Thread-safe; knows no
 * HTTP.
 */
public final class RulesetReads {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Rulesets rulesets;
    private final InstantSource clock;

    /** @param clock what reads take for now */
    public RulesetReads(Rulesets rulesets, InstantSource clock) {
        this.rulesets = rulesets;
        this.clock = clock;
    }

    /** @throws NotReadyException if it cannot be found out whether there is a newer version */
    public Ruleset newest(TenantId tenant) throws InterruptedException {
        if (!rulesets.awaitNewest(PATIENCE)) {
            throw new NotReadyException("the rulesets cannot be followed now");
        }
        return rulesets.newest(tenant);
    }

    /** @return null if there is no such version; 0 is what there was before the first. @throws NotReadyException as {@link #newest} */
    public Ruleset version(TenantId tenant, long version) throws InterruptedException {
        return version > newest(tenant).version() ? null : rulesets.version(tenant, version);
    }

    /** The human form, with what has started until now as what it is. */
    public RulesetSource sourceOf(Ruleset ruleset) {
        return RulesetExport.sourceOf(ruleset, clock.instant());
    }

    public List<RulesetChangeBody> diff(Ruleset from, Ruleset to) {
        return RulesetDiff.between(from, to, clock.instant());
    }

    /** Newest first. @throws NotReadyException as {@link #newest} */
    public List<RulesetVersionBody> history(TenantId tenant, int skip, int limit) throws InterruptedException {
        var history = new ArrayList<RulesetVersionBody>();
        Ruleset newest = newest(tenant);
        Ruleset after = skip == 0 ? newest : rulesets.version(tenant, Math.max(0, newest.version() - skip));
        while (after != null && after.version() > 0 && history.size() < limit) {
            Ruleset before = rulesets.version(tenant, after.version() - 1);
            if (before == null) {
                break;
            }
            history.add(RulesetDiff.summary(before, after));
            after = before;
        }
        return history;
    }
}
