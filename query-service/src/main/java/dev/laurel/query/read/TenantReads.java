package dev.laurel.query.read;

import dev.laurel.core.rules.AttributeFilters;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.statistics.RankedStreak;
import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.view.AchievementBodies;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserIndexQuery.ListNewestUsers;
import dev.laurel.query.partition.UserQuery.ListStreaks;
import dev.laurel.query.partition.UserQuery.ListUsers;
import dev.laurel.query.partition.UserQuery.ListUsers.CreatedPlace;
import dev.laurel.query.partition.UserQuery.MeasureStreaks;
import dev.laurel.query.partition.UserQuery.ShowStreaks;
import dev.laurel.query.partition.UserQuery.ShowStreaks.ShownStreak;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.PointsSystemBody;
import dev.laurel.schemas.wire.PointsSystemBody.BoostBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelUsersBody;
import dev.laurel.schemas.wire.PointsSystemBody.PointsRangeBody;
import dev.laurel.schemas.wire.StreakBody.RankedStreakBody;
import dev.laurel.schemas.wire.StreakBody.StreakLengthBody;
import dev.laurel.schemas.wire.UserBody;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads across all users of a tenant: achievements (docs/application-api.md §3), streaks (§5), points systems with the numbers of users by
 * ranges of points (§6), and the operators' list of users (docs/admin-api.md B7). Thread-safe.
 */
