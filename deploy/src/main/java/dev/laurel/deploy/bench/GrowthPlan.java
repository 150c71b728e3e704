package dev.laurel.deploy.bench;

import java.time.Duration;
import java.util.List;

/**
 * How it is measured whether an event costs more when there are more users, or when its user has a longer past. All events
 * go through Kafka, as many users are active at once whatever the size, and each size is warmed up with the same events.
 *
 * @param users numbers of users, ascending: the same instance grows from one to the next
 * @param usersAtOnce of them who are there at the same time; the first number is not below it
 * @param pasts numbers of past events, ascending; an event each {@code pastSpacing}, so a longer past also has more days
 * @param pastUsersAtOnce users with such a past who are active at the same time. The longest pasts belong to exactly so many
 *        users; of shorter ones there are more, so that theirs are still short when all has been measured.
 * @param eventsPerVisit events of one user before another one comes
 * @param rounds measured of each size
 * @param eventsPerRound half as many warm up
 * @param limit time for the users, and again for the pasts: what has not begun by then is left out, and the report says so
 */
record GrowthPlan(List<Integer> users, int usersAtOnce, List<Integer> pasts, int pastUsersAtOnce, Duration pastSpacing,
        int eventsPerVisit, int rounds, int eventsPerRound, Duration limit) {

    GrowthPlan {
        users = List.copyOf(users);
        pasts = List.copyOf(pasts);
        if (users.isEmpty() || pasts.isEmpty() || rounds < 1 || eventsPerRound < 1) {
            throw new IllegalArgumentException("A plan of growth has numbers of users, of past events, rounds, events");
        }
        if (!isAscending(users) || !isAscending(pasts) || users.getFirst() < usersAtOnce || pasts.getFirst() < 1) {
            throw new IllegalArgumentException(
                    "Sizes must ascend: users " + users + " with " + usersAtOnce + " at once, past events " + pasts);
        }
    }

    private static boolean isAscending(List<Integer> sizes) {
        for (int i = 1; i < sizes.size(); i++) {
            if (sizes.get(i) <= sizes.get(i - 1)) {
                return false;
            }
        }
        return true;
    }

    /** The bars of the README. 100,000 events at this distance are ten years, some 27 a day. */
    static GrowthPlan full() {
        return new GrowthPlan(List.of(1_000, 100_000, 1_000_000), 1_000, List.of(10, 100_000), 16,
                Duration.ofMinutes(53), 10, 3, 100_000, Duration.ofSeconds(150));
    }

    /** Of users with that past: enough that none comes twice, but no more events than the longest pasts have. */
    int usersWithPast(int past) {
        long measured = 2L * rounds * eventsPerRound + eventsPerRound / 2;
        long visits = Math.ceilDiv(measured, eventsPerVisit);
        long affordable = (long) pastUsersAtOnce * pasts.getLast() / past;
        return Math.toIntExact(Math.max(pastUsersAtOnce, Math.min(visits, affordable)));
    }
}
