package dev.laurel.deploy.tools.replay;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.tools.replay.RunLog.Entry;
import dev.laurel.deploy.tools.replay.RunLog.Options;
import dev.laurel.schemas.serde.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RunLogTest {

    private static final Instant AT = Instant.parse("2026-11-22T10:15:00Z");
    private static final Options NONE = new Options(null, null, "", true, false, false, 0, List.of(), null, 20, null,
            null);
    private static final Options ALL = NONE.with("{}", "thirty.yaml");

    private static Entry.Begun begun(Options options) {
        return new Entry.Begun("night", options, 1, 3, AT, List.of(17L, 4L));
    }

    static List<Entry> entries() {
        return List.of(begun(ALL), begun(NONE), new Entry.Claimed(2), new Entry.Part(1, "attempt", 0, 7, 9),
                new Entry.Reported("host", "text", null), new Entry.HandedOver(), new Entry.Ended());
    }

    @ParameterizedTest
    @MethodSource("entries")
    void shouldReadEntriesAsTheyWereWritten(Entry entry) {
        assertEquals(entry, Json.read(Json.write(entry), Entry.class));
    }

    static List<List<Object>> others() {
        return List.of(List.of("--ruleset", NONE.with("{\"metrics\":{}}", "other.yaml")),
                List.of("--tenant",
                        new Options(null, null, "club", true, false, false, 0, List.of(), null, 20, null, null)),
                List.of("--tenant",
                        new Options(null, null, "", false, false, false, 0, List.of(), null, 20, null, null)),
                List.of("--from-scratch",
                        new Options(null, null, "", true, true, false, 0, List.of(), null, 20, null, null)),
                List.of("--promote",
                        new Options(null, null, "", true, false, true, 0, List.of(), null, 20, null, null)),
                List.of("--partitions",
                        new Options(null, null, "", true, false, false, 8, List.of(), null, 20, null, null)),
                List.of("--user",
                        new Options(null, null, "", true, false, false, 0, List.of("ann"), null, 20, null, null)),
                List.of("--at",
                        new Options(null, null, "", true, false, false, 0, List.of(), Instant.EPOCH, 20, null, null)),
                List.of("--top", new Options(null, null, "", true, false, false, 0, List.of(), null, 21, null, null)),
                List.of("--json",
                        new Options(null, null, "", true, false, false, 0, List.of(), null, 20, "a.json", null)),
                List.of("--csv", new Options(null, null, "", true, false, false, 0, List.of(), null, 20, null, "-")));
    }

    @ParameterizedTest
    @MethodSource("others")
    void shouldRefuseAMemberWithAnotherOption(List<Object> other) {
        var refused = assertThrows(CommandFailed.class, () -> NONE.expectSame((Options) other.getLast(), begun(NONE)));

        assertEquals(
                other.getFirst() + " differs from what the replay 'night' was begun with: give all its processes the"
                        + " same options, or this one another --id",
                refused.getMessage());
    }

    @Test
    void shouldAcceptTheMomentOfTheRunAndAnotherNameOfTheSameDraft() {
        var same = new Options("{}", "copy.yaml", "", true, false, false, 0, List.of(), AT, 20, null, null);

        assertDoesNotThrow(() -> ALL.expectSame(same, begun(ALL)));
    }
}
