package dev.laurel.query.partition;

import dev.laurel.processors.core.statistics.Contenders;
import dev.laurel.processors.core.statistics.RankedUser;
import dev.laurel.processors.core.statistics.StatisticsIndex;
import dev.laurel.processors.core.statistics.TopUsers.Ranking;
import dev.laurel.processors.core.user.LocalDays;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.query.partition.RankUsers.RankedPlaces;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lists the users with the highest values of a kind, the highest first, then by id. A partition keeps them in memory, and reads the users
 * that it lists.
 *
 * @param object the number of a metric or a points system; 0 for a ranking without
 */
public record RankUsers(TenantId tenant, Ranking ranking, int object, int limit) implements UserQuery<RankedPlaces> {

    /** @param places best first; null while a partition knows fewer than it has */
    public record RankedPlaces(@Nullable List<Place> places) {}

    public record Place(UserId user, @Nullable String name, BigDecimal value) {

        private static final Comparator<Place> BEST_FIRST = Comparator
                .comparing((Place place) -> new RankedUser(place.user, place.value));
    }

    @Override
    public RankedPlaces answer(LocalNode node, List<Integer> partitions) {
        return merge(node.statistics(partitions).stream().map(index -> new RankedPlaces(places(node, index))).toList());
    }

    private @Nullable List<Place> places(LocalNode node, StatisticsIndex index) {
        Contenders contenders = index.contenders(tenant, ranking, object);
        if (contenders == null) {
            return List.of();
        }
        Map<UserId, @Nullable String> names = new HashMap<>();
        int today = LocalDays.dayOf(node.clock().millis(), ZoneOffset.UTC);
        // No time zone is a whole day ahead of UTC, or behind it.
        List<RankedUser> best = contenders.best(limit, today - 1, today + 1, user -> date(node, user, names));
        return best == null
                ? null
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

    @Override
    public RankedPlaces merge(List<RankedPlaces> parts) {
        var all = new ArrayList<Place>();
        for (RankedPlaces part : parts) {
            List<Place> places = part.places();
            if (places == null) {
                return part;
            }
            all.addAll(places);
        }
        return new RankedPlaces(all.stream().sorted(Place.BEST_FIRST).limit(limit).toList());
    }
}
