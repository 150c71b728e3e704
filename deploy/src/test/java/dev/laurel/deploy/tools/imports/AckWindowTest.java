package dev.laurel.deploy.tools.imports;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.tools.imports.ProgressFile.Checkpoint;
import dev.laurel.platform.command.CommandFailed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class AckWindowTest {

    private final AckWindow window = windowWith(Duration.ofMinutes(1));

    private static AckWindow windowWith(Duration timeout) {
        return new AckWindow(
                4, timeout, new Checkpoint(new ImportSource.Position(10, 100, ""), new long[] {5, 7}, 9, 1));
    }

    @Test
    void shouldNotPassEntryThatIsStillBeingSent() throws Exception {
        AckWindow.Entry first = window.add(new ImportSource.Position(11, 110, ""));
        AckWindow.Entry second = window.add(new ImportSource.Position(12, 120, ""));

        window.acknowledge(second, 0, 20);
        assertEquals(new ImportSource.Position(10, 100, ""), window.checkpoint().position());
        assertArrayEquals(new long[] {5, 7}, window.checkpoint().offsets());

        window.acknowledge(first, 1, 30);
        assertEquals(new ImportSource.Position(12, 120, ""), window.checkpoint().position());
        assertArrayEquals(new long[] {21, 31}, window.checkpoint().offsets());
        assertEquals(11, window.checkpoint().written());
    }

    @Test
    void shouldCountRefusedEntriesInOrder() throws Exception {
        AckWindow.Entry first = window.add(new ImportSource.Position(11, 110, ""));
        window.addRefused(new ImportSource.Position(12, 120, ""));
        assertEquals(1, window.checkpoint().refused());

        window.acknowledge(first, 0, 5);

        assertEquals(2, window.checkpoint().refused());
        assertEquals(new ImportSource.Position(12, 120, ""), window.checkpoint().position());
    }

    @Test
    void shouldWaitWhileWindowIsFull() throws Exception {
        AckWindow.Entry first = window.add(new ImportSource.Position(11, 110, ""));
        for (int i = 12; i <= 14; i++) {
            window.add(new ImportSource.Position(i, i * 10, ""));
        }
        Thread acknowledging = Thread.ofVirtual().start(() -> window.acknowledge(first, 0, 5));

        window.add(new ImportSource.Position(15, 150, ""));

        acknowledging.join();
        assertEquals(new ImportSource.Position(11, 110, ""), window.checkpoint().position());
    }

    @Test
    void shouldStopIfNothingIsAcknowledged() throws Exception {
        AckWindow impatient = windowWith(Duration.ofMillis(50));
        impatient.add(new ImportSource.Position(11, 110, ""));

        assertThrows(ImportWork.Stopped.class, impatient::awaitAll);
    }

    @Test
    void shouldReportFirstFailure() throws Exception {
        window.add(new ImportSource.Position(11, 110, ""));
        window.fail(new IllegalStateException("too large"));
        window.fail(new IllegalStateException("closed"));

        assertTrue(
                assertThrows(CommandFailed.class, window::awaitAll).getMessage().contains("too large"));
    }
}
