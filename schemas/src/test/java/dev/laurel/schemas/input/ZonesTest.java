package dev.laurel.schemas.input;

import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

class ZonesTest {

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Helsinki", "UTC", "Etc/GMT-14", "America/Argentina/Ushuaia", "Asia/Kathmandu"})
    void shouldFindZonesOfTheTzDatabase(String name) {
        assertEquals(ZoneId.of(name), Zones.byName(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Z", "+02:00", "UTC+2", "GMT+2", "europe/helsinki", "Europe/Atlantis", " UTC"})
    void shouldRefuseOffsetsAndOtherNames(String name) {
        assertNull(Zones.byName(name));
    }
}
