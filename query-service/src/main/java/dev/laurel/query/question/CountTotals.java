package dev.laurel.query.question;

import dev.laurel.processors.core.account.AccountIndex;
import dev.laurel.processors.core.rules.AttributeFilters;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.AttributeFilter;
import java.util.Arrays;
import java.util.List;

/**
 * How many users have how many points. From counts that are kept in memory; only where the attributes of users are too
 * various for that, a partition goes through every user: exact, too, at a cost that grows with their number.
 *
 * @param system number of the points system
 * @param filters only users who have all of these attributes
 * @param steps ascending: a total counts at the greatest one that it reaches, and nowhere below the first
 */
public record CountTotals(TenantId tenant, int system, List<AttributeFilter> filters,
        long[] steps) implements Question.OfUsers<CountTotals.Answer> {

    /** @param users at each step */
    public record Answer(long[] users) {}

    @Override
    public Class<Answer> answerType() {
        return Answer.class;
    }

    @Override
    public boolean goesThroughUsers() {
        return !filters.isEmpty();
    }

    @Override
    public Answer answer(Here here, List<Integer> partitions) {
        var users = new long[steps.length];
        for (AccountIndex account : here.accounts(partitions)) {
            if (!account.forEachTotal(tenant, system, filters, (total, count) -> add(users, total, count))) {
                return recount(here, partitions);
            }
        }
        return new Answer(users);
    }

    private Answer recount(Here here, List<Integer> partitions) {
        var users = new long[steps.length];
        here.readEach(partitions, reader -> {
            reader.forEachUser(tenant, user -> {
                if (AttributeFilters.match(filters, user.profile().attributes())) {
                    add(users, PointsState.totalOf(user.points(), system), 1);
                }
            });
            return users;
        });
        return new Answer(users);
    }

    private void add(long[] users, long total, long count) {
        int at = Arrays.binarySearch(steps, total);
        int step = at >= 0 ? at : -at - 2;
        if (step >= 0) {
            users[step] += count;
        }
    }

    @Override
    public Answer together(List<Answer> parts) {
        var users = new long[steps.length];
        for (Answer part : parts) {
            for (int i = 0; i < users.length; i++) {
                users[i] += part.users()[i];
            }
        }
        return new Answer(users);
    }
}
