package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.deploy.tools.topics.Manifest.Copied;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * Copies the log, the archive of rulesets and the tables of a cluster to a folder: of the log and the archive, only the records since the
 * last backup; of the tables, which are small and compacted, all records. The folder always holds the last complete backup. Used by one
 * thread.
 */
final class TopicsBackup {

    /** Size before compression. An interrupted run repeats at most one file. */
    private static final long SEGMENT_BYTES = 128L * 1024 * 1024;

    private final SourceCluster source;
    private final BackupFolder folder;
    private final ProgressReporter progress;
    private long records;

    TopicsBackup(SourceCluster source, BackupFolder folder, ProgressReporter progress) {
        this.source = source;
        this.folder = folder;
        this.progress = progress;
    }

    /** Returns the number of copied records. */
    long records() {
        return records;
    }

    Manifest run() throws InterruptedException {
        Map<String, TopicDescription> topics = expectInstance(source.topics());
        String log = generations(SnapshotOffsets.of(source, List.of(), partitions(topics, false)))
                .log();
        topics.keySet().removeIf(name -> SourceCluster.isLog(name) && !name.equals(log));
        Manifest last = folder.find();
        folder.begin(topics.values().stream()
                .collect(Collectors.toMap(
                        TopicDescription::name, topic -> topic.topicId().toString())));
        List<TopicPartition> logs = partitions(topics, true);
        expectWhole(logs);
        Instant taken = Instant.now();
        SnapshotOffsets snapshot = SnapshotOffsets.of(source, logs, partitions(topics, false));
        generations(snapshot).expectLog(log);
        var copied = new TreeMap<String, Copied>();
        topics.forEach((name, topic) -> copied.put(name, copy(name, topic, snapshot)));
        var manifest = new Manifest(
                Manifest.FORMAT,
                source.cluster(),
                taken,
                source.partitionsOf(Topics.EFFECTS),
                source.partitionsOf(Topics.SCORES),
                source.partitionsOf(Topics.REPLIES),
                copied);
        folder.finish(manifest, last);
        return manifest;
    }

    /** Returns the generations at the end offsets, after checking that none is under way. */
    private KnownGenerations generations(SnapshotOffsets snapshot) {
        var known = KnownGenerations.of(source, snapshot.end(new TopicPartition(Topics.GENERATIONS.name(), 0)));
        known.expectNoneUnderWay();
        return known;
    }

    private static Map<String, TopicDescription> expectInstance(Map<String, TopicDescription> topics) {
        Stream.concat(SourceCluster.TABLES.stream(), Stream.of(Topics.COMMANDS))
                .map(Topic::name)
                .filter(name -> !topics.containsKey(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new CommandFailed("there is no instance to back up: this Kafka has no topic " + name);
                });
        return topics;
    }

    /** Checks that the log and the archive have their beginnings, without which the state cannot be computed. */
    private void expectWhole(List<TopicPartition> logs) {
        source.begins(logs).forEach((partition, begin) -> {
            if (begin > 0) {
                throw new CommandFailed(
                        partition + " begins at offset " + begin + ": earlier records are deleted, and state "
                                + "cannot be computed from the rest; 'laurel doctor' shows which setting deletes them");
            }
        });
    }

    private static List<TopicPartition> partitions(Map<String, TopicDescription> topics, boolean logs) {
        var all = new ArrayList<TopicPartition>();
        topics.forEach((name, topic) -> {
            if (SourceCluster.hasOffsets(name) == logs) {
                all.addAll(KafkaClients.partitions(name, topic.partitions().size()));
            }
        });
        return all;
    }

