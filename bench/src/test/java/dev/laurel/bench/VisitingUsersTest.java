package dev.laurel.bench;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class VisitingUsersTest {
    private static final int AT_ONCE = 100;
    private static final int EVENTS = 10;
    private static final int CROWD = AT_ONCE * EVENTS;

    @Test
    void shouldKeepTheNumberOfActiveUsersConstant() {
        for (int count : List.of(100, 1_000, 1_000_000)) {
            var users = new UniformUsers.Visiting(count, AT_ONCE, EVENTS);

            for (int crowd = 0; crowd < 20; crowd++) {
                assertEquals(AT_ONCE, usersOf(users, crowd * CROWD, CROWD).size(), "of " + count);
            }
        }
    }

    @Test
    void shouldGiveEachActiveUserTheEventsOfOneVisit() {
        var users = new UniformUsers.Visiting(1_000, AT_ONCE, EVENTS);
        int someone = users.userOf(CROWD);

        assertEquals(EVENTS, LongStream.range(0, 10 * CROWD).filter(event -> users.userOf(event) == someone).count());
    }

    @Test
    void shouldActivateEachUserOnceBeforeAnyUserAgain() {
        var users = new UniformUsers.Visiting(1_000, AT_ONCE, EVENTS);

        assertEquals(1_000, usersOf(users, 0, 10 * CROWD).size());
        assertEquals(users.userOf(0), users.userOf(10 * CROWD));
    }

    @Test
    void shouldNotActivateNeighboursTogether() {
        var users = new UniformUsers.Visiting(1_000_000, AT_ONCE, EVENTS);
        Set<Integer> there = usersOf(users, 0, CROWD);

        assertEquals(Set.of(), there.stream().filter(user -> there.contains(user + 1)).collect(Collectors.toSet()));
    }

    @Test
    void shouldRefuseMoreActiveUsersThanExist() {
        assertThrows(IllegalArgumentException.class, () -> new UniformUsers.Visiting(99, AT_ONCE, EVENTS));
    }

    private static Set<Integer> usersOf(UniformUsers.Visiting users, int from, int events) {
        var found = new HashSet<Integer>();
        for (int event = from; event < from + events; event++) {
            found.add(users.userOf(event));
        }
        return found;
    }
}
