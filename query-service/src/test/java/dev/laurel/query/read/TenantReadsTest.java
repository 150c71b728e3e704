package dev.laurel.query.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.key.TenantId;
import org.junit.jupiter.api.Test;

class TenantReadsTest {

    private final InMemoryUsers users = new InMemoryUsers();

    private TenantReads reads(int maxCandidates) {
        return new TenantReads(users.localNode(), users.counts(), users.rulesets(), users.clock(), maxCandidates);
    }

    /** The streaks of many users have ended, and their timers have not fired. */
    @Test
    void shouldNotAnswerShortListOfStreaksWhileTooManyHaveJustEnded() throws Exception {
        users.rules("2026-01-01T00:00:00Z", "{\"metrics\":{\"laps\":{}},\"streak\":{\"frequency\":\"daily\"}}");
        for (int i = 0; i < 12; i++) {
            users.event("u" + i, "laps", 1, "2026-03-01T09:00:00Z").event("u" + i, "laps", 1, "2026-03-02T09:00:00Z");
        }
        users.event("new", "laps", 1, "2026-03-08T09:00:00Z").now("2026-03-08T12:00:00Z");

        assertThrows(NotReadyException.class, () -> reads(8).longestStreaks(TenantId.NONE, By.ACTIVE, 2));
        assertEquals(1, reads(13).longestStreaks(TenantId.NONE, By.ACTIVE, 1).size());
    }
}
