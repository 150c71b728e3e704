package dev.laurel.processors.simulation;

import dev.laurel.processors.core.account.AccountIndex;
import dev.laurel.processors.core.account.StreakPlace;
import dev.laurel.processors.core.account.StreakPlace.By;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.AttributeFilter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/** What is kept of all users equals a recount of them. */
final class AccountCheck implements Check {

    private static final int LISTED = 100;

    @Override
    public void after(World world, World.Turn turn) {
        AccountIndex account = world.ledger().account();
        var users = new ArrayList<UserState>();
        world.ledger().reader().forEachUser(TenantId.NONE, users::add);
        var systems = new HashSet<Integer>();
        users.forEach(user -> {
            for (int i = 0; i < user.points().size(); i++) {
                systems.add(user.points().numberAt(i));
            }
        });
        for (int system : systems) {
            totals(account, users, system, List.of());
            users.stream().flatMap(user -> user.profile().attributes().entrySet().stream()).distinct()
                    .forEach(pair -> totals(account, users, system,
                            List.of(new AttributeFilter(pair.getKey(), pair.getValue()))));
        }
        for (By by : By.values()) {
            List<StreakPlace> places = users.stream().map(user -> StreakPlace.of(user, by)).filter(Objects::nonNull)
                    .sorted(StreakPlace.BEST_FIRST).toList();
            Checks.equal("the best streaks differ from a recount", places,
                    account.best(TenantId.NONE, by, LISTED), by);
        }
        users.stream().map(user -> StreakPlace.of(user, By.ACTIVE)).filter(Objects::nonNull)
                .forEach(place -> Checks.equal("a streak's rank differs from a recount",
                        users.stream().map(user -> StreakPlace.of(user, By.ACTIVE)).filter(Objects::nonNull)
                                .filter(other -> StreakPlace.BEST_FIRST.compare(other, place) < 0).count(),
                        account.better(TenantId.NONE, place), place));
    }

    private static void totals(AccountIndex account, List<UserState> users, int system,
            List<AttributeFilter> filters) {
        var expected = new TreeMap<Long, Long>();
        users.stream().filter(user -> filters.stream()
                .allMatch(f -> f.value().equals(user.profile().attributes().get(f.attribute()))))
                .forEach(user -> expected.merge(PointsState.totalOf(user.points(), system), 1L, Long::sum));
        var counted = new TreeMap<Long, Long>();
        account.forEachTotal(TenantId.NONE, system, filters, (total, with) -> counted.merge(total, with, Long::sum));
        Checks.equal("totals differ from a recount", expected, counted, "system " + system + " " + filters);
    }
}
