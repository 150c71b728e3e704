package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.imports.AckWindow.Kind;
import dev.laurel.deploy.tools.imports.AckWindow.Settled;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.function.LongConsumer;

/**
 * Writes a source to the log, each entry exactly once however often the process dies in between.
 *
 * <p>Progress is noted twice a second, and only behind entries that Kafka has acknowledged. So entries that are in the log
 * but not noted exist after a crash; they are found by the mark in their headers, by reading each partition from the
 * offset that was noted for it. The same holds for a killed broker: what it has acknowledged is noted or found.
 *
 * <p>Timers are held from before the first entry to the end of {@link #run}, which also releases them when it fails or is
 * stopped; only a killed process leaves them held, until it is run again.
 */
final class LogImport implements ImportRun.Work {

    static final int MAX_IN_FLIGHT = 1 << 16;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration NOTE_INTERVAL = Duration.ofMillis(500);

    /**
     * @param scanWholeLog where a new import starts to look for its own entries: at the log's beginning if true, which
     *        finds those of an import of the same id whose progress file is lost; at its end otherwise
     */
    record Settings(long newImportId, boolean scanWholeLog) {}

    private final CommandLog log;
    private final CommandLogWriter writer;
    private final ImportSource source;
    private final ProgressFile progressFile;
    private final Refusals refusals;
    private final InstantSource clock;
    private final LongConsumer onProgress;
    private final Settings settings;
    private volatile boolean isStopping;
    private AckWindow window;
    private Progress progress;
    private BitSet present;
    private long base;
    private long written;
    private long found;
    private long refused;
    private long notedNs;

    /**
     * @param progressFile null for an import that cannot be gone on with
     * @param onProgress gets the position reached, now and then
     */
    LogImport(CommandLog log, CommandLogWriter writer, ImportSource source, ProgressFile progressFile,
            Refusals refusals, InstantSource clock, LongConsumer onProgress, Settings settings) {
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
    public ImportResult run() throws IOException, InterruptedException {
        Progress noted = progressFile == null ? null : progressFile.read();
        progress = noted == null ? begin() : goOn(noted);
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
            note();
            return new ImportResult(written, found, refused, Duration.ofNanos(System.nanoTime() - startNs), complete);
        } finally {
            end(hold, isDone);
        }
    }

    static String holdName(long importId) {
        return "import-" + ImportMark.idText(importId);
    }

    private Progress begin() throws IOException {
        long[] offsets = settings.scanWholeLog() ? log.beginningOffsets() : log.endOffsets();
        var start = new Settled(Place.START, offsets, 0, 0);
        var fresh = new Progress(settings.newImportId(), log.id(), source.fingerprint(), start);
        // Before the first record: without the id nobody could find it again.
        if (progressFile != null) {
            progressFile.write(fresh);
        }
        return fresh;
    }

    private Progress goOn(Progress noted) throws IOException {
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
        window = new AckWindow(MAX_IN_FLIGHT, PATIENCE, settled);
    }

    /** Sends what is not there yet; false if it was stopped before the end. */
    private boolean copy() throws IOException, InterruptedException {
        notedNs = System.nanoTime();
        while (!isStopping) {
            ImportEntry entry = source.next();
            switch (entry) {
                case null -> {
                    return true;
                }
                case ImportEntry.Refused refusal -> refuse(refusal);
                case ImportEntry.Ready ready -> copy(ready);
            }
            if (System.nanoTime() - notedNs > NOTE_INTERVAL.toNanos()) {
                note();
            }
        }
        return false;
    }

    private void refuse(ImportEntry.Refused refusal) throws IOException, InterruptedException {
        refused++;
        refusals.add(refusal);
        window.addSettled(refusal.place(), Kind.REFUSED);
    }

    private void copy(ImportEntry.Ready entry) throws InterruptedException {
        long number = entry.place().number();
        if (number - base <= present.length() && present.get((int) (number - base))) {
            found++;
            window.addSettled(entry.place(), Kind.WRITTEN);
            return;
        }
        written++;
        int partition = writer.partitionOf(entry.key());
        long ticket = window.add(entry.place());
        writer.send(entry, partition, new ImportMark(progress.importId(), number), (metadata, failure) -> {
            if (failure == null) {
                window.acknowledge(ticket, partition, metadata.offset());
            } else {
                window.fail(failure);
            }
        });
    }

    private void note() throws IOException {
        notedNs = System.nanoTime();
        Settled settled = window.settled();
        refusals.flush();
        if (progressFile != null) {
            progressFile.write(progress.at(settled));
        }
        onProgress.accept(settled.place().position());
    }

    /** What failed is on its way to the caller: nothing here may take its place. */
    private void end(String hold, boolean isDone) throws IOException {
        try {
            if (!isDone && window != null) {
                note();
            }
            writer.release(hold, clock.millis());
        } catch (CommandFailed e) {
            if (isDone) {
                throw new CommandFailed("everything is written, but timers are still held: " + e.getMessage(), e);
            }
        }
    }
}
