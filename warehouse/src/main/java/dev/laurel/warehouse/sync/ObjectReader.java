package dev.laurel.warehouse.sync;

import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity;
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
        private static final long serialVersionUID = 1L;

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
        var rows = new ArrayList<@Nullable Object[]>();
        for (Metric metric : ruleset.metrics()) {
            rows.add(
                    row(tenant, metric.number(), "metric", metric.key(), metric.name(), metric.id(), null, areCurrent));
        }
        for (Achievement achievement : ruleset.achievements()) {
            rows.add(row(
                    tenant,
                    achievement.number(),
                    "achievement",
                    achievement.key(),
                    achievement.name(),
                    achievement.id(),
                    null,
                    areCurrent));
        }
        for (PointsSystem system : ruleset.pointsSystems()) {
            rows.add(
                    row(tenant, system.number(), "points", system.key(), system.name(), system.id(), null, areCurrent));
            for (PointsTrigger trigger : system.triggers()) {
                rows.add(row(
                        tenant,
                        trigger.number(),
                        "trigger",
                        trigger.key(),
                        type(trigger),
                        trigger.id(),
                        system.number(),
                        areCurrent));
            }
        }
        for (Leaderboard board : ruleset.leaderboards()) {
            rows.add(row(
                    tenant, board.number(), "leaderboard", board.key(), board.name(), board.id(), null, areCurrent));
        }
        for (ObjectIdentity removed : ruleset.retired()) {
            rows.add(row(
                    tenant, removed.number(), removed.kind(), removed.key(), removed.key(), removed.id(), null, false));
        }
        return rows;
    }

    /** The columns of {@link Table#OBJECTS}. */
    private static @Nullable Object[] row(
            String tenant,
            int number,
            String kind,
            String key,
            String name,
            UUID id,
            @Nullable Integer parent,
            boolean isCurrent) {
        return new @Nullable Object[] {tenant, number, kind, key, name, id.toString(), parent, isCurrent};
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
