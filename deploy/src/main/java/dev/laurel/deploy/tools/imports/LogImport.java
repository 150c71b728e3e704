package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.tools.imports.AckWindow.Kind;
import dev.laurel.deploy.tools.imports.AckWindow.Settled;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.function.LongConsumer;

/**
 * Writes a source to the log, each entry exactly once even if the process is killed in between.
 *
 * <p>The position is saved twice a second, up to the entries that Kafka has acknowledged. After a crash, the log may
 * contain further entries; the headers of their records identify them when each partition is read from its saved
 * offset. A killed broker makes no difference, because its acknowledged records are saved or found.
 *
 * <p>Timers are held from before the first entry to the end of {@link #run}, which also releases them if it fails or
 * is stopped. Only a killed process leaves them held, until it is run again.
 */
final class LogImport implements ImportRun.Work {

    static final int MAX_IN_FLIGHT = 1 << 16;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration SAVE_INTERVAL = Duration.ofMillis(500);

    /**
     * @param scanWholeLog whether a new import looks for its own entries in the whole log, which finds those of an
     * import of the same id without its progress file; otherwise from its end
     */
    record Settings(long newImportId, boolean scanWholeLog) {}

    private final CommandLog log;
    private final CommandLogWriter writer;
    private final ImportSource source;
    private final ProgressFile progressFile;
    private final RefusedEntries refusals;
    private final InstantSource clock;
    private final LongConsumer onProgress;
    private final Settings settings;
    private volatile boolean isStopping;
    private AckWindow window;
    private ProgressFile.Progress progress;
    private BitSet present;
    private long base;
    private long written;
    private long found;
    private long refused;
    private long savedNs;

    /**
     * @param progressFile null for an import that cannot be continued
     * @param onProgress receives the position from time to time
     */
    LogImport(CommandLog log, CommandLogWriter writer, ImportSource source, ProgressFile progressFile,
            RefusedEntries refusals, InstantSource clock, LongConsumer onProgress, Settings settings) {
        this.log = log;
        this.writer = writer;
        this.source = source;
        this.progressFile = progressFile;
        this.refusals = refusals;
        this.clock = clock;
        this.onProgress = onProgress;
        this.settings = settings;
    }

    @Override
    public void stop() {
        isStopping = true;
    }

    @Override
    public ImportRun.Result run() throws IOException, InterruptedException {
        ProgressFile.Progress noted = progressFile == null ? null : progressFile.read();
        progress = noted == null ? begin() : resume(noted);
        String hold = holdName(progress.importId());
        writer.hold(hold, clock.millis());
        long startNs = System.nanoTime();
        boolean isDone = false;
        try {
            findWritten(noted != null || settings.scanWholeLog());
            source.skipTo(progress.settled().place());
            boolean complete = copy();
            window.awaitAll();
            isDone = true;
            saveProgress();
            return new ImportRun.Result(written, found, refused, Duration.ofNanos(System.nanoTime() - startNs),
                    complete);
        } finally {
            end(hold, isDone);
        }
    }

    static String holdName(long importId) {
        return "import-" + CommandLog.ImportMark.idText(importId);
    }

    private ProgressFile.Progress begin() throws IOException {
        long[] offsets = settings.scanWholeLog() ? log.beginningOffsets() : log.endOffsets();
        var start = new Settled(ImportSource.Position.START, offsets, 0, 0);
        var fresh = new ProgressFile.Progress(settings.newImportId(), log.id(), source.fingerprint(), start);
        // Saved before the first record, which could not be found without the import id.
        if (progressFile != null) {
            progressFile.write(fresh);
        }
        return fresh;
    }

    private ProgressFile.Progress resume(ProgressFile.Progress noted) throws IOException {
        if (!noted.target().equals(log.id()) || noted.settled().offsets().length != log.partitions()) {
            throw new CommandFailed(progressFile.path()
                    + " tells of an import into something else than the Kafka topic at "
                    + log.kafka().bootstrapServers() + "; give another --progress file, or remove it to begin anew");
        }
        progressFile.expectOf(source, noted);
        return noted;
    }

    private void findWritten(boolean mayHaveSome) {
        Settled settled = progress.settled();
        base = settled.place().number();
        present = mayHaveSome
                ? log.writtenSince(progress.importId(), base, settled.offsets())
                : new BitSet();
        window = new AckWindow(MAX_IN_FLIGHT, TIMEOUT, settled);
    }

    /** Sends the missing entries; returns false if stopped before the end. */
    private boolean copy() throws IOException, InterruptedException {
        savedNs = System.nanoTime();
        while (!isStopping) {
            ImportSource.Entry entry = source.next();
            switch (entry) {
                case null -> {
                    return true;
                }
                case ImportSource.Entry.Refused refusal -> refuse(refusal);
                case ImportSource.Entry.Ready ready -> copy(ready);
            }
            if (System.nanoTime() - savedNs > SAVE_INTERVAL.toNanos()) {
                saveProgress();
            }
        }
        return false;
    }

    private void refuse(ImportSource.Entry.Refused refusal) throws IOException, InterruptedException {
        refused++;
        refusals.add(refusal);
        window.addSettled(refusal.place(), Kind.REFUSED);
    }

    private void copy(ImportSource.Entry.Ready entry) throws InterruptedException {
        long number = entry.place().number();
        if (number - base <= present.length() && present.get((int) (number - base))) {
            found++;
            window.addSettled(entry.place(), Kind.WRITTEN);
            return;
        }
        written++;
        int partition = writer.partitionOf(entry.key());
        long ticket = window.add(entry.place());
        writer.send(entry, partition, new CommandLog.ImportMark(progress.importId(), number), (metadata, failure) -> {
            if (failure == null) {
                window.acknowledge(ticket, partition, metadata.offset());
            } else {
                window.fail(failure);
            }
        });
    }

    private void saveProgress() throws IOException {
        savedNs = System.nanoTime();
        Settled settled = window.settled();
        refusals.flush();
        if (progressFile != null) {
            progressFile.write(progress.at(settled));
        }
        onProgress.accept(settled.place().position());
    }

    /** Saves progress and releases timers; does not replace a failure that is already being thrown. */
    private void end(String hold, boolean isDone) throws IOException {
        try {
            if (!isDone && window != null) {
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
