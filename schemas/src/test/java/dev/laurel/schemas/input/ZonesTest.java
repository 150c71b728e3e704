package dev.laurel.schemas.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZonesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Helsinki",
                "UTC",
                "Etc/GMT-14",
                "America/Argentina/Ushuaia",
                "Asia/Kathmandu",
                "EST5EDT",
                "GMT0",
                "Zulu",
                "ROK"
            })
    void shouldFindZonesOfTheTzDatabase(String name) {
        assertEquals(ZoneId.of(name), Zones.byName(name));
    }

    @ParameterizedTest
    @CsvSource({"EST, -05:00", "MST, -07:00", "HST, -10:00", "ROC, +08:00"})
    void shouldFindLinksThatTheJdkLeavesOutUnderTheirOwnNames(String name, String offset) {
        ZoneId zone = Zones.byName(name);

        assertNotNull(zone);
        assertEquals(name, zone.getId());
        assertEquals(
                offset,
                zone.getRules().getOffset(Instant.parse("2026-07-04T12:00:00Z")).getId());
        assertEquals(zone, Zones.stored(name));
        assertEquals(zone, ZoneId.of(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"GMT+0", "GMT-0"})
    void shouldReadNamesOfGmtAsGmt(String name) {
        assertEquals(ZoneId.of("GMT"), Zones.byName(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Z",
                "+02:00",
                "UTC+2",
                "GMT+2",
                "GMT+00:00",
                "UTC+0",
                "europe/helsinki",
                "Europe/Atlantis",
                " UTC",
                "SystemV/AST4",
                "SystemV/PST8PDT",
                "PST",
                "JST",
                "Factory"
            })
    void shouldRefuseOffsetsAndNamesThatTheTzDatabaseDoesNotHave(String name) {
        assertNull(Zones.byName(name));
    }

    @Test
    void shouldKeepNamesReadableThatWereStoredEarlier() {
        assertEquals("SystemV/AST4", Zones.stored("SystemV/AST4").getId());
    }
}
