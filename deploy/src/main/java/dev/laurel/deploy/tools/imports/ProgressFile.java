package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.tools.imports.AckWindow.Settled;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

/**
 * The file in which an import saves its progress. Each write replaces it atomically and durably, so the file holds
 * one state or the next whenever the process dies. One process at a time uses it; used by one thread.
 */
final class ProgressFile implements AutoCloseable {

    private static final int FORMAT = 2;

    private final Path file;
    private final FileChannel lockChannel;

    private ProgressFile(Path file, FileChannel lockChannel) {
        this.file = file;
        this.lockChannel = lockChannel;
    }

    /**
     * The lock is a separate file, because each write replaces this one. It is never removed; otherwise a process
     * that had just opened it would hold a lock that no other process sees.
     *
     * @throws CommandFailed if another import uses the file
     */
    static ProgressFile open(Path file) {
        Path lockFile = beside(file, ".lock");
        try {
            if (file.toAbsolutePath().getParent() != null) {
                Files.createDirectories(file.toAbsolutePath().getParent());
            }
            FileChannel channel = FileChannel.open(lockFile, CREATE, WRITE);
            FileLock lock = tryLock(channel);
            if (lock == null) {
                channel.close();
                throw new CommandFailed("another import is running on " + file);
            }
            return new ProgressFile(file, channel);
        } catch (IOException e) {
            throw new CommandFailed("cannot write the progress file " + file + ": " + e.getMessage(), e);
        }
    }

    private static FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException _) {
            return null; // locked by this process
        }
    }

    private static Path beside(Path file, String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }

    /** Returns the saved progress; null if there is none. */
    Progress read() {
        if (!Files.exists(file)) {
            return null;
        }
        try {
            JsonNode json = Json.read(Files.readAllBytes(file), JsonNode.class);
            if (json.path("format").asInt() != FORMAT) {
                throw new CommandFailed(file + " is not a progress file of this version");
            }
            long[] offsets = new long[json.required("offsets").size()];
            Arrays.setAll(offsets, i -> json.get("offsets").get(i).asLong());
            var place = new ImportSource.Position(json.required("number").asLong(), json.required("position").asLong());
            var settled = new Settled(place, offsets, json.required("written").asLong(),
                    json.required("refused").asLong());
            return new Progress(CommandLog.ImportMark.parseId(json.required("import").asString()),
                    json.required("target").asString(), json.required("source").asString(), settled);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new CommandFailed(file + " is not a progress file: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandFailed("cannot read the progress file " + file + ": " + e.getMessage(), e);
        }
    }

    /** @throws CommandFailed if the progress is of another source */
    void expectOf(ImportSource source, Progress noted) throws IOException {
        if (!source.matches(noted.fingerprint())) {
            throw new CommandFailed(file + " tells of an import of something else, or the beginning of it"
                    + " has changed; give another --progress file, or remove it to import everything");
        }
    }

    void write(Progress progress) {
        Path next = beside(file, ".next");
        try {
            try (var channel = FileChannel.open(next, CREATE, WRITE, TRUNCATE_EXISTING)) {
                var bytes = ByteBuffer.wrap(json(progress));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new CommandFailed("cannot write the progress file " + file + ": " + e.getMessage(), e);
        }
    }

    private static byte[] json(Progress progress) {
        ObjectNode json = Json.mapperForTools().createObjectNode();
        Settled settled = progress.settled();
        json.put("format", FORMAT).put("import", CommandLog.ImportMark.idText(progress.importId()))
                .put("target", progress.target()).put("source", progress.fingerprint())
                .put("number", settled.place().number()).put("position", settled.place().position())
                .put("written", settled.written()).put("refused", settled.refused());
        var offsets = json.putArray("offsets");
        for (long offset : settled.offsets()) {
            offsets.add(offset);
        }
        return Json.write(json);
    }

    Path path() {
        return file;
    }

    @Override
    public void close() {
        try {
            lockChannel.close();
        } catch (IOException e) {
            throw new CommandFailed("cannot close the progress file " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Saved progress of an import.
     *
     * @param importId id in the headers of its records
     * @param target id of the log or address of the server
     * @param fingerprint fingerprint of the source
     * @param settled position up to which all entries are written or refused
     */
    record Progress(long importId, String target, String fingerprint, AckWindow.Settled settled) {

        Progress at(AckWindow.Settled now) {
            return new Progress(importId, target, fingerprint, now);
        }
    }
}
