package dev.laurel.query.partition;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.statistics.Contenders;
import dev.laurel.processors.core.statistics.RankedUser;
import dev.laurel.processors.core.statistics.StatisticsIndex;
import dev.laurel.processors.core.statistics.TopUsers.Ranking;
import dev.laurel.processors.core.statistics.UserValue;
import dev.laurel.processors.core.user.LocalDays;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.query.partition.RankUsers.RankedPlaces;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lists the users with the highest values of a kind, the highest first, then by id. A partition keeps them in memory, and reads the users
 * that it lists. If it cannot exclude that others are among them, it reads every user instead, at a cost that grows with their number. That
 * happens while a list that has lost many users is rebuilt, and if values below zero leave the windows of some time zones before those of
 * others. The result is exact in all cases.
 *
 * @param object the number of a metric or a points system; 0 for a ranking without
 */
public record RankUsers(TenantId tenant, Ranking ranking, int object, int limit) implements UserQuery<RankedPlaces> {

    /** @param places best first; null while a partition does not know the days of now */
    public record RankedPlaces(@Nullable List<Place> places) {}

    public record Place(UserId user, @Nullable String name, BigDecimal value) {

        private static final Comparator<Place> BEST_FIRST = Comparator
                .comparing((Place place) -> new RankedUser(place.user, place.value));
    }

    @Override
    public boolean readsEveryUser() {
        return true;
    }

    @Override
    public RankedPlaces answer(LocalNode node, List<Integer> partitions) {
        List<StatisticsIndex> indexes = node.statistics(tenant, partitions);
        return merge(IntStream.range(0, indexes.size())
                .mapToObj(i -> new RankedPlaces(places(node, partitions.get(i), indexes.get(i)))).toList());
    }

    private @Nullable List<Place> places(LocalNode node, int partition, StatisticsIndex index) {
        Contenders contenders = index.contenders(ranking, object);
        if (contenders == null) {
            return List.of();
        }
        Map<UserId, @Nullable String> names = new HashMap<>();
        int today = LocalDays.dayOf(node.clock().millis(), ZoneOffset.UTC);
        // No time zone is a whole day ahead of UTC, or behind it.
        if (!contenders.hasColumns(today - 1, today + 1)) {
            return null;
        }
        List<RankedUser> best = contenders.best(limit, today - 1, today + 1, user -> date(node, user, names));
        return best == null
                ? recounted(node, partition)
                : best.stream().map(place -> new Place(place.user(), names.get(place.user()), place.value())).toList();
    }

    /** The local date of a user; null if there is no such user. @param names gets the name of the user */
    private @Nullable Integer date(LocalNode node, UserId user, Map<UserId, @Nullable String> names) {
        return node.partitions().readUser(new UserKey(tenant, user).bytes(), (state, _) -> {
            if (state == null) {
                return null;
            }
            names.put(user, state.profile().name());
            return Bodies.today(state, node.rulesets().newest(tenant), node.clock().millis());
        });
    }

    private List<Place> recounted(LocalNode node, int partition) {
        CompiledRuleset rules = node.rulesets().newest(tenant);
        long nowMs = node.clock().millis();
        var best = new TreeSet<>(Place.BEST_FIRST);
        node.readEach(List.of(partition), reader -> {
            reader.forEachUser(tenant, user -> {
                int today = Bodies.today(user, rules, nowMs);
                BigDecimal most = UserValue.atMost(ranking, object, user, today);
                if (most == null || mayBeAmong(best, new Place(user.id(), null, most))) {
                    byte[] key = new UserKey(tenant, user.id()).bytes();
                    BigDecimal value = UserValue.of(ranking, object, user, reader.historyOf(key, _ -> null), today);
                    if (value != null) {
                        best.add(new Place(user.id(), user.profile().name(), value));
                    }
                    if (best.size() > limit) {
                        best.pollLast();
                    }
                }
            });
            return best;
        });
        return List.copyOf(best);
    }

    private boolean mayBeAmong(TreeSet<Place> best, Place place) {
        return best.size() < limit || Place.BEST_FIRST.compare(place, best.last()) < 0;
    }

    @Override
    public RankedPlaces merge(List<RankedPlaces> parts) {
        return new RankedPlaces(
                UserQuery.bestOf(parts.stream().map(RankedPlaces::places).toList(), Place.BEST_FIRST, limit));
    }
}
