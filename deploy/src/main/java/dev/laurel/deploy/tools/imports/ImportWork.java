package dev.laurel.deploy.tools.imports;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import dev.laurel.deploy.tools.imports.ImportSource.Entry;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.serde.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An import: the entries of a source go to a log or a server, and the position is saved from time to time. Used by one thread. */
public abstract class ImportWork {

    /** How long an import goes on while nothing is accepted. */
    static final Duration TIMEOUT = Duration.ofSeconds(60);

    final Context context;
    final ProgressFile.Progress progress;
    long written;
    long refused;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /**
     * The source, progress file and outputs of an import.
     *
     * @param onProgress receives the offset in the source from time to time
     */
    record Context(ImportSource source, ProgressFile progressFile, RefusedEntries refusals, LongConsumer onProgress) {}

    /**
     * Result of a run.
     *
     * @param found entries that were in the log although the progress file did not say so
     * @param complete false if the run was stopped before the end of the source
     */
    public record Result(long written, long found, long refused, Duration elapsed, boolean complete) {}

    /** Begins as {@link ProgressFile#begin} says. */
    ImportWork(Context context, String target, long newImportId, Supplier<long[]> offsets) throws IOException {
        this.context = context;
        this.progress = context.progressFile().begin(context.source(), target, newImportId, offsets);
    }

    abstract Result run() throws IOException, InterruptedException;

    /** Ends {@link #run} soon and cleanly; may be called from any thread. */
    final void stop() {
        stopped.countDown();
    }

    final boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Waits for so long. Returns whether the import was stopped meanwhile. */
    final boolean isStoppedWithin(Duration pause) throws InterruptedException {
        return stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    final void refuse(Entry.Refused refusal) throws IOException {
        refused++;
        context.refusals().add(refusal);
    }

    final void save(ProgressFile.Checkpoint checkpoint) throws IOException {
        context.refusals().flush();
        context.progressFile().write(progress.at(checkpoint));
        context.onProgress().accept(checkpoint.position().offset());
    }

    /** Reports that an import could not continue; what it has written stays. */
    static final class Stopped extends RuntimeException {

        Stopped(String reason) {
            super(reason);
        }
    }

    /**
     * Reports entries that cannot be imported: the first ones on the terminal, all of them in a file if there is one, as
     * JSON objects with {@code line}, {@code reason} and {@code text}. After a crash the file may contain the last lines
     * twice. Used by one thread.
     */
    static final class RefusedEntries implements AutoCloseable {

        private static final int SHOWN = 20;

        private final PrintWriter err;
        private final @Nullable BufferedOutputStream file;
        private long count;

        private RefusedEntries(PrintWriter err, @Nullable BufferedOutputStream file) {
            this.err = err;
            this.file = file;
        }

        /** @param rejects file for all entries; null: only the terminal */
        static RefusedEntries to(PrintWriter err, @Nullable Path rejects) {
            return new RefusedEntries(
                    err,
                    rejects == null
                            ? null
                            : CommandFailed.attempt(
                                    "cannot write " + rejects,
                                    () -> new BufferedOutputStream(Files.newOutputStream(rejects, CREATE, APPEND))));
        }

        void add(Entry.Refused refused) throws IOException {
            count++;
            if (count <= SHOWN) {
                err.println("line " + refused.number() + ": " + refused.reason());
            } else if (count == SHOWN + 1) {
                err.println("more lines are refused" + (file == null ? "; --rejects FILE keeps them all" : ""));
            }
            if (file != null) {
                var line = Json.mapperForTools()
                        .createObjectNode()
                        .put("line", refused.number())
                        .put("reason", refused.reason())
                        .put("text", refused.text());
                // Not by a writer, which would fail at half of a surrogate pair.
                file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        }

        /** Must be called before progress past these entries is saved. */
        void flush() throws IOException {
            if (file != null) {
                file.flush();
            }
        }

        @Override
        public void close() throws IOException {
            if (file != null) {
                file.close();
            }
        }
    }
}
