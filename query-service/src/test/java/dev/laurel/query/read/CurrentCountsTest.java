package dev.laurel.query.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.query.locate.NotReadyException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.AchievementBody;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counts of all users in reads of one, while the sums of the node lack the newest changes. */
class CurrentCountsTest {

    private static final String AT = "2026-03-02T09:00:00Z";

    private final InMemoryUsers users = new InMemoryUsers();

    @BeforeEach
    void startWithOneUserOfTwo() throws Exception {
        users.rules("2026-01-01T00:00:00Z", """
            {"metrics":{"laps":{}},"streak":{"frequency":"daily"},
             "achievements":{"ten":{"trigger":"metric","metric":"laps","value":10}}}\
            """).now(AT);
        users.event("ann", "laps", 10, AT).event("bo", "laps", 1, AT);
    }

    private AchievementBody ten(String user) {
        return users.reads().achievements(UserKey.of(user), true).getFirst();
    }

    private void assertCounted(int completions, String rarity, String user) {
        AchievementBody body = ten(user);
        assertEquals(Optional.of((long) completions), body.completions());
        assertEquals(Optional.of(new BigDecimal(rarity)), body.rarity());
    }

    @Test
    void shouldCountUsersOfAllPartitions() throws Exception {
        for (int i = 0; i < 8; i++) {
            users.event("u" + i, "laps", 10, AT);
        }

        assertCounted(9, "90.00", "ann");
        assertCounted(9, "90.00", "bo");
    }

    @Test
    void shouldCountTheUserItselfAtOnce() throws Exception {
        users.holdSums();
        users.event("bo", "laps", 9, AT);

        assertCounted(2, "100.00", "bo");
        var reads = new TenantReads(users.localNode(), users.counts(), users.rulesets(), users.clock());
        assertEquals(
                Optional.of(2L),
                reads.achievements(TenantId.NONE, Map.of()).getFirst().completions());
    }

    @Test
    void shouldShowAStreakWithoutRankUntilCountersAreKnown() {
        users.forgetCounts();

        assertNull(users.reads().streak(UserKey.of("ann"), 0).rank());
        assertThrows(NotReadyException.class, () -> ten("ann"));
    }
}
