package dev.laurel.deploy.e2e;

import static dev.laurel.deploy.e2e.FailureDrill.assertShorter;

import dev.laurel.deploy.e2e.DrillCluster.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What deploy/FAILURES.md tells of, with processes as people start them. */
@EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class FailureDrillIT {

    private static final Duration WARM_UP = Duration.ofSeconds(10);

    /** Until those who were cut off are back and have caught up. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(30);

    /** What was promised of a node that is gone without a word. */
    private static final Duration FAILOVER = Duration.ofSeconds(15);

    @TempDir
    private Path folder;

    @Test
    void shouldFailOverFromNodeThatWasKilled() throws Exception {
        try (var drill = FailureDrill.of("kill-node", folder, 1, 2, 1)) {
            drill.warmUp(WARM_UP);
            Member victim = drill.cluster().nodes().getFirst();
            drill.happens("kill -9 of a node");
            victim.process().kill();
            drill.goOn(AFTERWARDS);
            assertShorter(drill.writeGap(), FAILOVER, "writes");
            assertShorter(drill.readGap(), FAILOVER, "reads");

            drill.happens("it is started again");
            victim.start().awaitReady();
            drill.goOn(Duration.ofSeconds(10));
            drill.writeGap();
            drill.expectExact(drill.cluster().nodes());
        }
    }
}
