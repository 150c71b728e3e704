package dev.laurel.query.read;

import dev.laurel.query.question.Nodes;
import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.admin.ObjectForms;
import dev.laurel.schemas.admin.ObjectKind;
import dev.laurel.schemas.admin.SettingsForms;
import dev.laurel.schemas.admin.SettingsKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.wire.AchievementConfigBody;
import dev.laurel.schemas.wire.AdminBody;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What operators have configured, as of the moment of the read: an edit that any gateway has answered is in it. Thread-safe;
 * knows no HTTP.
 */
public final class ConfigReads {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Rulesets rulesets;
    private final NewestRules newest;
    private final AccessView access;
    private final InstantSource clock;
    private final Completions completions;

    /** How many users have each of these achievements, in their order. */
    @FunctionalInterface
    public interface Completions {

        /** @throws NotReadyException if it is not known here now */
        long[] of(TenantId tenant, List<Achievement> achievements);
    }

    /** @param clock what reads take for now */
    public ConfigReads(Rulesets rulesets, AccessView access, InstantSource clock, Completions completions) {
        this.rulesets = rulesets;
        this.newest = new NewestRules(rulesets);
        this.access = access;
        this.clock = clock;
        this.completions = completions;
    }

    /** @param clock what reads take for now */
    public ConfigReads(Rulesets rulesets, AccessView access, InstantSource clock, Nodes nodes) {
        this(rulesets, access, clock,
                (tenant, achievements) -> CompletionCounts.of(nodes, tenant, achievements).completions());
    }

    /**
     * All objects of a kind, oldest first.
     *
     * @param parent id of the points system they belong to, null where there is none
     * @return null if there is no such points system
     * @throws NotReadyException if it cannot be found out whether there is a newer version
     */
    public List<? extends AdminBody> objects(TenantId tenant, ObjectKind kind, UUID parent)
            throws InterruptedException {
        return ObjectForms.bodies(kind, newest(tenant), parent, clock.instant());
    }

    /** With what is known of their users, where objects of this kind show that. @throws NotReadyException if it is not known */
    public List<? extends AdminBody> counted(TenantId tenant, List<? extends AdminBody> objects) {
        var achievements = rulesets.newest(tenant).achievements().stream()
                .collect(Collectors.toMap(Achievement::id, Function.identity()));
        List<Achievement> shown = objects.stream().map(object -> achievements.get(object.id()))
                .filter(Objects::nonNull).toList();
        if (shown.isEmpty()) {
            return objects;
        }
        long[] counts = completions.of(tenant, shown);
        var byId = new HashMap<UUID, Long>();
        for (int i = 0; i < counts.length; i++) {
            byId.put(shown.get(i).id(), counts[i]);
        }
        return objects.stream().map(object -> object instanceof AchievementConfigBody achievement
                ? achievement.counted(byId.getOrDefault(achievement.id(), 0L))
                : object).toList();
    }

    /**
     * One of the singletons.
     *
     * @throws NotReadyException as {@link #objects}
     */
    public Object settings(TenantId tenant, SettingsKind kind) throws InterruptedException {
        Ruleset ruleset = newest(tenant);
        return SettingsForms.body(kind, ruleset, newestAccess());
    }

    /**
     * The secret that signs what a webhook is sent.
     *
     * @return null if there is no such webhook
     * @throws NotReadyException as {@link #objects}
     */
    public String signingSecret(TenantId tenant, UUID webhook) throws InterruptedException {
        return newestAccess().secret(tenant, webhook.toString(), Secret.SIGNING);
    }

    private AccessBook newestAccess() throws InterruptedException {
        if (!access.awaitNewest(PATIENCE)) {
            throw new NotReadyException("keys and secrets cannot be followed now");
        }
        return access.book();
    }

    /** @throws NotReadyException if it cannot be found out whether there is a newer version */
    Ruleset newest(TenantId tenant) throws InterruptedException {
        return newest.of(tenant);
    }
}
