package dev.laurel.examples.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorZoneTest {

    @ParameterizedTest
    @CsvSource({
        "+0200,Etc/GMT-2",
        "-0800,Etc/GMT+8",
        "+1400,Etc/GMT-14",
        "-1200,Etc/GMT+12",
        "+0000,Etc/GMT",
        "-0000,Etc/GMT",
        "+0530,Asia/Kolkata",
        "+0545,Asia/Kathmandu",
        "+0930,Australia/Darwin",
        "-0330,America/St_Johns"
    })
    void shouldReturnZoneOfOffset(String offset, String zone) {
        assertEquals(Optional.of(zone), AuthorZone.of(offset));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "+1500", "-1300", "+0001", "+0575", "+51800", "-9999", "0200", "+02:00", "+2", "UTC"})
    void shouldReturnNothingForInvalidOffset(String offset) {
        assertEquals(Optional.empty(), AuthorZone.of(offset));
    }

    @Test
    void shouldReturnOnlyZonesWithThatOffset() {
        var offsets = Stream.of("+", "-")
                .flatMap(sign -> Stream.iterate(0, minutes -> minutes < 100 * 60, m -> m + 5)
                        .map(minutes -> "%s%02d%02d".formatted(sign, minutes / 60, minutes % 60)));

        var named = offsets.filter(offset -> AuthorZone.of(offset).isPresent()).toList();

        assertTrue(named.size() > 40, named::toString);
        named.forEach(offset -> assertTrue(knows(ZoneId.of(AuthorZone.of(offset).orElseThrow()), offset), offset));
    }

    private static boolean knows(ZoneId zone, String offset) {
        var wanted = ZoneOffset.of(offset);
        var rules = zone.getRules();
        return rules.getOffset(Instant.EPOCH).equals(wanted)
                || rules.getOffset(Instant.parse("2026-01-01T00:00:00Z")).equals(wanted)
                || rules.getOffset(Instant.parse("2026-07-01T00:00:00Z")).equals(wanted)
                || rules.getTransitions().stream()
                        .anyMatch(change -> change.getOffsetAfter().equals(wanted));
    }
}
