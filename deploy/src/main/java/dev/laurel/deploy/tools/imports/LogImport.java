package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.tools.imports.ImportSource.Entry;
import dev.laurel.platform.command.CommandFailed;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.BitSet;

/**
 * Writes a source to the log, each entry exactly once even if the process is killed in between.
 *
 * <p>The position is saved twice a second, up to the entries that Kafka has acknowledged. After a crash, the log may
 * contain further entries; the headers of their records identify them when each partition is read from its saved
 * offset. A killed broker makes no difference, because its acknowledged records are saved or found.
 *
 * <p>Timers are held from before the first entry to the end of {@link #run}, which also releases them if it fails or
 * is stopped. Only a killed process leaves them held, until the import is run again.
 */
final class LogImport extends ImportWork {

    static final int MAX_IN_FLIGHT = 1 << 16;
    private static final Duration SAVE_INTERVAL = Duration.ofMillis(500);

    private final CommandLog log;
    private final CommandLogWriter writer;
    private final InstantSource clock;
    private final AckWindow window;
    private final long base;
    private BitSet present = new BitSet();
    private long found;
    private long savedNs;

    /** Begins an import, or continues the one in the progress file. Nothing is written to the log yet. */
    LogImport(
            CommandLog log,
            CommandLogWriter writer,
            Context context,
            InstantSource clock,
            long newImportId,
            boolean isWholeLogRead)
            throws IOException {
        super(context, log.id(), newImportId, isWholeLogRead ? log::beginningOffsets : log::endOffsets);
        ProgressFile.Checkpoint begun = progress.checkpoint();
        if (begun.offsets().length != log.partitions()) {
            throw new CommandFailed(log.topic() + " has " + log.partitions() + " partitions, and had "
                    + begun.offsets().length + " when the import began; remove the progress file to"
                    + " import everything again");
        }
        this.log = log;
        this.writer = writer;
        this.clock = clock;
        this.window = new AckWindow(MAX_IN_FLIGHT, TIMEOUT, begun);
        this.base = begun.position().number();
    }

    @Override
    Result run() throws IOException, InterruptedException {
        String hold = CommandLog.ImportMark.holdName(progress.importId());
        writer.hold(hold, clock.millis());
        long startNs = System.nanoTime();
        boolean isDone = false;
        try {
            present = log.writtenSince(
                    progress.importId(), base, progress.checkpoint().offsets());
            boolean complete = copy();
            window.awaitAll();
            isDone = true;
            saveProgress();
            return new Result(written, found, refused, Duration.ofNanos(System.nanoTime() - startNs), complete);
        } finally {
            end(hold, isDone);
        }
    }

    /** Sends the missing entries; returns false if stopped before the end. */
    private boolean copy() throws IOException, InterruptedException {
        savedNs = System.nanoTime();
        while (!isStopped()) {
            Entry entry = context.source().next();
            switch (entry) {
                case null -> {
                    return true;
                }
                case Entry.Refused refusal -> {
                    refuse(refusal);
                    window.addRefused(refusal.position());
                }
                case Entry.Ready ready -> copy(ready);
            }
            if (System.nanoTime() - savedNs > SAVE_INTERVAL.toNanos()) {
                saveProgress();
            }
        }
        return false;
    }

    private void copy(Entry.Ready entry) throws InterruptedException {
        long number = entry.position().number();
        if (number - base <= present.length() && present.get((int) (number - base))) {
            found++;
            window.addWritten(entry.position());
            return;
        }
        written++;
        int partition = writer.partitionOf(entry.key());
        AckWindow.Entry sent = window.add(entry.position());
        writer.send(entry, partition, new CommandLog.ImportMark(progress.importId(), number), (metadata, failure) -> {
            if (failure == null) {
                window.acknowledge(sent, partition, metadata.offset());
            } else {
                window.fail(failure);
            }
        });
    }

    private void saveProgress() throws IOException {
        savedNs = System.nanoTime();
        save(window.checkpoint());
    }

    /** Saves progress and releases timers; does not replace a failure that is already being thrown. */
    private void end(String hold, boolean isDone) throws IOException {
        try {
            if (!isDone) {
                saveProgress();
            }
            writer.release(hold, clock.millis());
        } catch (CommandFailed e) {
            if (isDone) {
                throw new CommandFailed("everything is written, but timers are still held: " + e.getMessage(), e);
            }
        }
    }
}
