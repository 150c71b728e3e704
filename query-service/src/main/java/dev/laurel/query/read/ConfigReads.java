package dev.laurel.query.read;

import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.admin.ObjectBodies;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.wire.ObjectBody;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads what operators have configured: objects, settings and keys. It includes every edit that any gateway has answered before
 * the read. Thread-safe.
 */
public final class ConfigReads {

    private final Rulesets rulesets;
    private final AccessView access;
    private final InstantSource clock;
    private final PresentCounts counts;

    /** @param clock gives the present time to all reads */
    public ConfigReads(Rulesets rulesets, AccessView access, InstantSource clock, PresentCounts counts) {
        this.rulesets = rulesets;
        this.access = access;
        this.clock = clock;
        this.counts = counts;
    }

    /**
     * All objects of a kind, oldest first.
     *
     * @param parent id of the points system they belong to, null where there is none
     * @return null if there is no such points system
     * @throws NotReadyException if it is not known in time whether there is a newer version
     */
    public @Nullable List<ObjectBody> objects(TenantId tenant, ObjectKind kind, @Nullable UUID parent)
            throws InterruptedException {
        return ObjectBodies.of(kind, newest(tenant), parent, clock.instant());
    }

    /** Adds the number of completions to achievements. @throws NotReadyException if they cannot be counted now */
    public List<ObjectBody> counted(TenantId tenant, List<ObjectBody> objects) {
        var achievements = rulesets.newest(tenant).achievements().stream()
                .collect(Collectors.toMap(Achievement::id, Function.identity()));
        if (objects.stream().noneMatch(object -> achievements.containsKey(object.id()))) {
            return objects;
        }
        Map<Integer, Long> completions = counts.completions(tenant);
        return objects.stream().map(object -> {
            Achievement achievement = achievements.get(object.id());
            return achievement == null
                    ? object
                    : object.with("completions", completions.getOrDefault(achievement.number(), 0L));
        }).toList();
    }

    /**
     * The body of a singleton.
     *
     * @throws NotReadyException as {@link #objects}
     */
    public Object settings(TenantId tenant, SettingsKind kind) throws InterruptedException {
        return ObjectBodies.settings(kind, newest(tenant), access());
    }

    /** The account of an instance with several tenants, for a request that names none of them. */
    public Object settingsOfInstance() throws InterruptedException {
        return ObjectBodies.ofInstance(access());
    }

    /**
     * The secret that signs the requests to a webhook.
     *
     * @return null if there is no such webhook
     * @throws NotReadyException as {@link #objects}
     */
    public @Nullable String signingSecret(TenantId tenant, UUID webhook) throws InterruptedException {
        return access().secret(tenant, webhook.toString(), Secret.SIGNING);
    }

    /** Keys, tenants and secrets. @throws NotReadyException if it is not known in time whether there are newer records */
    public AccessIndex access() throws InterruptedException {
        return NewestConfig.access(access);
    }

    /** The newest ruleset. @throws NotReadyException if it is not known in time whether there is a newer version */
    public Ruleset newest(TenantId tenant) throws InterruptedException {
        return NewestConfig.ruleset(rulesets, tenant);
    }
}
