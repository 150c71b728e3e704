package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.tools.topics.Manifest.Copied;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.LocalFiles;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A backup on disk: {@code backup.json}, {@code topics.json} with the ids of the copied topics, and below them a
 * folder per topic, in it one per partition, in it segments. Used by one process at a time.
 *
 * @param lock null: opened for reading
 */
record BackupFolder(Path root, @Nullable FileChannel lock) implements AutoCloseable {

    private static final String MANIFEST = "backup.json";
    private static final String TOPICS = "topics.json";
    private static final String LOCK = ".lock";

    /** Opens a folder for writing and locks it; creates it if it does not exist. */
    static BackupFolder open(Path root) {
        return new BackupFolder(
                root,
                CommandFailed.attempt(
                        "cannot write to " + root,
                        () -> LocalFiles.lock(
                                Files.createDirectories(root).resolve(LOCK),
                                "another backup is being written to " + root)));
    }

    /** Opens a folder for reading. */
    static BackupFolder at(Path root) {
        return new BackupFolder(root, null);
    }

    /** Returns the manifest, or null if no backup was ever completed here. */
    @Nullable
    Manifest find() {
        Path file = root.resolve(MANIFEST);
        if (!Files.exists(file)) {
            return null;
        }
        Manifest manifest =
                CommandFailed.attempt("cannot read " + file, () -> Json.read(Files.readAllBytes(file), Manifest.class));
        if (manifest.format() != Manifest.FORMAT) {
            throw new CommandFailed(root + " has a backup of format " + manifest.format()
                    + "; this version of Laurel reads format " + Manifest.FORMAT);
        }
        return manifest;
    }

    /** @throws CommandFailed if there is no backup */
    Manifest manifest() {
        Manifest manifest = find();
        if (manifest == null) {
            throw new CommandFailed("there is no backup in " + root + ": it has no " + MANIFEST);
        }
        return manifest;
    }

    Path partition(String topic, int partition) {
        return root.resolve(topic).resolve(Integer.toString(partition));
    }

    /**
     * Records the ids of the topics before the first one is copied, so that an interrupted backup is only continued
     * by one of the same topics.
     *
     * @param ids ids of the topics by name
     * @throws CommandFailed if the folder may have segments of another topic of the same name
     */
    void begin(Map<String, String> ids) {
        Path file = root.resolve(TOPICS);
        CommandFailed.attempt("cannot write " + file, () -> {
            var recorded = new TreeMap<String, String>();
            if (Files.exists(file)) {
                Json.read(Files.readAllBytes(file), JsonNode.class)
                        .forEachEntry((name, id) -> recorded.put(name, id.asString()));
            }
            ids.forEach((name, id) -> {
                if (!id.equals(recorded.getOrDefault(name, id))) {
                    throw new CommandFailed(this + " has a backup of another " + name + ": use an empty folder");
                }
            });
            recorded.putAll(ids);
            replace(TOPICS, Json.write(recorded));
        });
    }

    /** Returns the segments without a gap from {@code from} on, including those of an interrupted run. */
    List<Segment> chain(String topic, int partition) {
        Path folder = partition(topic, partition);
        var chain = new ArrayList<Segment>();
        long next = 0;
        for (Segment segment : CommandFailed.attempt("cannot read " + folder, () -> segments(folder))) {
            if (segment.first() == next && segment.next() > next) {
                chain.add(segment);
                next = segment.next();
            }
        }
        return chain;
    }

    /** Returns the segments in a folder by their first offsets; none if it does not exist. */
    private static List<Segment> segments(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> Segment.parse(file.getFileName().toString()))
                    .filter(Objects::nonNull)
                    .sorted(Comparator.comparingLong(Segment::first))
                    .toList();
        }
    }

    /**
     * Replaces the manifest, then deletes segments of the previous backup that this one does not contain.
     *
     * @param last manifest of the previous backup; null: there was none
     */
    void finish(Manifest manifest, @Nullable Manifest last) {
        CommandFailed.attempt("cannot finish the backup in " + root, () -> {
            replace(MANIFEST, Json.write(manifest));
            deleteOthers(manifest.topics(), manifest.topics());
            if (last != null) {
                deleteOthers(last.topics(), manifest.topics());
            }
        });
    }

    private void replace(String name, byte[] content) throws IOException {
        LocalFiles.replace(root.resolve(name), root.resolve(name + "." + Segment.Writer.UNFINISHED), content);
    }

    private void deleteOthers(Map<String, Copied> existing, Map<String, Copied> wanted) throws IOException {
        for (var topic : existing.entrySet()) {
            Copied copied = wanted.get(topic.getKey());
            for (int partition = 0; partition < topic.getValue().partitions().size(); partition++) {
                deleteOthers(
                        partition(topic.getKey(), partition),
                        copied == null
                                ? Set.of()
                                : Set.copyOf(copied.partitions().get(partition)));
            }
        }
    }

    private static void deleteOthers(Path folder, Set<Segment> wanted) throws IOException {
        for (Segment segment : segments(folder)) {
            if (!wanted.contains(segment)) {
                Files.delete(folder.resolve(segment.fileName()));
            }
        }
    }

    /** Returns the records of a partition in order. */
    Records records(String topic, int partition, List<Segment> segments) {
        return new Records(partition(topic, partition), segments);
    }

    /** Reads the segments of a partition one after the other. */
    static final class Records implements AutoCloseable {

        private final Path folder;
        private final List<Segment> segments;
        private Segment.@Nullable Reader reader;
        private int read;

        Records(Path folder, List<Segment> segments) {
            this.folder = folder;
            this.segments = segments;
        }

        /** Returns null after the last record. */
        @Nullable
        BackupRecord next() {
            while (true) {
                if (reader == null) {
                    if (read == segments.size()) {
                        return null;
                    }
                    reader = new Segment.Reader(folder, segments.get(read++));
                }
                BackupRecord record = reader.next();
                if (record != null) {
                    return record;
                }
                close();
            }
        }

        /** Passes on all records that follow. */
        void forEach(Consumer<BackupRecord> records) {
            for (BackupRecord record = next(); record != null; record = next()) {
                records.accept(record);
            }
        }

        @Override
        public void close() {
            if (reader != null) {
                reader.close();
                reader = null;
            }
        }
    }

    @Override
    public void close() {
        if (lock != null) {
            CommandFailed.attempt("cannot close " + root, lock::close);
        }
    }

    @Override
    public String toString() {
        return root.toString();
    }
}
