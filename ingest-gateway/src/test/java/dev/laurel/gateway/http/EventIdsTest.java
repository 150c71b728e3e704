package dev.laurel.gateway.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.http.EventRoutes.EventIds;
import java.util.HashSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EventIdsTest {

    @Test
    void shouldCreateRandomUuidsThatDoNotRepeatAcrossBatches() {
        var ids = new EventIds();
        var seen = new HashSet<UUID>();
        for (int i = 0; i < 1000; i++) {
            UUID id = ids.next();
            assertEquals(4, id.version());
            assertEquals(2, id.variant());
            assertTrue(seen.add(id));
        }
    }

    @Test
    void shouldFixOnlyTheBitsOfVersionAndVariant() {
        var ids = new EventIds();
        long alwaysSet = -1;
        long everSet = 0;
        for (int i = 0; i < 2000; i++) {
            UUID id = ids.next();
            alwaysSet &= id.getLeastSignificantBits();
            everSet |= id.getLeastSignificantBits();
        }
        assertEquals(Long.MIN_VALUE, alwaysSet);
        assertEquals(~(1L << 62), everSet);
    }
}
