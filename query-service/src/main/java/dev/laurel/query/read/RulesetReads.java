package dev.laurel.query.read;

import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.admin.RulesetDiff;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.wire.RulesetBody.RulesetChangeBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetVersionBody;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the versions of the ruleset as documents. They include every edit that any gateway has answered before the read. No store
 * is needed, so a gateway can answer them too. Thread-safe.
 */
public final class RulesetReads {

    private final Rulesets rulesets;
    private final InstantSource clock;

    /** @param clock gives the present time, on which the status of a leaderboard depends */
    public RulesetReads(Rulesets rulesets, InstantSource clock) {
        this.rulesets = rulesets;
        this.clock = clock;
    }

    /** The newest ruleset. @throws NotReadyException if it is not known in time whether there is a newer version */
    public Ruleset newest(TenantId tenant) throws InterruptedException {
        return NewestConfig.ruleset(rulesets, tenant);
    }

    /** Null if there is no such version; version 0 is the empty ruleset. @throws NotReadyException as {@link #newest} */
    public @Nullable Ruleset version(TenantId tenant, long version) throws InterruptedException {
        return version > newest(tenant).version() ? null : rulesets.version(tenant, version);
    }

    /** The ruleset as a document, with the status of leaderboards as of now. */
    public RulesetSource sourceOf(Ruleset ruleset) {
        return RulesetSource.of(ruleset, clock.instant());
    }

    /** The differences between two versions. */
    public List<RulesetChangeBody> diff(Ruleset from, Ruleset to) {
        return RulesetDiff.between(from, to, clock.instant());
    }

    /** The versions of the ruleset, newest first. @throws NotReadyException as {@link #newest} */
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
