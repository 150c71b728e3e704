package dev.laurel.deploy.tools.replay;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.deploy.tools.replay.ReplayLog.Entry;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReplayLogTest {

    private static final Map<String, String> OPTIONS =
            Map.of("--ruleset", "digest", "--tenant", "all", "--promote", "false", "--json", "");
    private static final Entry.Begun BEGUN =
            new Entry.Begun("night", OPTIONS, "{}", "thirty.yaml", 1, 2, 3, Instant.parse("2026-11-22T10:15:00Z"));

    static List<Entry> entries() {
        return List.of(
                BEGUN,
                new Entry.Part(1, "attempt", 0, 9),
                new Entry.Reported(BEGUN, "host", "text", null),
                new Entry.Reported(BEGUN, "host", "text", "failure"));
    }

    @ParameterizedTest
    @MethodSource("entries")
    void shouldReadEntriesAsTheyWereWritten(Entry entry) {
        assertEquals(entry, Json.read(Json.write(entry), Entry.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--ruleset", "--tenant", "--promote", "--json", "--at"})
    void shouldRefuseAMemberWithAnotherOption(String option) {
        var other = new LinkedHashMap<>(OPTIONS);
        other.put(option, "2026-11-22T10:15:01Z");

        var refused = assertThrows(CommandFailed.class, () -> BEGUN.expectSame(other));

        assertEquals(
                option + " differs from what the replay 'night' was begun with: give all its processes the"
                        + " same options, or this one another --id",
                refused.getMessage());
    }

    @Test
    void shouldAcceptTheMomentOfTheReplay() {
        var same = new LinkedHashMap<>(OPTIONS);
        same.put("--at", "2026-11-22T10:15:00Z");

        assertDoesNotThrow(() -> BEGUN.expectSame(same));
        assertDoesNotThrow(() -> BEGUN.expectSame(OPTIONS));
    }
}
