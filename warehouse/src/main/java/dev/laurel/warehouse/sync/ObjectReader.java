package dev.laurel.warehouse.sync;

import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.RulesetKey;
import dev.laurel.warehouse.Table;
import dev.laurel.warehouse.sync.Warehouse.Objects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Finds the objects that the numbers in rows stand for: those of the newest version of each tenant with rows, and those of older versions
 * that awards name, whose triggers the newest version may not have any more. One thread.
 */
final class ObjectReader {

    /** Of versions that awards name. One that is forgotten is read again, which changes nothing. */
    private static final int MAX_REMEMBERED = 100_000;

    private final RulesetTable rulesets;
    private final Map<String, Long> written;
    private final Set<String> met = new HashSet<>();
    private final Set<RulesetKey> named = new HashSet<>();
    private final Map<RulesetKey, Boolean> read = new LinkedHashMap<>(16, 0.75f, true) {

        @Override
        protected boolean removeEldestEntry(Map.Entry<RulesetKey, Boolean> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };

    /** @param written the newest versions in the tables, by tenant */
    ObjectReader(RulesetTable rulesets, Map<String, Long> written) {
        this.rulesets = rulesets;
        this.written = written;
    }

    /** Takes notice of a tenant with rows. */
    void meet(String tenant) {
        if (!written.containsKey(tenant)) {
            met.add(tenant);
        }
    }

    /** Takes notice of a version that an award names. */
    void meet(String tenant, long version) {
        var key = new RulesetKey(new TenantId(tenant), version);
        if (!read.containsKey(key)) {
            named.add(key);
        }
    }

    /** What is to be written about the rules now. @param all whether tenants whose rows did not change are looked at, too */
    List<Objects> changes(boolean all) {
        var changes = new ArrayList<Objects>();
        Set<String> tenants = new HashSet<>(met);
        if (all) {
            tenants.addAll(written.keySet());
        }
        for (String tenant : tenants) {
            var id = new TenantId(tenant);
            long newest = rulesets.newestVersion(id);
            if (newest > written.getOrDefault(tenant, 0L)) {
                Ruleset ruleset = rulesets.newest(id);
                changes.add(new Objects(tenant, ruleset.version(), true, rows(tenant, ruleset, true)));
            }
        }
        for (RulesetKey key : named) {
            Ruleset ruleset = rulesets.version(key.tenant(), key.version());
            if (ruleset != null) {
                changes.add(new Objects(
                        key.tenant().value(),
                        key.version(),
                        false,
                        rows(key.tenant().value(), ruleset, false)));
            }
        }
        return changes;
    }

    /** Takes notice that changes are in the tables. */
    void written(List<Objects> changes) {
        for (Objects objects : changes) {
            if (objects.isNewest()) {
                written.put(objects.tenant(), objects.version());
            }
            read.put(new RulesetKey(new TenantId(objects.tenant()), objects.version()), true);
        }
        met.removeIf(written::containsKey);
        named.clear();
    }

    /** The tables are empty again. */
    void forget() {
        written.clear();
        read.clear();
    }

    private static List<@Nullable Object[]> rows(String tenant, Ruleset ruleset, boolean areCurrent) {
        var rows = new Rows(tenant, areCurrent, new ArrayList<>());
        ruleset.metrics().forEach(it -> rows.add(it.number(), "metric", it.key(), it.name(), it.id(), null));
        ruleset.achievements().forEach(it -> rows.add(it.number(), "achievement", it.key(), it.name(), it.id(), null));
        for (PointsSystem system : ruleset.pointsSystems()) {
            rows.add(system.number(), "points", system.key(), system.name(), system.id(), null);
            system.triggers()
                    .forEach(it -> rows.add(it.number(), "trigger", it.key(), type(it), it.id(), system.number()));
        }
        ruleset.leaderboards().forEach(it -> rows.add(it.number(), "leaderboard", it.key(), it.name(), it.id(), null));
        var removed = new Rows(tenant, false, rows.all);
        ruleset.retired().forEach(it -> removed.add(it.number(), it.kind(), it.key(), it.key(), it.id(), null));
        return rows.all;
    }

    /** Rows of {@link Table#OBJECTS}. */
    private record Rows(String tenant, boolean areCurrent, List<@Nullable Object[]> all) {

        void add(int number, String kind, String key, String name, UUID id, @Nullable Integer parent) {
            all.add(new @Nullable Object[] {tenant, number, kind, key, name, id.toString(), parent, areCurrent});
        }
    }

    private static String type(PointsTrigger trigger) {
        return switch (trigger.rule()) {
            case TriggerRule.MetricThreshold _ -> "metric";
            case TriggerRule.AchievementCompletion _ -> "achievement";
            case TriggerRule.StreakReached _ -> "streak";
            case TriggerRule.TimeInterval _ -> "time";
            case TriggerRule.UserCreation _ -> "user_creation";
            case TriggerRule.FinalRank _ -> "leaderboard";
        };
    }
}
