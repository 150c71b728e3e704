package dev.laurel.deploy.tools.imports;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.laurel.deploy.tools.imports.ImportSource.Position;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.LocalFiles;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The file in which an import saves its progress. Each write replaces it atomically and durably, so the file holds
 * one state or the next whenever the process dies. One process at a time uses it; used by one thread.
 */
record ProgressFile(@Nullable Path file, @Nullable FileChannel lock) implements AutoCloseable {

    private static final int FORMAT = 3;

    /**
     * The lock is a separate file, because each write replaces this one. It is never removed; otherwise a process
     * that had just opened it would hold a lock that no other process sees.
     *
     * @param file null: progress is not saved, so the import cannot be continued
     * @throws CommandFailed if another import uses the file
     */
    static ProgressFile open(@Nullable Path file) {
        if (file == null) {
            return new ProgressFile(null, null);
        }
        return new ProgressFile(file, CommandFailed.attempt("cannot write the progress file " + file, () -> {
            if (file.toAbsolutePath().getParent() != null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
            }
            return LocalFiles.lock(withSuffix(file, ".lock"), "another import uses " + file);
        }));
    }

    private static Path withSuffix(Path file, String suffix) {
        return file.resolveSibling(file.getFileName() + suffix);
    }

    /**
     * Returns the saved progress, after which the source continues; if there is none, saves new progress and returns
     * it. It must be saved before the first entry is sent, because the entries of this import are recognized by its id.
     *
     * @param target id of the log or address of the server
     * @param offsets supplies the first offset of each partition that records of this import can have
     * @throws CommandFailed if the saved progress is of another source or target
     */
    Progress begin(ImportSource source, String target, long newImportId, Supplier<long[]> offsets) throws IOException {
        Progress saved = read();
        if (saved == null) {
            var progress = new Progress(newImportId, target, new Checkpoint(source.position(), offsets.get(), 0, 0));
            write(progress);
            return progress;
        }
        if (!saved.target().equals(target)) {
            throw new CommandFailed(file + " belongs to an import into another log or server; give another --progress"
                    + " file, or remove it to start again");
        }
        String refusal = source.skipTo(saved.checkpoint().position());
        if (refusal != null) {
            throw new CommandFailed(file + " belongs to an import of another source, or this one was changed: "
                    + refusal
                    + "; restore what was imported and add new entries behind it, or import them as a source of their"
                    + " own; to import everything again, give another --progress file, or remove this one");
        }
        return saved;
    }

    /** Returns the saved progress; null if there is none. */
    @Nullable
    Progress read() {
        if (file == null || !Files.exists(file)) {
            return null;
        }
        byte[] content = CommandFailed.attempt("cannot read the progress file " + file, () -> Files.readAllBytes(file));
        try {
            if (Json.read(content, JsonNode.class).path("format").asInt() != FORMAT) {
                throw new CommandFailed(file + " is not a progress file of this version");
            }
            return Json.read(content, Stored.class).progress();
        } catch (JacksonException | IllegalArgumentException e) {
            throw new CommandFailed(file + " is not a progress file: " + e.getMessage(), e);
        }
    }

    void write(Progress progress) {
        if (file != null) {
            CommandFailed.attempt(
                    "cannot write the progress file " + file,
                    () -> LocalFiles.replace(file, withSuffix(file, ".next"), Json.write(Stored.of(progress))));
        }
    }

    /** The content of the file. */
    private record Stored(
            int format,
            @JsonProperty("import") String importId,
            String target,
            String source,
            long number,
            long position,
            long written,
            long refused,
            long[] offsets) {

        Stored {
            Stream.of(importId, target, source, offsets).forEach(Objects::requireNonNull);
        }

        static Stored of(Progress progress) {
            Checkpoint at = progress.checkpoint();
            return new Stored(
                    FORMAT,
                    CommandLog.ImportMark.idText(progress.importId()),
                    progress.target(),
                    at.position().before(),
                    at.position().number(),
                    at.position().offset(),
                    at.written(),
                    at.refused(),
                    at.offsets());
        }

        Progress progress() {
            return new Progress(
                    CommandLog.ImportMark.parseId(importId),
                    target,
                    new Checkpoint(new Position(number, position, source), offsets, written, refused));
        }
    }

    @Override
    public void close() {
        if (lock != null) {
            CommandFailed.attempt("cannot close the progress file " + file, lock::close);
        }
    }

    /**
     * A state from which another run can continue.
     *
     * @param position all entries up to here are written or refused
     * @param offsets for each partition, the first offset that records of later entries can have
     */
    record Checkpoint(Position position, long[] offsets, long written, long refused) {}

    /**
     * Saved progress of an import.
     *
     * @param importId id in the headers of its records
     * @param target id of the log or address of the server
     * @param checkpoint state up to which all entries are written or refused
     */
    record Progress(long importId, String target, Checkpoint checkpoint) {

        Progress at(Checkpoint now) {
            return new Progress(importId, target, now);
        }
    }
}