public record TenantReads(
        Nodes nodes, CurrentCounts counts, RulesetVersions rulesets, InstantSource clock, int maxCandidates) {

    /** The largest offset in the list of users; {@code after} reaches older users. */
    public static final int MAX_SKIPPED_USERS = 10_000;

    /** The maximum read for one list: after midnight, before its timers fire, many of the longest streaks may have ended. */
    private static final int MAX_CANDIDATES = 10_000;

    public TenantReads(Nodes nodes, CurrentCounts counts, RulesetVersions rulesets, InstantSource clock) {
        this(nodes, counts, rulesets, clock, MAX_CANDIDATES);
    }

    /**
     * The active achievements, oldest first, with the number of users who have completed them.
     *
     * @param attributes only achievements whose user filters match these; empty for all
     */
    public List<AchievementBody> achievements(TenantId tenant, Map<String, String> attributes) {
        return new FreshRulesetRetry(rulesets).read(tenant, rules -> {
            expectUserAttributes(rules, attributes);
            List<Achievement> shown = rules.document().achievements().stream()
                    .filter(Achievement::isActive)
                    .filter(a -> attributes.isEmpty() || AttributeFilters.match(a.userAttributes(), attributes))
                    .sorted(Comparator.comparing(Achievement::created).thenComparing(Achievement::number))
                    .toList();
            return counts.addTo(tenant, shown, achievement -> AchievementBodies.of(achievement, rules));
        });
    }

    private static void expectUserAttributes(CompiledRuleset rules, Map<String, String> attributes) {
        Refusal refusal = rules.refusalOfUserAttributes(attributes.keySet());
        if (refusal != null) {
            throw new Refused(refusal);
        }
    }

    /** The system and its active triggers. */
    public PointsSystemBody points(TenantId tenant, String key) {
        return read(tenant, key, PointsBodies::system);
    }

    /** The shared boosts. They start and end at the midnight of each user; the status is that in the default time zone. */
    public List<BoostBody> boosts(TenantId tenant, String key, boolean includeFinished) {
        return read(
                tenant,
                key,
                (system, rules) -> PointsBodies.boosts(
                        system, includeFinished, LocalDays.dayOf(clock.millis(), rules.zoneOf(null))));
    }

    public List<LevelBody> levels(TenantId tenant, String key) {
        return read(tenant, key, (system, _) -> PointsBodies.levels(system));
    }

    /** Users per level, of all levels. */
    public List<LevelUsersBody> levelSummary(TenantId tenant, String key) {
        return read(tenant, key, (system, _) -> {
            if (system.levels().isEmpty()) {
                throw Refused.because("The points system '" + key + "' has no levels.");
            }
            Map<Integer, Long> users = counts.levels(tenant, system.number());
            return system.levels().stream()
                    .map(level -> new LevelUsersBody(PointsBodies.level(level), users.getOrDefault(level.number(), 0L)))
                    .toList();
        });
    }

    /** Users per range of points. @param attributes only users with all of these values */
    public List<PointsRangeBody> pointsSummary(TenantId tenant, String key, Map<String, String> attributes) {
        return read(tenant, key, (system, rules) -> {
            expectUserAttributes(rules, attributes);
            return counts.ranges(
                    tenant,
                    system.number(),
                    attributes.entrySet().stream()
                            .map(pair -> new AttributeFilter(pair.getKey(), pair.getValue()))
                            .toList());
        });
    }

    private <T> T read(TenantId tenant, String key, BiFunction<PointsSystem, CompiledRuleset, T> show) {
        return new FreshRulesetRetry(rulesets).read(tenant, rules -> show.apply(systemOf(rules, key), rules));
    }

    /** @throws Refused if there is no such points system */
    static PointsSystem systemOf(CompiledRuleset rules, String key) {
        PointsSystem system = rules.pointsSystem(key);
        if (system == null) {
            throw new Refused(Refusal.unknown("points system", key));
        }
        return system;
    }

    /** The streaks of these users, longest first, then in the order of the request. Unknown users are left out. */
    public List<StreakLengthBody> streaks(List<UserKey> requested) {
        List<UserKey> users = List.copyOf(new LinkedHashSet<>(requested));
        var known = nodes.ask(new MeasureStreaks(users)).values().stream()
                .collect(Collectors.toMap(StreakLengthBody::userId, Function.identity()));
        return users.stream()
                .map(user -> known.get(user.user().value()))
                .filter(Objects::nonNull)
                .sorted(Comparator.comparingInt(StreakLengthBody::streakLength).reversed())
                .toList();
    }

    /**
     * The users with the longest streaks, in the order of {@link RankedStreak}. The stored streaks give the candidates, whose
     * present streaks are shown. A user whose streak has just ended is therefore not listed.
     *
     * @throws NotReadyException if so many of the candidates have just ended that the list would be too short
     */
    public List<RankedStreakBody> longestStreaks(TenantId tenant, By by, int limit) {
        if (!rulesets.newest(tenant).streak().isEnabled()) {
            return List.of();
        }
        var known = new HashMap<UserId, Optional<ShownStreak>>();
        List<ShownStreak> listed = List.of();
        for (int candidates = limit; ; candidates = Math.min(maxCandidates, candidates * 4)) {
            List<RankedStreak> stored =
                    nodes.ask(new ListStreaks(tenant, by, candidates)).values();
            listed = show(tenant, by, stored, known);
            if (listed.size() >= limit || stored.size() < candidates) {
                break;
            }
            if (candidates == maxCandidates) {
                throw new NotReadyException("too many of the longest streaks have just ended");
            }
        }
        return listed.stream()
                .sorted(Comparator.comparing(ShownStreak::place, RankedStreak.BEST_FIRST))
                .limit(limit)
                .map(user -> new RankedStreakBody(
                        user.place().user().value(),
                        Optional.ofNullable(user.name()),
                        user.place().length()))
                .toList();
    }

    /** @param known the users read so far, so that none is read twice; empty for users without a present streak */
    private List<ShownStreak> show(
            TenantId tenant, By by, List<RankedStreak> stored, Map<UserId, Optional<ShownStreak>> known) {
        List<UserId> next = stored.stream()
                .map(RankedStreak::user)
                .filter(user -> !known.containsKey(user))
                .toList();
        if (!next.isEmpty()) {
            next.forEach(user -> known.put(user, Optional.empty()));
            nodes.ask(new ShowStreaks(tenant, by, next))
                    .values()
                    .forEach(user -> known.put(user.place().user(), Optional.of(user)));
        }
        return stored.stream()
                .flatMap(place -> Objects.requireNonNull(known.get(place.user())).stream())
                .distinct()
                .toList();
    }

    /** @param next the place to continue after; null: there are no more */
    public record UserPage(List<UserBody> users, @Nullable CreatedPlace next) {}

    /**
     * Users, newest first. With a text it reads all users of the tenant, at a cost that grows with their number, and holds no more than the
     * page and what precedes it in memory; without, it reads the page and what precedes it by the index.
     *
     * @param search a text that id, name or email contains, in any case; empty for all users
     * @param after only users that follow this place; null: from the newest
     * @param skip {@link #MAX_SKIPPED_USERS} at most
     */
    public UserPage users(TenantId tenant, String search, @Nullable CreatedPlace after, int skip, int limit) {
        int wanted = skip + limit + 1;
        List<UserBody> found = nodes.ask(
                        search.isEmpty()
                                ? new ListNewestUsers(tenant, after, wanted)
                                : new ListUsers(tenant, search.toLowerCase(Locale.ROOT), after, wanted))
                .values();
        List<UserBody> page = found.stream().skip(skip).limit(limit).toList();
        UserBody last = found.size() < wanted ? null : page.getLast();
        return new UserPage(
                page, last == null ? null : new CreatedPlace(last.created().toEpochMilli(), new UserId(last.id())));
    }
}
