package dev.laurel.query.read;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.wire.PointsSystemBody.BoostBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelUsersBody;
import dev.laurel.schemas.wire.PointsSystemBody.PointsRangeBody;
import dev.laurel.schemas.wire.PointsSystemBody;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Reads about points systems (docs/application-api.md §6) and the users who have points in them, as {@link PresentCounts} counts them.
 * Thread-safe.
 */
public final class PointsReads {

    private final PresentCounts counts;
    private final RulesetVersions rulesets;
    private final InstantSource clock;
    private final FreshRulesetRetry retry;

    public PointsReads(PresentCounts counts, RulesetVersions rulesets, InstantSource clock) {
        this.counts = counts;
        this.rulesets = rulesets;
        this.clock = clock;
        this.retry = new FreshRulesetRetry(rulesets);
    }

    /** The system and its active triggers. */
    public Result<PointsSystemBody> system(TenantId tenant, String key) {
        return read(tenant, key, (system, rules) -> Result.found(PointsBodies.system(system, rules)));
    }

    /** The shared boosts. They start and end at the midnight of each user; the status is that in the default time zone. */
    public Result<List<BoostBody>> boosts(TenantId tenant, String key, boolean includeFinished) {
        return read(tenant, key, (system, rules) -> Result.found(PointsBodies.boosts(system, includeFinished,
                LocalDays.dayOf(clock.millis(), rules.zoneOf(null)))));
    }

    public Result<List<LevelBody>> levels(TenantId tenant, String key) {
        return read(tenant, key, (system, _) -> Result.found(PointsBodies.levels(system)));
    }

    /** Users per level, of all levels. */
    public Result<List<LevelUsersBody>> levelSummary(TenantId tenant, String key) {
        return read(tenant, key, (system, _) -> {
            if (system.levels().isEmpty()) {
                return Result.missing(Refusal.invalid("The points system '" + key + "' has no levels."));
            }
            Map<Integer, Long> users = counts.levels(tenant, system.number());
            return Result.found(system.levels().stream().map(
                    level -> new LevelUsersBody(PointsBodies.level(level), users.getOrDefault(level.number(), 0L)))
                    .toList());
        });
    }

    /** Users per range of points. @param attributes only users with all of these values */
    public Result<List<PointsRangeBody>> summary(TenantId tenant, String key, Map<String, String> attributes) {
        return read(tenant, key, (system, rules) -> {
            Refusal refusal = rules.refusalOfUserAttributes(attributes.keySet());
            if (refusal != null) {
                return Result.missing(refusal);
            }
            List<AttributeFilter> filters = attributes.entrySet().stream()
                    .map(pair -> new AttributeFilter(pair.getKey(), pair.getValue())).toList();
            return Result.found(counts.ranges(tenant, system.number(), filters));
        });
    }

    private <T> Result<T> read(TenantId tenant, String key,
            BiFunction<PointsSystem, CompiledRuleset, Result<T>> show) {
        return retry.read(tenant, () -> {
            CompiledRuleset rules = rulesets.newest(tenant);
            PointsSystem system = rules.pointsSystem(key);
            return system == null ? Result.missing(Refusal.unknownPointsSystem(key)) : show.apply(system, rules);
        });
    }
}
