package dev.laurel.schemas.ruleset.edit;

import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.ObjectIdentity.Origin;
import dev.laurel.schemas.ruleset.ObjectIdentity;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

import static dev.laurel.schemas.ruleset.edit.ObjectIdResolver.within;

/**
 * The objects of the present version, by the keys that the same objects have in an edit. Renamed objects are found, and
 * references to them are renamed; an object that merely has the key of another object is not found. Belongs to one edit.
 */
final class FormerObjects {

    private final Entries<Achievement> achievements = new Entries<>("achievement");
    private final Entries<Leaderboard> leaderboards = new Entries<>("leaderboard");
    private final Entries<PointsTrigger> triggers = new Entries<>("trigger");
    private final Map<String, Webhook> webhooks;
    private final Map<String, Template> templates;
    /** The new keys of renamed achievements, by their former keys. */
    private final Map<String, String> newKeys = new HashMap<>();

    FormerObjects(Ruleset current, List<Origin> origins) {
        current.achievements().forEach(a -> achievements.add(a.id(), a.key(), a));
        current.leaderboards().forEach(l -> leaderboards.add(l.id(), l.key(), l));
        for (PointsSystem system : current.pointsSystems()) {
            system.triggers().forEach(t -> triggers.add(t.id(), within(system.key(), t.key()), t));
        }
        webhooks = current.webhooks().stream().collect(Collectors.toMap(Webhook::key, webhook -> webhook));
        templates = current.notifications().templates().stream()
                .collect(Collectors.toMap(Template::key, template -> template));
        for (Origin origin : origins) {
            achievements.apply(origin);
            leaderboards.apply(origin);
            triggers.apply(origin);
        }
        achievements.byKey.forEach((key, former) -> {
            if (!former.key().equals(key)) {
                newKeys.put(former.key(), key);
            }
        });
    }

    /** The achievement with its key in the edit and those of its prerequisites; null if it is new. */
    @Nullable
    Achievement achievement(String key) {
        Achievement achievement = achievements.get(key);
        if (achievement == null || newKeys.isEmpty()) {
            return achievement;
        }
        AchievementTrigger trigger = achievement.trigger() instanceof AchievementTrigger.Composite(List<String> keys)
                ? new AchievementTrigger.Composite(keys.stream().map(k -> newKeys.getOrDefault(k, k)).toList())
                : achievement.trigger();
        return Records.with(achievement, "key", key, "trigger", trigger);
    }

    /** The former key of the achievement; null if it is new. */
    @Nullable
    String formerKeyOfAchievement(String key) {
        Former<Achievement> former = achievements.byKey.get(key);
        return former == null ? null : former.key();
    }

    /** The leaderboard with its former key; null if it is new. */
    @Nullable
    Leaderboard leaderboard(String key) {
        return leaderboards.get(key);
    }

    /** @param key see {@link ObjectIdResolver#within} @return null if the trigger is new */
    @Nullable
    PointsTrigger trigger(String key) {
        PointsTrigger trigger = triggers.get(key);
        return trigger != null && trigger.rule() instanceof TriggerRule.AchievementCompletion(String achievement)
                && newKeys.containsKey(achievement)
                        ? Records.with(trigger, "rule",
                                new TriggerRule.AchievementCompletion(newKeys.get(achievement)))
                        : trigger;
    }

    @Nullable
    Webhook webhook(String key) {
        return webhooks.get(key);
    }

    @Nullable
    Template template(String key) {
        return templates.get(key);
    }

    /** An object of the present version with its id and key. */
    private record Former<T>(UUID id, String key, T object) {}

    /** The objects of one kind. */
    private static final class Entries<T> {

        private final String kind;
        private final Map<UUID, Former<T>> byId = new HashMap<>();
        private final Map<String, Former<T>> byKey = new HashMap<>();

        Entries(String kind) {
            this.kind = kind;
        }

        void add(UUID id, String key, T object) {
            var former = new Former<>(id, key, object);
            byId.put(id, former);
            byKey.put(key, former);
        }

        @Nullable
        T get(String key) {
            Former<T> former = byKey.get(key);
            return former == null ? null : former.object();
        }

        void apply(Origin origin) {
            switch (origin) {
                case Origin.Fresh(String of, String key) when of.equals(kind) -> byKey.remove(key);
                case Origin.Renamed(String of, String from, String to) when of.equals(kind) ->
                    put(to, byKey.remove(from));
                case Origin.Earlier(ObjectIdentity earlier) when earlier.kind().equals(kind) -> {
                    byKey.values().removeIf(former -> former.id().equals(earlier.id()));
                    byKey.remove(earlier.key());
                    put(earlier.key(), byId.get(earlier.id()));
                }
                case Origin.Fresh _,Origin.Renamed _,Origin.Earlier _ -> {
                    // of another kind
                }
            }
        }

        private void put(String key, @Nullable Former<T> former) {
            if (former != null) {
                byKey.put(key, former);
            }
        }
    }
}
