package dev.laurel.deploy.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.command.CommandFailed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, unit = TimeUnit.SECONDS)
final class ProcessLifecycleTest {

    private final List<String> closed = new ArrayList<>();

    @Test
    void shouldCloseNewestFirstAndReportTheFault() {
        var fault = new IllegalStateException("the disk is full");

        var told = assertThrows(
                CommandFailed.class,
                () -> ProcessLifecycle.of(lifetime -> {
                    lifetime.parts().add(() -> closed.add("tables"));
                    lifetime.parts().add(() -> closed.add("node"));
                    Thread.ofVirtual().start(() -> lifetime.fault().complete(fault));
                }));

        assertEquals("stopped by a fault: the disk is full", told.getMessage());
        assertSame(fault, told.getCause());
        assertEquals(List.of("node", "tables"), closed);
    }

    @Test
    void shouldCloseStartedPartsIfTheStartFails() {
        var failure = new CommandFailed("cannot listen");

        var told = assertThrows(
                CommandFailed.class,
                () -> ProcessLifecycle.of(lifetime -> {
                    lifetime.parts().add(() -> closed.add("tables"));
                    throw failure;
                }));

        assertSame(failure, told);
        assertEquals(List.of("tables"), closed);
    }

    @Test
    void shouldInterruptTheStartAfterAFault() {
        var told = assertThrows(
                CommandFailed.class,
                () -> ProcessLifecycle.of(lifetime -> {
                    lifetime.parts().add(() -> {
                        assertFalse(Thread.currentThread().isInterrupted(), "who closes must be able to wait");
                        closed.add("tables");
                    });
                    Thread.ofVirtual().start(() -> lifetime.fault().complete(new IllegalStateException("gone")));
                    new CountDownLatch(1).await(); // for a node, for example
                }));

        assertEquals("stopped by a fault: gone", told.getMessage());
        assertEquals(List.of("tables"), closed);
    }

    @Test
    void shouldCloseTheOtherPartsIfOneFails() {
        var parts = new CloseStack();
        parts.add(() -> closed.add("tables"));
        parts.add(() -> {
            throw new IllegalStateException("does not close");
        });

        parts.close();

        assertEquals(List.of("tables"), closed);
        assertTrue(!Thread.currentThread().isInterrupted());
    }
}
