package dev.laurel.gateway.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestClockTest {

    private static final Instant START = Instant.parse("2026-03-04T09:15:00.123Z");

    @TempDir
    private Path dir;

    private Path file;
    private TestClock clock;

    @BeforeEach
    void makeClock() {
        file = dir.resolve("test-clock");
        clock = TestClock.storedIn(file, InstantSource.fixed(START.plusNanos(456_789)));
    }

    private TestClock again() {
        return TestClock.storedIn(file, InstantSource.system());
    }

    @Test
    void shouldStartAtTheGivenMillisecondAndNotAdvance() {
        assertEquals(START, clock.instant());
        assertEquals(START, again().instant());
    }

    @Test
    void shouldContinueAtTheStoredTime() {
        clock.advanceTo(START.plusMillis(1));

        assertEquals(START.plusMillis(1), clock.instant());
        assertEquals(START.plusMillis(1), again().instant());
    }

    @Test
    void shouldOnlyGoForward() {
        clock.advanceTo(START);
        assertThrows(IllegalArgumentException.class, () -> clock.advanceTo(START.minusMillis(1)));
        assertThrows(IllegalArgumentException.class, () -> clock.advanceTo(START.plusNanos(1)));
        assertThrows(IllegalArgumentException.class, () -> clock.advanceTo(TestClock.MAX.plusMillis(1)));

        assertEquals(START, clock.instant());
    }

    @Test
    void shouldNameTheFileThatDoesNotContainATime() throws IOException {
        Files.writeString(file, "yesterday");
        String message =
                assertThrows(IllegalArgumentException.class, this::again).getMessage();

        assertTrue(message.contains(file.toString()), message);
    }
}
