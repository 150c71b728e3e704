package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class UniformUsersTest {

    @Test
    void shouldSpreadEventsEvenlyOverUsers() {
        var users = new UniformUsers(10);
        int[] events = new int[10];

        for (int i = 0; i < 100_000; i++) {
            events[(int) users.userOf(i)]++;
        }

        for (int count : events) {
            assertTrue(count > 9_500 && count < 10_500, "A user got " + count + " of 100,000 events");
        }
    }

    @Test
    void shouldGiveTheSameUserForTheSameEvent() {
        assertEquals(new UniformUsers(10_000).userOf(77), new UniformUsers(10_000).userOf(77));
    }
}
