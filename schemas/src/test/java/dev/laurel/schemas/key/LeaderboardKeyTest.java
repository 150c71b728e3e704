package dev.laurel.schemas.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class LeaderboardKeyTest {

    @Test
    void shouldNameTheTenantBeforeTwoSlashes() {
        assertEquals("acme//pool-week", new LeaderboardKey(new TenantId("acme"), "pool-week").text());
        assertEquals("//pool-week", new LeaderboardKey(TenantId.NONE, "pool-week").text());
        assertEquals("a%2Fb%25//pool-week", new LeaderboardKey(new TenantId("a/b%"), "pool-week").text());
    }

    @Test
    void shouldNotParseAsAUserKey() {
        for (String tenant : new String[] {"", "acme", "a/b"}) {
            var key = new LeaderboardKey(new TenantId(tenant), "pool-week");
            assertThrows(IllegalArgumentException.class, () -> UserKey.parse(key.bytes()));
        }
    }
}
