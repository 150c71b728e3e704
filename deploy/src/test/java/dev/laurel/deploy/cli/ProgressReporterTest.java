package dev.laurel.deploy.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ProgressReporterTest {

    private final StringWriter err = new StringWriter();
    private long nowNs;

    @Test
    void shouldPrintRateAndTimeLeftWithoutATerminal() {
        try (var progress = new ProgressReporter(new PrintWriter(err), false, () -> nowNs)) {
            progress.begin("read the log", "records", 1_000_000);
            after(4, progress, 80_000);
            after(2, progress, 120_000);
            after(3, progress, 180_000);
            after(3, progress, 300_000);
        }

        assertEquals(
                "read the log: 120,000 of 1,000,000 records, 20,000/s, 44 s left\n"
                        + "read the log: 300,000 of 1,000,000 records, 25,000/s, 28 s left\n",
                err.toString());
    }

    @Test
    void shouldPrintNothingForAShortStep() {
        try (var progress = new ProgressReporter(new PrintWriter(err), false, () -> nowNs)) {
            progress.begin("compare", "users", 10);
            after(1, progress, 10);
            progress.end();
        }

        assertEquals("", err.toString());
    }

    private void after(long seconds, ProgressReporter progress, long done) {
        nowNs += TimeUnit.SECONDS.toNanos(seconds);
        progress.stepTo(done);
    }
}
