package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.tools.imports.BatchClient.Response;
import dev.laurel.deploy.tools.imports.ImportSource.Entry;
import dev.laurel.deploy.tools.imports.ImportSource.Position;
import dev.laurel.deploy.tools.imports.ProgressFile.Checkpoint;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Utils;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends the events of a source to a server in batches, so that events of a user stay in order. Events without an
 * idempotency key get one from the import id and the line number: a batch whose response was lost is sent again, by
 * this run or the next one, and no event counts twice while the server remembers keys. The position is saved
 * after each batch.
 *
 * <p>Timers continue meanwhile; only an import into the log can hold them.
 */
final class BatchImport extends ImportWork {

    /** Limit of the server. */
    static final int MAX_EVENTS = 1000;

    /** The server accepts 10 MiB; a line has at most 0.9 MB. */
    private static final int MAX_BYTES = 8 * 1024 * 1024;

    private final BatchClient server;
    private final Duration timeout;
    private final List<BatchEvent> batch = new ArrayList<>();
    private Position position;
    private boolean hasResponded;

    /** @param text the line, for people */
    private record BatchEvent(Position position, String text, String json) {}

    /**
     * Begins an import, or continues the one in the progress file. Nothing is sent yet.
     *
     * @param timeout time after which the import gives up if the server accepts nothing
     */
    BatchImport(BatchClient server, Context context, long newImportId, Duration timeout) throws IOException {
        super(context, server.calls().server().toString(), newImportId, () -> new long[0]);
        this.server = server;
        this.timeout = timeout;
        this.position = progress.checkpoint().position();
    }

    @Override
    Result run() throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        boolean isAtEnd = false;
        while (!isAtEnd && !isStopped()) {
            isAtEnd = readBatch();
            if (!sendBatch()) {
                break;
            }
            saveProgress();
        }
        return new Result(
                written, 0, refused, Duration.ofNanos(System.nanoTime() - startNs), isAtEnd && batch.isEmpty());
    }

    /** Returns whether the source is exhausted. */
    private boolean readBatch() throws IOException {
        int bytes = 0;
        while (batch.size() < MAX_EVENTS && bytes < MAX_BYTES) {
            Entry entry = context.source().next();
            switch (entry) {
                case null -> {
                    return true;
                }
                case Entry.Refused refusal -> refuse(refusal);
                case Entry.Ready ready -> bytes += add(ready);
            }
            position = entry.position();
        }
        return false;
    }

    /** Returns the size of the event, 0 if it is refused. */
    private int add(Entry.Ready ready) throws IOException {
        ObjectNode event = Json.read(ready.value(), ObjectNode.class);
        event.put("time", Json.time(Instant.ofEpochMilli(ready.timeMs())));
        String text = event.toString();
        String type = event.remove("type").asString();
        if (!type.equals("event")) {
            refuse(new Entry.Refused(
                    ready.position().number(),
                    ready.position(),
                    "is a command '" + type + "': only events go through --url, all others through --kafka",
                    text));
            return 0;
        }
        event.set("key", event.remove("metric"));
        event.remove("eventId");
        if (event.path("idempotencyKey").asString("").isEmpty()) {
            event.put(
                    "idempotencyKey",
                    CommandLog.ImportMark.holdName(progress.importId()) + "-"
                            + ready.position().number());
        }
        String json = event.toString();
        batch.add(new BatchEvent(ready.position(), text, json));
        return Utils.utf8Length(json);
    }

    /**
     * Sends the batch without the events that the server refuses. The server names the first refused event and stores
     * nothing; then the events before it are sent, and after it smaller batches, in case there are many.
     *
     * @return false if the import was stopped meanwhile
     */
    private boolean sendBatch() throws IOException, InterruptedException {
        long lastAcceptedNs = System.nanoTime();
        int limit = batch.size();
        while (!batch.isEmpty()) {
            List<BatchEvent> sent = batch.subList(0, Math.min(limit, batch.size()));
            switch (server.send(sent.stream().map(BatchEvent::json).toList())) {
                case Response.Stored() -> {
                    written += sent.size();
                    limit = 2 * sent.size();
                    sent.clear();
                    lastAcceptedNs = System.nanoTime();
                }
                case Response.Refused(int index, String reason) -> {
                    limit = index > 0 ? index : Math.max(1, sent.size() / 2);
                    BatchEvent event = batch.remove(index);
                    refuse(new Entry.Refused(event.position().number(), event.position(), reason, event.text()));
                    lastAcceptedNs = System.nanoTime();
                }
                case Response.Unknown(Duration after, String reason) -> {
                    if (isStopped(after, reason, lastAcceptedNs)) {
                        return false;
                    }
                }
                case Response.Missing(String reason) -> {
                    if (!hasResponded) {
                        throw new CommandFailed(
                                "cannot import through " + server.calls().server() + " (" + reason + ")");
                    }
                    if (isStopped(BatchClient.PAUSE, reason, lastAcceptedNs)) {
                        return false;
                    }
                }
            }
            hasResponded = true;
        }
        return true;
    }

    /**
     * Waits for the pause. Returns whether the import was stopped meanwhile.
     *
     * @throws Stopped if the server has accepted nothing for too long
     */
    private boolean isStopped(Duration pause, String reason, long lastAcceptedNs) throws InterruptedException {
        if (System.nanoTime() - lastAcceptedNs > timeout.toNanos()) {
            throw new Stopped(server.calls().server() + " has accepted nothing for " + timeout.toSeconds() + " s ("
                    + reason + ")");
        }
        return isStoppedWithin(pause);
    }

    private void saveProgress() throws IOException {
        Checkpoint before = progress.checkpoint();
        save(new Checkpoint(position, before.offsets(), before.written() + written, before.refused() + refused));
    }
}
