package dev.laurel.schemas.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
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
        assertEquals(404, Refusal.unknown("metric", "x").kind().status());
        assertEquals(404, Refusal.unknown("user", "x").kind().status());
        assertEquals(404, Refusal.unknown("achievement", "x").kind().status());
        assertEquals(422, Refusal.invalid("x").kind().status());
        assertEquals(403, Refusal.Kind.FORBIDDEN.status());
    }

    @Test
    void shouldNameTheGivenBounds() {
        BigDecimal five = BigDecimal.valueOf(5);

        assertEquals(
                "streak.metrics: the threshold of 'm' must be at least 5.",
                Refusal.thresholdOutside("m", five, null).message());
        assertEquals(
                "streak.metrics: the threshold of 'm' must be at most 5.",
                Refusal.thresholdOutside("m", null, five).message());
        assertEquals(
                "streak.metrics: the threshold of 'm' must be at least 5 and at most 5.",
                Refusal.thresholdOutside("m", five, five).message());
    }

    @Test
    void shouldNameTheAllowedMetricsOfAStreakPreference() {
        assertEquals(
                "streak.metrics has the key 'x', must be one of: a, b.",
                Refusal.metricNotOfStreak("x", List.of("b", "a")).message());
        assertEquals(
                "streak.metrics has the key 'x', must be one of: none.",
                Refusal.metricNotOfStreak("x", List.of()).message());
    }

    /** A refusal quotes its input, but a megabyte of input must not cause a megabyte of answer. */
    @Test
    void shouldCutLongMessages() {
        String message = Refusal.unknown("metric", "🚀".repeat(100_000)).message();

        assertTrue(message.length() <= Refusal.MAX_MESSAGE_LENGTH);
        assertTrue(message.endsWith("🚀…"));
    }
}
