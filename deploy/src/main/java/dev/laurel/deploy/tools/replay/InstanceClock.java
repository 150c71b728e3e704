package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.standalone.DataDir;
import dev.laurel.gateway.clock.TestClock;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The time of the instance whose log it is: the system's, or the virtual one of a standalone with a test clock, which may be
 * moved meanwhile. What is written into the log with another time would take everybody there.
 *
 * @param virtual where the virtual time is kept; null: time is real
 */
record InstanceClock(Path virtual) implements InstantSource {

    /** @param dataDir of the instance, null: nothing is known of one */
    static InstanceClock of(Path dataDir) {
        Path file = dataDir == null ? null : new DataDir(dataDir).testClockFile();
        return new InstanceClock(file != null && Files.exists(file) ? file : null);
    }

    @Override
    public Instant instant() {
        if (virtual == null) {
            return Instant.now();
        }
        try {
            return TestClock.keptIn(virtual, InstantSource.system()).instant();
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw new CommandFailed("the test clock: " + e.getMessage(), e);
        }
    }
}
