package dev.laurel.query.read;

import dev.laurel.processors.core.statistics.RankedStreak.By;
import dev.laurel.processors.core.statistics.RankedStreak;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.StreakQuery.ListStreaks;
import dev.laurel.query.partition.StreakQuery.MeasureStreaks;
import dev.laurel.query.partition.StreakQuery.ShowStreaks.ShownStreak;
import dev.laurel.query.partition.StreakQuery.ShowStreaks;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.StreakBody.RankedStreakBody;
import dev.laurel.schemas.wire.StreakBody.StreakLengthBody;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads about the streaks of several users (docs/application-api.md §5). Thread-safe. */
public final class StreakReads {

    /** The maximum read for one list: after midnight, before its timers fire, many of the longest streaks may have ended. */
    private static final int MAX_CANDIDATES = 1_000;

    private final Nodes nodes;
    private final RulesetVersions rulesets;

    public StreakReads(Nodes nodes, RulesetVersions rulesets) {
        this.nodes = nodes;
        this.rulesets = rulesets;
    }

    /** The streaks of these users, longest first, then in the order of the request. Unknown users are left out. */
    public List<StreakLengthBody> lengths(List<UserKey> asked) {
        List<UserKey> users = List.copyOf(new LinkedHashSet<>(asked));
        var known = nodes.ask(new MeasureStreaks(users)).streaks().stream()
                .collect(Collectors.toMap(StreakLengthBody::userId, Function.identity()));
        return users.stream().map(user -> known.get(user.user().value())).filter(Objects::nonNull)
                .sorted(Comparator.comparingInt(StreakLengthBody::streakLength).reversed()).toList();
    }

    /**
     * The users with the longest streaks, in the order of {@link RankedStreak}. Candidates are found by their stored streaks and
     * shown as of now, so a user whose streak has just ended is not listed.
     *
     * @throws NotReadyException while the candidates are not known
     */
    public Result<List<RankedStreakBody>> rankings(TenantId tenant, By by, int limit) {
        if (!rulesets.newest(tenant).streak().isEnabled()) {
            return Result.found(List.of());
        }
        var shown = new HashMap<UserId, Optional<ShownStreak>>();
        int candidates = limit;
        List<RankedStreak> places = best(tenant, by, candidates);
        if (places == null) {
            throw new NotReadyException("the list of the longest streaks is being rebuilt");
        }
        List<ShownStreak> listed = show(tenant, by, places, shown);
        while (listed.size() < limit && places.size() == candidates && candidates < MAX_CANDIDATES) {
            candidates = Math.min(MAX_CANDIDATES, candidates * 4);
            List<RankedStreak> more = best(tenant, by, candidates);
            if (more == null) {
                break;
            }
            places = more;
            listed = show(tenant, by, places, shown);
        }
        return Result.found(listed.stream().sorted(Comparator.comparing(ShownStreak::place, RankedStreak.BEST_FIRST))
                .limit(limit)
                .map(user -> new RankedStreakBody(user.place().user().value(), Optional.ofNullable(user.name()),
                        user.place().length()))
                .toList());
    }

    /** The best of all partitions; null if they are not known. */
    private @Nullable List<RankedStreak> best(TenantId tenant, By by, int limit) {
        return nodes.ask(new ListStreaks(tenant, by, limit)).places();
    }

    /** @param shown the users shown so far, so that none is read twice; empty for users without a place now */
    private List<ShownStreak> show(TenantId tenant, By by, List<RankedStreak> places,
            Map<UserId, Optional<ShownStreak>> shown) {
        List<UserId> next = places.stream().map(RankedStreak::user).filter(user -> !shown.containsKey(user)).toList();
        if (!next.isEmpty()) {
            next.forEach(user -> shown.put(user, Optional.empty()));
            nodes.ask(new ShowStreaks(tenant, by, next)).listed()
                    .forEach(user -> shown.put(user.place().user(), Optional.of(user)));
        }
        return places.stream().flatMap(place -> Objects.requireNonNull(shown.get(place.user())).stream())
                .distinct().toList();
    }
}
