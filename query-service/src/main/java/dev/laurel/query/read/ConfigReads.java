package dev.laurel.query.read;

import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.admin.ObjectBodies;
import dev.laurel.schemas.admin.RulesetDiff;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.wire.ObjectBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetChangeBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetVersionBody;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads what operators have configured: objects, settings, keys, and the versions of the ruleset as documents. It includes every edit that
 * any gateway has answered before the read. No store is needed, so a gateway can answer these reads, too. Thread-safe.
 *
 * @param view knows keys, tenants and secrets
 * @param clock gives the present time, on which the status of a leaderboard depends
 */
public record ConfigReads(Rulesets rulesets, AccessView view, InstantSource clock) {

    /**
     * All objects of a kind, oldest first.
     *
     * @param parent id of the points system they belong to, null where there is none
     * @return null if there is no such points system
     * @throws NotReadyException if it is not known in time whether there is a newer version
     */
    public @Nullable List<ObjectBody> objects(TenantId tenant, ObjectKind kind, @Nullable UUID parent) {
        return ObjectBodies.of(kind, newest(tenant), parent, clock.instant());
    }

    /**
     * The body of a singleton.
     *
     * @throws NotReadyException as {@link #objects}
     */
    public Object settings(TenantId tenant, SettingsKind kind) {
        return ObjectBodies.settings(kind, newest(tenant), access());
    }

    /** The account of an instance with several tenants, for a request that names none of them. */
    public Object settingsOfInstance() {
        return ObjectBodies.ofInstance(access());
    }

    /**
     * The secret that signs the requests to a webhook.
     *
     * @return null if there is no such webhook
     * @throws NotReadyException as {@link #objects}
     */
    public @Nullable String signingSecret(TenantId tenant, UUID webhook) {
        return access().secret(tenant, webhook.toString(), Secret.SIGNING);
    }

    /** Keys, tenants and secrets. @throws NotReadyException if it is not known in time whether there are newer records */
    public AccessIndex access() {
        FreshRulesetRetry.expectNewest(view::awaitNewest, "keys, tenants and secrets cannot be followed now");
        return view.index();
    }

    /** The newest ruleset. @throws NotReadyException if it is not known in time whether there is a newer version */
    public Ruleset newest(TenantId tenant) {
        return FreshRulesetRetry.newest(rulesets, tenant);
    }

    /** Null if there is no such version; version 0 is the empty ruleset. @throws NotReadyException as {@link #newest} */
    public @Nullable Ruleset version(TenantId tenant, long version) {
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
    public List<RulesetVersionBody> history(TenantId tenant, int skip, int limit) {
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
