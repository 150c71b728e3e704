package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.CommandFailed;
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
 * Sends the events of a source to a server, one batch after the other, so that each user's stay in order. Those that have no
 * idempotency key get one made of the import and the line: a batch whose answer was lost is sent again, by this run or by the
 * next one, and none counts twice as long as the server remembers keys. Progress is noted behind each batch.
 *
 * <p>Timers are not held meanwhile: only the log itself can do that.
 */
final class BatchImport implements ImportRun.Work {

    /** As many as the server takes at once. */
    static final int MAX_EVENTS = 1000;

    /** The server takes 10 MiB; a line has at most 0.9 MB. */
    private static final int MAX_BYTES = 8 * 1024 * 1024;

    private final BatchClient server;
    private final ImportSource source;
    private final ProgressFile progressFile;
    private final Refusals refusals;
    private final LongConsumer onProgress;
    private final long newImportId;
    private final Duration patience;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final List<Item> batch = new ArrayList<>();
    private Progress progress;
    private Place place;
    private long written;
    private long refused;
    private boolean hasAnswered;

    /** @param text the line, for people */
    private record Item(Place place, String text, byte[] json) {

        ImportEntry.Refused refusal(String reason) {
            return new ImportEntry.Refused(place, reason, text);
        }
    }

    /**
     * @param progressFile null for an import that cannot be gone on with
     * @param onProgress gets the position reached, now and then
     * @param patience with a server that takes nothing
     */
    BatchImport(BatchClient server, ImportSource source, ProgressFile progressFile, Refusals refusals,
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
    public ImportResult run() throws IOException, InterruptedException {
        Progress noted = progressFile == null ? null : progressFile.read();
        progress = noted == null ? begin() : goOn(noted);
        place = progress.settled().place();
        source.skipTo(place);
        long startNs = System.nanoTime();
        boolean isAtEnd = false;
        while (!isAtEnd && !isStopping()) {
            isAtEnd = readBatch();
            if (!sendBatch()) {
                break;
            }
            note();
        }
        return new ImportResult(written, 0, refused, Duration.ofNanos(System.nanoTime() - startNs),
                isAtEnd && batch.isEmpty());
    }

    private Progress begin() throws IOException {
        var fresh = new Progress(newImportId, server.server().toString(), source.fingerprint(),
                new Settled(Place.START, new long[0], 0, 0));
        // Before the first event: by another id the next run would make other keys.
        if (progressFile != null) {
            progressFile.write(fresh);
        }
        return fresh;
    }

    private Progress goOn(Progress noted) throws IOException {
        if (!noted.target().equals(server.server().toString())) {
            throw new CommandFailed(progressFile.path() + " tells of an import to something else than "
                    + server.server() + "; give another --progress file, or remove it to begin anew");
        }
        progressFile.expectOf(source, noted);
        return noted;
    }

    /** @return whether nothing comes behind it */
    private boolean readBatch() throws IOException {
        int bytes = 0;
        while (batch.size() < MAX_EVENTS && bytes < MAX_BYTES) {
            ImportEntry entry = source.next();
            switch (entry) {
                case null -> {
                    return true;
                }
                case ImportEntry.Refused refusal -> refuse(refusal);
                case ImportEntry.Ready ready -> bytes += add(ready);
            }
            place = entry.place();
        }
        return false;
    }

    private int add(ImportEntry.Ready ready) throws IOException {
        ObjectNode event = Json.read(ready.value(), ObjectNode.class);
        event.put("time", Json.time(Instant.ofEpochMilli(ready.timeMs())));
        String text = event.toString();
        String type = event.remove("type").asString();
        if (!type.equals("event")) {
            refuse(new ImportEntry.Refused(ready.place(),
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

    private void refuse(ImportEntry.Refused refusal) throws IOException {
        refused++;
        refusals.add(refusal);
    }

    /**
     * Sends what there is, but for those that the server refuses. It names the first one only, and stores nothing: then those
     * before it are sent, and behind it fewer at a time, in case there are many.
     *
     * @return false if it was stopped before that was done
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

    /** Waits that long. @return whether it is stopped meanwhile @throws ImportStopped if the server has taken nothing for too long */
    private boolean isStopped(Duration pause, String reason, long lastTakenNs) throws InterruptedException {
        if (System.nanoTime() - lastTakenNs > patience.toNanos()) {
            throw new ImportStopped(server.server() + " has taken nothing for " + patience.toSeconds() + " s (" + reason
                    + ")");
        }
        return stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void note() throws IOException {
        refusals.flush();
        Settled before = progress.settled();
        if (progressFile != null) {
            progressFile.write(progress.at(
                    new Settled(place, before.offsets(), before.written() + written, before.refused() + refused)));
        }
        onProgress.accept(place.position());
    }
}
