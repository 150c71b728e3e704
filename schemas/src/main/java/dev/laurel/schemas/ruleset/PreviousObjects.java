package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import static dev.laurel.schemas.ruleset.ObjectIdResolver.within;

/**
 * The objects of the present version, by the keys that the same objects have in an edit. A renamed object is found, references
 * to it included; an object that only has the key of another one is not taken for it. Belongs to one edit.
 */
final class PreviousObjects {

    private final Entries<Achievement> achievements;
    private final Entries<Leaderboard> leaderboards;
    private final Entries<PointsTrigger> triggers;
    private final Map<String, Achievement> renamedAchievements = new HashMap<>();
    private final Map<String, PointsTrigger> renamedTriggers = new HashMap<>();

    PreviousObjects(Ruleset current, List<Origin> origins) {
        achievements = new Entries<>("achievement", current.achievements(), Achievement::id, Achievement::key);
        leaderboards = new Entries<>("leaderboard", current.leaderboards(), Leaderboard::id, Leaderboard::key);
        var systemOf = new HashMap<UUID, String>();
        current.pointsSystems().forEach(s -> s.triggers().forEach(t -> systemOf.put(t.id(), s.key())));
        List<PointsTrigger> all = current.pointsSystems().stream().flatMap(s -> s.triggers().stream()).toList();
        triggers = new Entries<>("trigger", all, PointsTrigger::id, t -> within(systemOf.get(t.id()), t.key()));
        for (Origin origin : origins) {
            achievements.comesFrom(origin);
            leaderboards.comesFrom(origin);
            triggers.comesFrom(origin);
        }
        Map<String, String> newKeys = achievements.newKeys();
        achievements.byKey.forEach((key, a) -> renamedAchievements.put(key, renamed(a, key, newKeys)));
        triggers.byKey.forEach((key, t) -> renamedTriggers.put(key, newKeys.isEmpty() ? t : renamed(t, newKeys)));
    }

    /** Null if it is new. Under the key that it has now, as are its prerequisites. */
    Achievement achievement(String key) {
        return renamedAchievements.get(key);
    }

    /** Null if it is new. Under the key that it had. */
    Leaderboard leaderboard(String key) {
        return leaderboards.byKey.get(key);
    }

    /** Null if it is new. @param key see {@link ObjectIdResolver#within} */
    PointsTrigger trigger(String key) {
        return renamedTriggers.get(key);
    }

    /** What the achievement that has this key now was called before; null if it is new. */
    String formerKeyOfAchievement(String key) {
        Achievement before = achievements.byKey.get(key);
        return before == null ? null : before.key();
    }

    private static Achievement renamed(Achievement a, String key, Map<String, String> newKeys) {
        if (newKeys.isEmpty()) {
            return a;
        }
        AchievementTrigger trigger = a.trigger() instanceof AchievementTrigger.Composite(List<String> keys)
                ? new AchievementTrigger.Composite(keys.stream().map(k -> newKeys.getOrDefault(k, k)).toList())
                : a.trigger();
        return Records.with(a, "key", key, "trigger", trigger);
    }

    private static PointsTrigger renamed(PointsTrigger t, Map<String, String> newKeys) {
        TriggerRule rule = t.rule() instanceof TriggerRule.AchievementCompletion(String key)
                ? new TriggerRule.AchievementCompletion(newKeys.getOrDefault(key, key))
                : t.rule();
        return Records.with(t, "rule", rule);
    }

    /** The objects of one kind. */
    private static final class Entries<T> {

        private final String kind;
        private final Collection<T> all;
        private final Function<T, UUID> idOf;
        private final Function<T, String> keyOf;
        private final Map<String, T> byKey = new HashMap<>();

        Entries(String kind, Collection<T> all, Function<T, UUID> idOf, Function<T, String> keyOf) {
            this.kind = kind;
            this.all = all;
            this.idOf = idOf;
            this.keyOf = keyOf;
            all.forEach(object -> byKey.put(keyOf.apply(object), object));
        }

        void comesFrom(Origin origin) {
            switch (origin) {
                case Origin.Fresh(String of, String key) when of.equals(kind) -> byKey.remove(key);
                case Origin.Renamed(String of, String from, String to) when of.equals(kind) -> {
                    T object = byKey.remove(from);
                    if (object != null) {
                        byKey.put(to, object);
                    }
                }
                case Origin.Earlier(ObjectIdentity object) when object.kind().equals(kind) -> isNow(object);
                case Origin.Fresh _,Origin.Renamed _,Origin.Earlier _ -> {
                    // of another kind
                }
            }
        }

        private void isNow(ObjectIdentity earlier) {
            byKey.values().removeIf(object -> idOf.apply(object).equals(earlier.id()));
            byKey.remove(earlier.key());
            all.stream().filter(object -> idOf.apply(object).equals(earlier.id())).findFirst()
                    .ifPresent(object -> byKey.put(earlier.key(), object));
        }

        /** The new keys of those that have one, by their old keys. */
        Map<String, String> newKeys() {
            var newKeys = new HashMap<String, String>();
            byKey.forEach((key, object) -> {
                if (!keyOf.apply(object).equals(key)) {
                    newKeys.put(keyOf.apply(object), key);
                }
            });
            return newKeys;
        }
    }
}
