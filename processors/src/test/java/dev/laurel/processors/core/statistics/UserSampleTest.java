package dev.laurel.processors.core.statistics;

import dev.laurel.schemas.key.UserId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class UserSampleTest {

    private static final int CAPACITY = 16;

    private static List<UserId> users(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(i -> new UserId("user-" + i)).toList();
    }

    private static UserSample sampleOf(List<UserId> users) {
        var sample = new UserSample(CAPACITY);
        users.forEach(sample::offer);
        return sample;
    }

    @Test
    void shouldContainAllUsersWhileThereAreFew() {
        UserSample sample = sampleOf(users(1, CAPACITY));

        assertNull(sample.end());
        assertEquals(new HashSet<>(users(1, CAPACITY)), new HashSet<>(sample.users()));
        assertNotNull(sampleOf(users(1, CAPACITY + 1)).end());
    }

    @Test
    void shouldNotDependOnTheOrderOfUsers() {
        var users = new ArrayList<>(users(1, 1000));
        List<UserId> expected = sampleOf(users).users();

        for (int seed = 0; seed < 20; seed++) {
            Collections.shuffle(users, new Random(seed));
            assertEquals(expected, sampleOf(users).users(), "seed " + seed);
        }
    }

    @Test
    void shouldIgnoreARepeatedMove() {
        UserSample sample = sampleOf(users(1, 100));
        List<UserId> before = sample.users();
        users(1, 100).forEach(sample::offer);

        assertEquals(before, sample.users());
    }

    @Test
    void shouldBeOneOfAllPartitionsTogether() {
        UserSample together = sampleOf(users(1, 300));
        UserSample added = sampleOf(users(1, 20));
        added.add(sampleOf(users(21, 290)));
        added.add(sampleOf(users(291, 300)));

        assertEquals(together.users(), added.users());
        assertEquals(CAPACITY, added.users().size());
        assertNotNull(added.end());
    }

    /** Users beyond the end of one part cannot represent the unknown users of that part. */
    @Test
    void shouldKeepToTheEndOfTheSmallestPart() {
        UserSample thin = sampleOf(users(1, 300));
        List<UserId> kept = thin.users().subList(0, 4);
        List.copyOf(thin.users().subList(4, CAPACITY)).forEach(thin::remove);
        UserSample added = sampleOf(users(301, 310));
        added.add(thin);

        var smallest = sampleOf(users(1, 310)).users();
        assertTrue(new HashSet<>(smallest).containsAll(kept));
        assertTrue(added.users().stream().filter(user -> !kept.contains(user)).allMatch(smallest::contains),
                "whoever else is in it is among the smallest of all");
    }

    @Test
    void shouldShrinkAsUsersAreRemoved() {
        UserSample sample = sampleOf(users(1, 300));
        List<UserId> all = sample.users();
        for (int i = 0; i < CAPACITY / 2; i++) {
            assertFalse(sample.hasShrunk());
            sample.remove(all.get(i));
        }
        assertFalse(sample.hasShrunk());
        sample.remove(all.getLast());

        assertTrue(sample.hasShrunk());
        assertEquals(all.subList(CAPACITY / 2, CAPACITY - 1), sample.users());
    }

    @Test
    void shouldNotCountAsShrunkWhileItContainsAllUsers() {
        UserSample sample = sampleOf(users(1, 3));
        sample.remove(new UserId("user-2"));
        sample.remove(new UserId("nobody"));

        assertFalse(sample.hasShrunk());
        assertEquals(2, sample.users().size());
    }

    /** Otherwise either all or none of the users with consecutive ids would be members. */
    @Test
    void shouldSampleUsersFromTheWholeRange() {
        var sample = new UserSample();
        users(1, 100_000).forEach(sample::offer);
        var tenths = new int[10];
        sample.users().forEach(user -> tenths[(Integer.parseInt(user.value().substring(5)) - 1) / 10_000]++);

        assertEquals(UserSample.CAPACITY, IntStream.of(tenths).sum());
        for (int users : tenths) {
            assertTrue(users > 25 && users < 80, List.of(tenths[0], tenths[1], tenths[9]).toString());
        }
    }
}
