package dev.laurel.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ResourceMeterTest {

    /** What is written to memory is not measured, so the folder is where the system keeps temporary files. */
    @Test
    void shouldMeasureWrittenBytesAndProcessorTime(
            @TempDir(factory = TempDirFactory.Standard.class) Path directory) throws Exception {
        var meter = new ResourceMeter(List.of(directory));

        Files.write(directory.resolve("state"), new byte[1 << 20]);
        long untilNanos = System.nanoTime() + 50_000_000;
        while (System.nanoTime() < untilNanos) {
            Thread.onSpinWait();
        }
        ResourceMeter.Use use = meter.use(2_000);

        assertEquals(2_000, use.events());
        assertTrue(use.cpuSecondsPerThousand() > 0, "no processor time");
        assertTrue(use.writtenBytesPerThousand() >= (1 << 20) / 2 / 2, use.writtenBytesPerThousand() + " bytes");
    }

    @Test
    void shouldReadTheNumberInALineOfProc() {
        assertEquals(123_456, ResourceMeter.firstNumber("VmRSS:\t  123456 kB", "VmRSS:".length()));
    }
}
