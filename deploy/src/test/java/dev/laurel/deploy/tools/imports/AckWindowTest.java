package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.tools.imports.AckWindow.Kind;
import dev.laurel.deploy.tools.imports.AckWindow.Settled;
import java.time.Duration;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class AckWindowTest {

    private final AckWindow window = new AckWindow(4, Duration.ofMillis(50),
            new Settled(new ImportSource.Position(10, 100), new long[]{5, 7}, 9, 1));

    @Test
    void shouldSettleNothingBehindAnEntryThatIsStillOnItsWay() throws Exception {
        long first = window.add(new ImportSource.Position(11, 110));
        long second = window.add(new ImportSource.Position(12, 120));

        window.acknowledge(second, 0, 20);
        assertEquals(new ImportSource.Position(10, 100), window.settled().place());
        assertArrayEquals(new long[]{5, 7}, window.settled().offsets());

        window.acknowledge(first, 1, 30);
        assertEquals(new ImportSource.Position(12, 120), window.settled().place());
        assertArrayEquals(new long[]{21, 31}, window.settled().offsets());
        assertEquals(11, window.settled().written());
    }

    @Test
    void shouldCountRefusedEntriesInTheirTurn() throws Exception {
        long first = window.add(new ImportSource.Position(11, 110));
        window.addSettled(new ImportSource.Position(12, 120), Kind.REFUSED);
        assertEquals(1, window.settled().refused());

        window.acknowledge(first, 0, 5);

        assertEquals(2, window.settled().refused());
        assertEquals(new ImportSource.Position(12, 120), window.settled().place());
    }

    @Test
    void shouldWaitForRoom() throws Exception {
        long first = window.add(new ImportSource.Position(11, 110));
        for (int i = 12; i <= 14; i++) {
            window.add(new ImportSource.Position(i, i * 10));
        }
        Thread acknowledging = Thread.ofVirtual().start(() -> window.acknowledge(first, 0, 5));

        window.add(new ImportSource.Position(15, 150));

        acknowledging.join();
        assertEquals(new ImportSource.Position(11, 110), window.settled().place());
    }

    @Test
    void shouldGiveUpWhenNothingIsAcknowledged() throws Exception {
        window.add(new ImportSource.Position(11, 110));

        assertThrows(ImportRun.Stopped.class, window::awaitAll);
    }

    @Test
    void shouldTellTheFirstFailure() throws Exception {
        window.add(new ImportSource.Position(11, 110));
        window.fail(new IllegalStateException("too large"));
        window.fail(new IllegalStateException("closed"));

        assertTrue(assertThrows(CommandFailed.class, window::awaitAll).getMessage().contains("too large"));
    }
}
