package dev.laurel.deploy.tools.imports;

import dev.laurel.deploy.CommandFailed;
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
 * The small file in which an import notes how far it is. Each write replaces it as a whole, on disk before the call
 * returns: whatever moment the process dies at, the file holds one state or the next. One process at a time has it. Used
 * by one thread.
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
     * The lock is a file of its own, as each write puts another file in the place of this one. It stays: were it removed,
     * someone who has opened it just before would hold a lock that nobody else can see.
     *
     * @throws CommandFailed if another import is at it now
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
            return null; // held by this very process
        }
    }

    private static Path beside(Path file, String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }

    /** What was noted last; null if nothing was. */
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
            var place = new Place(json.required("number").asLong(), json.required("position").asLong());
            var settled = new Settled(place, offsets, json.required("written").asLong(),
                    json.required("refused").asLong());
            return new Progress(ImportMark.parseId(json.required("import").asString()),
                    json.required("target").asString(), json.required("source").asString(), settled);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new CommandFailed(file + " is not a progress file: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandFailed("cannot read the progress file " + file + ": " + e.getMessage(), e);
        }
    }

    /** @throws CommandFailed if what was noted is not of this source */
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
        json.put("format", FORMAT).put("import", ImportMark.idText(progress.importId()))
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
}
