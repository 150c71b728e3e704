package dev.laurel.schemas.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.key.TenantId;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RejectionTest {

    @Test
    void shouldCutLongValuesBetweenCharactersAndMarkThem() {
        assertEquals("x".repeat(4000), rejection("x".repeat(4000)).value());
        assertEquals("x".repeat(3999) + "…", rejection("x".repeat(4001)).value());
        assertEquals(
                "x".repeat(3998) + "…", rejection("x".repeat(3998) + "🚀🚀").value());
        assertEquals(
                "x".repeat(3997) + "🚀…", rejection("x".repeat(3997) + "🚀🚀").value());
    }

    @Test
    void shouldKeepShortAndMissingValues() {
        assertEquals("{}", rejection("{}").value());
        assertNull(rejection(null).value());
    }

    @Test
    void shouldKnowWhetherThereMayBeMore() {
        assertFalse(rejection("x".repeat(4000)).mayBeCut());
        assertFalse(rejection("…").mayBeCut());
        assertFalse(rejection(null).mayBeCut());
        assertTrue(rejection("x".repeat(4001)).mayBeCut());
        assertTrue(rejection("x".repeat(3998) + "🚀🚀").mayBeCut());
    }

    @ParameterizedTest
    @CsvSource({"ann, ''", "acme/ann, acme", "a%2Fb/ann, a/b", "a/b/c,", "a%b,", ","})
    void shouldKnowTheTenantOfTheKey(String key, String tenant) {
        var rejection = new Rejection("laurel.commands", 0, 1, Instant.EPOCH, key, "{}", "reason");

        assertEquals(tenant == null ? null : new TenantId(tenant), rejection.tenantOfKey());
    }

    private static Rejection rejection(String value) {
        return new Rejection("laurel.commands", 0, 1, Instant.EPOCH, null, value, "reason");
    }
}
