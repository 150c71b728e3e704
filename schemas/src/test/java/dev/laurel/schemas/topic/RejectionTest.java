package dev.laurel.schemas.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class RejectionTest {

    @Test
    void shouldCutLongValuesBetweenCharactersAndMarkThem() {
        assertEquals("x".repeat(4000), rejection("x".repeat(4000)).value());
        assertEquals("x".repeat(3999) + "…", rejection("x".repeat(4001)).value());
        assertEquals("x".repeat(3998) + "…", rejection("x".repeat(3998) + "🚀🚀").value());
        assertEquals("x".repeat(3997) + "🚀…", rejection("x".repeat(3997) + "🚀🚀").value());
    }

    @Test
    void shouldKeepShortAndMissingValues() {
        assertEquals("{}", rejection("{}").value());
        assertNull(rejection(null).value());
    }

    private static Rejection rejection(String value) {
        return new Rejection("laurel.commands", 0, 1, Instant.EPOCH, null, value, "reason");
    }
}
