package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.backup.Manifest.Copied;
import dev.laurel.deploy.tools.replay.ReplayProgress;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * Copies a cluster's log and tables to a folder. Of the log only what has come since the last backup there; the tables, which are
 * small and compacted, as a whole. At any moment the folder holds the last backup that was finished. One thread.
 */
final class BackupRun {

    /** Before it is compressed; a file is what a run that is broken off has to read again. */
    private static final long SEGMENT_BYTES = 128L * 1024 * 1024;

    private final Source source;
    private final BackupFolder folder;
    private final ReplayProgress progress;
    private final long segmentBytes;
    private long records;

    BackupRun(Source source, BackupFolder folder, ReplayProgress progress) {
        this(source, folder, progress, SEGMENT_BYTES);
    }

    BackupRun(Source source, BackupFolder folder, ReplayProgress progress, long segmentBytes) {
        this.source = source;
        this.folder = folder;
        this.progress = progress;
        this.segmentBytes = segmentBytes;
    }

    /** Records that were copied. */
    long records() {
        return records;
    }

    Manifest run() throws InterruptedException {
        Map<String, TopicDescription> topics = expectInstance(source.topics());
        String log = generations(Cut.of(source, List.of(), partitions(topics, false))).log();
        topics.keySet().removeIf(name -> Source.isLog(name) && !name.equals(log));
        Manifest last = folder.find();
        folder.begin(topics.values().stream()
                .collect(Collectors.toMap(TopicDescription::name, topic -> topic.topicId().toString())));
        List<TopicPartition> logs = partitions(topics, true);
        expectWhole(logs);
        Instant taken = Instant.now();
        Cut cut = Cut.of(source, logs, partitions(topics, false));
        generations(cut).expectLog(log);
        var copied = new TreeMap<String, Copied>();
        topics.forEach((name, topic) -> copied.put(name, copy(name, topic, cut)));
        var manifest = new Manifest(Manifest.FORMAT, source.cluster(), taken, source.partitionsOf(Topics.EFFECTS),
                source.partitionsOf(Topics.SCORES), source.partitionsOf(Topics.REPLIES), copied);
        folder.finish(manifest, last);
        return manifest;
    }

    /** Those of the moment of a cut, none of which is under way. */
    private KnownGenerations generations(Cut cut) {
        var known = KnownGenerations.of(source, cut.end(new TopicPartition(Topics.GENERATIONS.name(), 0)));
        known.expectNoneUnderWay();
        return known;
    }

    private static Map<String, TopicDescription> expectInstance(Map<String, TopicDescription> topics) {
        Source.TABLES.stream().filter(table -> !topics.containsKey(table.name())).findAny().ifPresent(table -> {
            throw new CommandFailed("there is no instance to back up: this Kafka has no topic " + table.name());
        });
        if (!topics.containsKey(Topics.COMMANDS.name())) {
            throw new CommandFailed(
                    "there is no instance to back up: this Kafka has no topic " + Topics.COMMANDS.name());
        }
        return topics;
    }

    /** A log without its beginning is no backup of the state. */
    private void expectWhole(List<TopicPartition> logs) {
        source.begins(logs).forEach((partition, begin) -> {
            if (begin > 0) {
                throw new CommandFailed(
                        partition + " begins at offset " + begin + ": what was before is deleted, and state "
                                + "cannot be folded from the rest; 'laurel doctor' says which setting deletes it");
            }
        });
    }

    private static List<TopicPartition> partitions(Map<String, TopicDescription> topics, boolean logs) {
        var all = new ArrayList<TopicPartition>();
        topics.forEach((name, topic) -> {
            if (Source.isLog(name) == logs) {
                all.addAll(Source.partitionsOf(name, topic.partitions().size()));
            }
        });
        return all;
    }

    private Copied copy(String name, TopicDescription topic, Cut cut) {
        List<TopicPartition> partitions = Source.partitionsOf(name, topic.partitions().size());
        boolean isLog = Source.isLog(name);
        var segments = new ArrayList<List<Segment>>();
        var lacking = new ArrayList<Long>();
        for (TopicPartition partition : partitions) {
            List<Segment> there = new ArrayList<>(
                    isLog ? folder.chain(name, partition.partition(), 0) : List.of());
            there.removeIf(segment -> segment.next() > cut.end(partition));
            segments.add(there);
            lacking.add(there.isEmpty() ? 0 : there.getLast().next());
        }
        long total = partitions.stream().mapToLong(p -> cut.end(p) - lacking.get(p.partition())).sum();
        progress.begin("copy " + name, "records", total);
        long done = 0;
        for (TopicPartition partition : partitions) {
            long from = lacking.get(partition.partition());
            copy(partition, from, cut.end(partition), done, segments.get(partition.partition()));
            done += cut.end(partition) - from;
            progress.stepTo(done);
        }
        progress.end();
        return new Copied(topic.topicId().toString(), segments);
    }

    private void copy(TopicPartition partition, long from, long until, long doneBefore, List<Segment> segments) {
        if (from == until) {
            return;
        }
        Path at = folder.partition(partition.topic(), partition.partition());
        try (var writing = new Writing(at, from, segments)) {
            source.read(partition, begin(partition, from), until, writing::take,
                    place -> progress.stepTo(doneBefore + place - from));
            writing.finish(until);
        } catch (IOException | UncheckedIOException e) {
            throw new CommandFailed("cannot write to " + at + ": " + e, e);
        }
    }

    /** Of a table that is compacted by deleting, too, the beginning may be gone; of a log it is not. */
    private long begin(TopicPartition partition, long from) {
        return Source.isLog(partition.topic()) ? from : source.begins(List.of(partition)).get(partition);
    }

    /** One segment after the other. */
    private final class Writing implements AutoCloseable {

        private final Path at;
        private final List<Segment> segments;
        private SegmentWriter writer;

        Writing(Path at, long from, List<Segment> segments) throws IOException {
            this.at = at;
            this.segments = segments;
            this.writer = new SegmentWriter(at, from);
        }

        void take(BackedUp record) {
            try {
                if (writer.bytes() >= segmentBytes) {
                    segments.add(writer.finish(record.offset()));
                    writer = new SegmentWriter(at, record.offset());
                }
                writer.write(record);
                records++;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void finish(long until) throws IOException {
            segments.add(writer.finish(until));
        }

        @Override
        public void close() throws IOException {
            writer.close();
        }
    }
}