    private Copied copy(String name, TopicDescription topic, SnapshotOffsets snapshot) {
        List<TopicPartition> partitions =
                KafkaClients.partitions(name, topic.partitions().size());
        boolean isContinued = SourceCluster.hasOffsets(name);
        var segments = new ArrayList<List<Segment>>();
        var starts = new ArrayList<Long>();
        for (TopicPartition partition : partitions) {
            List<Segment> existing = isContinued ? folder.chain(name, partition.partition()) : new ArrayList<>();
            existing.removeIf(segment -> segment.next() > snapshot.end(partition));
            segments.add(existing);
            starts.add(existing.isEmpty() ? 0 : existing.getLast().next());
        }
        long total = partitions.stream()
                .mapToLong(p -> snapshot.end(p) - starts.get(p.partition()))
                .sum();
        progress.begin("copy " + name, "records", total);
        long done = 0;
        for (TopicPartition partition : partitions) {
            long from = starts.get(partition.partition());
            copy(partition, from, snapshot.end(partition), done, segments.get(partition.partition()));
            done += snapshot.end(partition) - from;
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
        try (var sequence = new SegmentSequence(at, from, segments)) {
            // The beginning of a table may have been deleted by retention; that of a log has not.
            long begin = SourceCluster.hasOffsets(partition.topic()) ? from : source.begin(partition);
            source.read(
                    partition, begin, until, sequence::take, position -> progress.stepTo(doneBefore + position - from));
            sequence.finish(until);
        } catch (IOException | UncheckedIOException e) {
            throw new CommandFailed("cannot write to " + at + ": " + e, e);
        }
    }

    /** Writes one segment after the other. */
    private final class SegmentSequence implements AutoCloseable {

        private final Path at;
        private final List<Segment> segments;
        private Segment.Writer writer;

        SegmentSequence(Path at, long from, List<Segment> segments) throws IOException {
            this.at = at;
            this.segments = segments;
            this.writer = new Segment.Writer(at, from);
        }

        void take(BackupRecord record) {
            try {
                if (writer.bytes() >= SEGMENT_BYTES) {
                    segments.add(writer.finish(record.offset()));
                    writer = new Segment.Writer(at, record.offset());
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

    /**
     * End offsets of all partitions of a backup, consistent with each other. A ruleset is published, and a generation
     * promoted, by one transaction over a table and all partitions of the log; a snapshot that splits it would leave
     * users of some partitions under other rules for good.
     */
    private record SnapshotOffsets(Map<TopicPartition, Long> ends) {

        private static final Duration TIMEOUT = Duration.ofMinutes(2);
        private static final long POLL_INTERVAL_MS = 100;

        /**
         * Reads the ends of the tables, then those of the logs, and those of the tables again once all transactions
         * before the ends of the logs are complete. If the tables of rules and generations have not grown, no such
         * transaction was under way: a transaction with a record before these ends would have ended since, and its marker
         * is a record too.
         */
        static SnapshotOffsets of(SourceCluster source, List<TopicPartition> logs, List<TopicPartition> tables)
                throws InterruptedException {
            List<TopicPartition> ruleTables = tables.stream()
                    .filter(table -> !table.topic().equals(Topics.ACCESS.name()))
                    .toList();
            long deadlineNs = System.nanoTime() + TIMEOUT.toNanos();
            while (true) {
                Map<TopicPartition, Long> before = source.ends(ruleTables);
                Map<TopicPartition, Long> ends = source.ends(logs);
                awaitDecided(source, ends, deadlineNs);
                Map<TopicPartition, Long> decided = source.decided(tables);
                if (source.ends(ruleTables).equals(before) && decided.entrySet().containsAll(before.entrySet())) {
                    var all = new HashMap<>(ends);
                    all.putAll(decided);
                    return new SnapshotOffsets(all);
                }
                waitOrFail(deadlineNs, "rulesets are published all the time");
            }
        }

        private static void awaitDecided(SourceCluster source, Map<TopicPartition, Long> ends, long deadlineNs)
                throws InterruptedException {
            while (!source.decided(ends.keySet()).entrySet().stream()
                    .allMatch(decided -> decided.getValue() >= ends.getOrDefault(decided.getKey(), 0L))) {
                waitOrFail(deadlineNs, "a transaction is open on the log; 'laurel doctor' shows its producer");
            }
        }

        private static void waitOrFail(long deadlineNs, String why) throws InterruptedException {
            if (System.nanoTime() - deadlineNs > 0) {
                throw new CommandFailed(
                        "no consistent snapshot was possible within " + TIMEOUT.toSeconds() + " s: " + why);
            }
            TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL_MS);
        }

        long end(TopicPartition partition) {
            return ends.getOrDefault(partition, 0L);
        }
    }
}
