package dev.laurel.query.partition;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.statistics.UserValue.RankedUser;
import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.core.statistics.UserValue;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.processors.store.users.TopUserStore.Listed;
import dev.laurel.processors.store.users.UserReader;
import dev.laurel.query.partition.RankUsers.RankedPlaces;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lists the users with the highest values of a kind, the highest first, then by id. A partition reads the users of its list. If it cannot
 * exclude that others are among the highest, it reads every user instead, at a cost that grows with their number: if hundreds of the highest
 * have lost their values or were erased, or if many have been less active lately. The result is exact in all cases.
 *
 * @param object the number of a metric or a points system; 0 for a ranking without
 */
public record RankUsers(TenantId tenant, Ranking ranking, int object, int limit) implements UserQuery<RankedPlaces> {

    /** @param places best first */
    public record RankedPlaces(List<Place> places) {}

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
        return merge(node.readEach(partitions, reader -> new RankedPlaces(places(node, reader))));
    }

    private List<Place> places(LocalNode node, UserReader reader) {
        Listed listed = reader.topUsers(tenant, ranking, object,
                LocalDays.dayOf(node.clock().millis(), ZoneOffset.UTC));
        List<Place> best = best(node, reader, visitor -> listed.users().forEach(id -> {
            UserState user = reader.user(new UserKey(tenant, id).bytes());
            if (user != null) {
                visitor.accept(user);
            }
        }));
        Place last = best.size() == limit ? best.getLast() : null;
        return listed.contains(last == null ? null : new RankedUser(last.user, last.value))
                ? best
                : best(node, reader, visitor -> reader.forEachUser(tenant, visitor));
    }

    /** The best of some users. @param users passes them to a visitor */
    private List<Place> best(LocalNode node, UserReader reader, Consumer<Consumer<UserState>> users) {
        CompiledRuleset rules = node.rulesets().newest(tenant);
        long nowMs = node.clock().millis();
        var best = new TreeSet<>(Place.BEST_FIRST);
        users.accept(user -> {
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
        return List.copyOf(best);
    }

    private boolean mayBeAmong(TreeSet<Place> best, Place place) {
        return best.size() < limit || Place.BEST_FIRST.compare(place, best.last()) < 0;
    }

    @Override
    public RankedPlaces merge(List<RankedPlaces> parts) {
        return new RankedPlaces(parts.stream().flatMap(part -> part.places.stream()).sorted(Place.BEST_FIRST)
                .limit(limit).toList());
    }
}
