package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.ShownCommands;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that wrong usage is refused before anything starts. */
final class BenchCommandTest {

    @Test
    void shouldBeShownByDocumentsOnlyAsItIs() {
        ShownCommands shown = ShownCommands.check("bench"::equals);

        assertEquals(List.of(), shown.problems());
        assertTrue(shown.seen() > 5, "only " + shown.seen() + " commands were found");
    }

    @Test
    void shouldRefuseTwoKindsAtOnce() {
        assertRefused("mutually exclusive", "--replay", "--http");
    }

    @Test
    void shouldRefuseOptionsOfAnotherKind() {
        assertRefused("--rate belongs to --soak", "--rate", "100");
        assertRefused("--events belongs to --replay", "--soak", "PT1H", "--events", "5000");
        assertRefused("--users belongs to --restart", "--replay", "--users", "5000");
        assertRefused("--against belongs to --http", "--against", ".");
    }

    @Test
    void shouldRefuseValuesOutOfRange() {
        assertRefused("a soak lasts PT10S to PT12H, not PT1S", "--soak", "PT1S");
        assertRefused("a rate is 1 to 20000 events/s, not 0", "--soak", "PT1M", "--rate", "0");
        assertRefused("has 1000 to 50000000 events, not 10", "--replay", "--events", "10");
        assertRefused("with 100 to 100000000 users, not 5", "--restart", "--users", "5");
        assertRefused("--against must be a checkout of Laurel", "--http", "--against", "/no/such/folder");
    }

    private static void assertRefused(String message, String... options) {
        String[] arguments = new String[options.length + 1];
        arguments[0] = "bench";
        System.arraycopy(options, 0, arguments, 1, options.length);

        CommandRun run = CommandRun.of(arguments);

        assertEquals(2, run.exitCode(), run.err());
        assertTrue(run.err().contains(message), run.err());
    }
}
