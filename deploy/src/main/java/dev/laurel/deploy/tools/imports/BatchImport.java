package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.tools.imports.AckWindow.Settled;
import dev.laurel.deploy.tools.imports.BatchClient.Answer;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends the events of a source to a server in batches, so that events of a user stay in order. Events without an
 * idempotency key get one from the import id and the line number: a batch whose response was lost is sent again, by
 * this run or the next one, and no event counts twice while the server remembers keys. The position is saved
 * after each batch.
 *
 * <p>Timers continue meanwhile; only an import into the log can hold them.
 */
final class BatchImport implements ImportRun.Work {

    /** Limit of the server. */
    static final int MAX_EVENTS = 1000;

    /** The server accepts 10 MiB; a line has at most 0.9 MB. */
    private static final int MAX_BYTES = 8 * 1024 * 1024;

    private final BatchClient server;
    private final ImportSource source;
    private final ProgressFile progressFile;
    private final RefusedEntries refusals;
    private final LongConsumer onProgress;
    private final long newImportId;
    private final Duration patience;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<Item> batch = new ArrayList<>();
    private ProgressFile.Progress progress;
    private ImportSource.Position place;
    private long written;
    private long refused;
    private boolean hasAnswered;

    /** @param text the line, for people */
    private record Item(ImportSource.Position place, String text, byte[] json) {

        ImportSource.Entry.Refused refusal(String reason) {
            return new ImportSource.Entry.Refused(place, reason, text);
        }
    }

    /**
     * @param progressFile null for an import that cannot be continued
     * @param onProgress receives the position from time to time
     * @param patience time after which the import gives up if the server accepts nothing
     */
    BatchImport(BatchClient server, ImportSource source, ProgressFile progressFile, RefusedEntries refusals,
            LongConsumer onProgress, long newImportId, Duration patience) {
        this.server = server;
        this.source = source;
        this.progressFile = progressFile;
        this.refusals = refusals;
        this.onProgress = onProgress;
        this.newImportId = newImportId;
        this.patience = patience;
    }

    @Override
    public void stop() {
        stopped.countDown();
    }

    private boolean isStopping() {
        return stopped.getCount() == 0;
    }

    @Override
    public ImportRun.Result run() throws IOException, InterruptedException {
        ProgressFile.Progress noted = progressFile == null ? null : progressFile.read();
        progress = noted == null ? begin() : resume(noted);
        place = progress.settled().place();
        source.skipTo(place);
        long startNs = System.nanoTime();
        boolean isAtEnd = false;
        while (!isAtEnd && !isStopping()) {
            isAtEnd = readBatch();
            if (!sendBatch()) {
                break;
            }
            saveProgress();
        }
        return new ImportRun.Result(written, 0, refused, Duration.ofNanos(System.nanoTime() - startNs),
                isAtEnd && batch.isEmpty());
    }

    private ProgressFile.Progress begin() throws IOException {
        var fresh = new ProgressFile.Progress(newImportId, server.server().toString(), source.fingerprint(),
                new Settled(ImportSource.Position.START, new long[0], 0, 0));
        // Saved before the first event, because another import id would give other keys.
        if (progressFile != null) {
            progressFile.write(fresh);
        }
        return fresh;
    }

    private ProgressFile.Progress resume(ProgressFile.Progress noted) throws IOException {
        if (!noted.target().equals(server.server().toString())) {
            throw new CommandFailed(progressFile.path() + " tells of an import to something else than "
                    + server.server() + "; give another --progress file, or remove it to begin anew");
        }
        progressFile.expectOf(source, noted);
        return noted;
    }

    /** Returns whether the source is exhausted. */
    private boolean readBatch() throws IOException {
        int bytes = 0;
        while (batch.size() < MAX_EVENTS && bytes < MAX_BYTES) {
            ImportSource.Entry entry = source.next();
            switch (entry) {
                case null -> {
                    return true;
                }
                case ImportSource.Entry.Refused refusal -> refuse(refusal);
                case ImportSource.Entry.Ready ready -> bytes += add(ready);
            }
            place = entry.place();
        }
        return false;
    }

    private int add(ImportSource.Entry.Ready ready) throws IOException {
        ObjectNode event = Json.read(ready.value(), ObjectNode.class);
        event.put("time", Json.time(Instant.ofEpochMilli(ready.timeMs())));
        String text = event.toString();
        String type = event.remove("type").asString();
        if (!type.equals("event")) {
            refuse(new ImportSource.Entry.Refused(ready.place(),
                    "is a command '" + type + "': only events go through --url, all others through --kafka", text));
            return 0;
        }
        event.set("key", event.remove("metric"));
        event.remove("eventId");
        if (event.path("idempotencyKey").asString("").isEmpty()) {
            event.put("idempotencyKey", LogImport.holdName(progress.importId()) + "-" + ready.place().number());
        }
        byte[] json = event.toString().getBytes(StandardCharsets.UTF_8);
        batch.add(new Item(ready.place(), text, json));
        return json.length;
    }

    private void refuse(ImportSource.Entry.Refused refusal) throws IOException {
        refused++;
        refusals.add(refusal);
    }

    /**
     * Sends the batch without the events that the server refuses. The server names the first refused event and stores
     * nothing; then the events before it are sent, and after it smaller batches, in case there are many.
     *
     * @return false if the import was stopped meanwhile
     */
    private boolean sendBatch() throws IOException, InterruptedException {
        long lastTakenNs = System.nanoTime();
        int most = batch.size();
        while (!batch.isEmpty()) {
            List<Item> sent = batch.subList(0, Math.min(most, batch.size()));
            switch (server.send(sent.stream().map(Item::json).toList())) {
                case Answer.Stored() -> {
                    written += sent.size();
                    most = 2 * sent.size();
                    sent.clear();
                    hasAnswered = true;
                    lastTakenNs = System.nanoTime();
                }
                case Answer.Refused(int index, String reason) -> {
                    most = index > 0 ? index : Math.max(1, sent.size() / 2);
                    refuse(batch.remove(index).refusal(reason));
                    hasAnswered = true;
                    lastTakenNs = System.nanoTime();
                }
                case Answer.Unknown(Duration after, String reason) -> {
                    hasAnswered = true;
                    if (isStopped(after, reason, lastTakenNs)) {
                        return false;
                    }
                }
                case Answer.Unanswered(String reason) -> {
                    if (!hasAnswered) {
                        throw new CommandFailed("cannot import through " + server.server() + " (" + reason + ")");
                    }
                    if (isStopped(BatchClient.PAUSE, reason, lastTakenNs)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /**
     * Waits for the pause. Returns whether the import was stopped meanwhile.
     *
     * @throws ImportRun.Stopped if the server has accepted nothing for too long
     */
    private boolean isStopped(Duration pause, String reason, long lastTakenNs) throws InterruptedException {
        if (System.nanoTime() - lastTakenNs > patience.toNanos()) {
            throw new ImportRun.Stopped(
                    server.server() + " has taken nothing for " + patience.toSeconds() + " s (" + reason
                            + ")");
        }
        return stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void saveProgress() throws IOException {
        refusals.flush();
        Settled before = progress.settled();
        if (progressFile != null) {
            progressFile.write(progress.at(
                    new Settled(place, before.offsets(), before.written() + written, before.refused() + refused)));
        }
        onProgress.accept(place.position());
    }
}
