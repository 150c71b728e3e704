package dev.laurel.schemas.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalTest {

    @Test
    void shouldNameEveryUnknownAttributeInOrder() {
        assertEquals(
                "Unknown attribute keys: a, b. Attribute keys must match those set up in the dashboard.",
                Refusal.unknownAttributes(List.of("b", "a")).message());
    }

    @Test
    void shouldHaveTheStatusOfTheContract() {
        assertEquals(400, Refusal.unreadable("x").kind().status());
        assertEquals(404, Refusal.unknownMetric("x").kind().status());
        assertEquals(404, Refusal.unknownUser("x").kind().status());
        assertEquals(422, Refusal.subscribeWithoutEmail().kind().status());
    }

    /** A refusal quotes its input; a megabyte of input must not become a megabyte of answer. */
    @Test
    void shouldCutLongMessages() {
        String message = Refusal.unknownMetric("🚀".repeat(100_000)).message();

        assertTrue(message.length() <= Refusal.MAX_MESSAGE_LENGTH);
        assertTrue(message.endsWith("🚀…"));
    }
}
