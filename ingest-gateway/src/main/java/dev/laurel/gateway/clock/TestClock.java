package dev.laurel.gateway.clock;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.command.LocalFiles;
import dev.laurel.schemas.serde.Times;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;

/**
 * The virtual time of a whole instance (docs/virtual-time.md). It advances only when it is moved, forward and by whole milliseconds.
 * A file stores it, so that a restart continues at the same time. Thread-safe.
 */
public final class TestClock implements InstantSource {

    /** The latest time to which the clock can be moved. */
    public static final Instant MAX = Times.MAX;

    private final Path file;
    private volatile Instant now;

    private TestClock(Path file, Instant now) {
        this.file = file;
        this.now = now;
    }

    /**
     * The clock of this file. If the file does not exist, it is created with the time of {@code start}.
     *
     * @throws UncheckedIOException if the file cannot be read or written
     * @throws IllegalArgumentException if the file does not contain a time
     */
    public static TestClock storedIn(Path file, InstantSource start) {
        try {
            if (!Files.exists(file)) {
                var clock = new TestClock(file, start.instant().truncatedTo(ChronoUnit.MILLIS));
                clock.store(clock.now);
                return clock;
            }
            return new TestClock(file, Instant.parse(Files.readString(file).strip()));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(file + " does not contain a time such as 2026-03-04T09:15:00.000Z", e);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public Instant instant() {
        return now;
    }

    /**
     * Moves the clock. The time is in the file before any caller can read it.
     *
     * @throws IllegalArgumentException if {@code to} is before the present time, after {@link #MAX} or finer than a
     *         millisecond
     */
    public synchronized void advanceTo(Instant to) {
        if (to.isBefore(now) || to.isAfter(MAX) || !to.equals(to.truncatedTo(ChronoUnit.MILLIS))) {
            throw new IllegalArgumentException("the clock cannot be moved from " + now + " to " + to);
        }
        if (to.equals(now)) {
            return;
        }
        try {
            store(to);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be written: " + e.getMessage(), e);
        }
        now = to;
    }

    /** Replaces the file atomically and forces it to disk: the clock must never be earlier than a record in the log. */
    private void store(Instant time) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        LocalFiles.replace(file, draft, (time + "\n").getBytes(UTF_8));
    }
}
