package dev.laurel.query.read;

import dev.laurel.processors.core.account.AccountIndex;
import dev.laurel.processors.core.rules.AttributeFilters;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.LocalDays;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.view.LevelUsers;
import dev.laurel.processors.core.view.PointsBodies;
import dev.laurel.processors.core.view.PointsRanges;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.Partitions;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.AttributeFilter;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.wire.BoostBody;
import dev.laurel.schemas.wire.LevelBody;
import dev.laurel.schemas.wire.LevelUsersBody;
import dev.laurel.schemas.wire.PointsRangeBody;
import dev.laurel.schemas.wire.PointsSystemBody;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Reads about points systems and about all users who have points in them. The two summaries come from counts that
 * are kept in memory. Only where the attributes of users are too various for that, a summary by attributes goes through every
 * user: exact, too, at a cost that grows with their number. Thread-safe; knows no HTTP.
 */
public final class PointsReads {

    private final Partitions partitions;
    private final RulesetVersions rulesets;
    private final InstantSource clock;
    private final SecondLook secondLook;

    public PointsReads(Partitions partitions, RulesetVersions rulesets, InstantSource clock) {
        this.partitions = partitions;
        this.rulesets = rulesets;
        this.clock = clock;
        this.secondLook = new SecondLook(rulesets);
    }

    /** The system and its active triggers. */
    public Result<PointsSystemBody> system(TenantId tenant, String key) {
        return read(tenant, key, (system, rules) -> Result.found(PointsBodies.system(system, rules)));
    }

    /**
     * The boosts of no single user. They start and end at midnight of each user; what they are called here is judged in the
     * default time zone.
     */
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
            var users = new LevelUsers(system);
            for (AccountIndex account : partitions.accounts()) {
                account.forEachTotal(tenant, system.number(), List.of(), users::add);
            }
            return Result.found(users.toBodies());
        });
    }

    /** Users per range of points. @param attributes only users who have all of these values */
    public Result<List<PointsRangeBody>> summary(TenantId tenant, String key, Map<String, String> attributes) {
        return read(tenant, key, (system, rules) -> {
            Refusal refusal = rules.refusalOfUserAttributes(attributes.keySet());
            if (refusal != null) {
                return Result.missing(refusal);
            }
            List<AttributeFilter> filters = attributes.entrySet().stream()
                    .map(asked -> new AttributeFilter(asked.getKey(), asked.getValue())).toList();
            PointsRanges ranges = ranges(tenant, system.number(), filters);
            return Result.found((ranges == null ? recount(tenant, system.number(), filters) : ranges).toBodies());
        });
    }

    /** Null if a partition does not know who matches. */
    private PointsRanges ranges(TenantId tenant, int system, List<AttributeFilter> filters) {
        var ranges = new PointsRanges();
        for (AccountIndex account : partitions.accounts()) {
            if (!account.forEachTotal(tenant, system, filters, ranges::add)) {
                return null;
            }
        }
        return ranges;
    }

    private PointsRanges recount(TenantId tenant, int system, List<AttributeFilter> filters) {
        var ranges = new PointsRanges();
        partitions.readAll(reader -> {
            reader.forEachUser(tenant, user -> {
                if (AttributeFilters.match(filters, user.profile().attributes())) {
                    ranges.add(PointsState.totalOf(user.points(), system), 1);
                }
            });
            return ranges;
        });
        return ranges;
    }

    private <T> Result<T> read(TenantId tenant, String key,
            BiFunction<PointsSystem, CompiledRuleset, Result<T>> show) {
        return secondLook.read(tenant, () -> {
            CompiledRuleset rules = rulesets.newest(tenant);
            PointsSystem system = rules.pointsSystem(key);
            return system == null ? Result.missing(Refusal.unknownPointsSystem(key)) : show.apply(system, rules);
        });
    }
}
