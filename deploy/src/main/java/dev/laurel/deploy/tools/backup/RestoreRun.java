package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.backup.BackupFolder.Records;
import dev.laurel.deploy.tools.backup.Manifest.Copied;
import dev.laurel.deploy.tools.replay.ReplayProgress;
import dev.laurel.deploy.tools.topics.CopiesOptions;
import dev.laurel.deploy.tools.topics.KafkaAdmin;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.GenerationPromoted;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.KafkaAccess;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.TopicCreation;
import dev.laurel.schemas.topic.TopicCreation.Sizes;
import dev.laurel.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes a backup to a cluster that has no instance. Everything is read once before anything is written. What is there already has to
 * be the beginning of what is to come there, record by record: that is how a run that was broken off is gone on with, and why no
 * instance is ever written over. Until it is in force no process of Laurel can start there: one topic that all look for comes last. One
 * thread.
 */
final class RestoreRun {

    private static final int ATTEMPTS = 50;
    private static final long LOOK_AGAIN_MS = 100;

    /** Nothing of it is restored, and nothing of a restore needs it. */
    private static final Topic<?, ?> DOOR = Topics.REJECTIONS;

    private final BackupFolder folder;
    private final Manifest manifest;
    private final ReplayProgress progress;
    private final LeftOut unwanted;
    private long written;
    private long leftOut;

    RestoreRun(BackupFolder folder, ReplayProgress progress, LeftOut leftOut) {
        this.folder = folder;
        this.manifest = folder.manifest();
        this.progress = progress;
        this.unwanted = leftOut;
    }

    Manifest manifest() {
        return manifest;
    }

    /** Records that were written now. */
    long written() {
        return written;
    }

    /** Records whose places only are there. */
    long leftOut() {
        return leftOut;
    }

    /** Reads all of it. @return how many records there are @throws CommandFailed if anything is missing or damaged */
    long check() {
        long records = 0;
        for (var topic : new TreeMap<>(manifest.topics()).entrySet()) {
            Copied copied = topic.getValue();
            int partitions = copied.partitions().size();
            progress.begin("check " + topic.getKey(), "partitions", partitions);
            for (int partition = 0; partition < partitions; partition++) {
                records += check(new TopicPartition(topic.getKey(), partition), copied);
                progress.stepTo(partition + 1L);
            }
            progress.end();
        }
        unwanted.expectAllSeen();
        return records;
    }

    private long check(TopicPartition partition, Copied copied) {
        long next = 0;
        for (Segment segment : copied.partitions().get(partition.partition())) {
            if (segment.first() != next) {
                throw new CommandFailed(folder + ": of " + partition + " the offsets from " + next + " to "
                        + segment.first() + " are missing");
            }
            next = segment.next();
        }
        long count = 0;
        try (Records records = records(partition, copied)) {
            for (BackedUp record = records.next(); record != null; record = records.next()) {
                count++;
                if (Source.isLog(partition.topic())) {
                    unwanted.look(partition, copied.partitions().size(), record);
                }
            }
        }
        return count;
    }

    private Records records(TopicPartition partition, Copied copied) {
        return folder.records(partition.topic(), partition.partition(),
                copied.partitions().get(partition.partition()));
    }

    /** After {@link #check}. @return the number of the generation that is in force now */
    int run(KafkaAccess kafka, CopiesOptions copies) throws InterruptedException {
        try (var source = new Source(kafka); var target = new Target(kafka)) {
            expectNoGroups(source);
            Sizes sizes = copies.sizes(manifest.users(), manifest.boards(), manifest.gateways(), source.admin());
            create(source, sizes, false);
            for (String name : logsFirst()) {
                if (!name.equals(Topics.GENERATIONS.name())) {
                    restore(name, source, target);
                }
            }
            restoreGenerations(source, target);
            int inForce = Comeback.of(kafka, folder, manifest).bringIntoForce();
            create(source, sizes, true);
            return inForce;
        }
    }

    /** A group's offsets are places in another log. */
    private static void expectNoGroups(Source source) {
        Set<String> groups = new TreeSet<>();
        for (GroupListing group : KafkaAdmin.get(source.admin().listGroups().all())) {
            if (group.groupId().startsWith("laurel-")) {
                groups.add(group.groupId());
            }
        }
        if (!groups.isEmpty()) {
            throw new CommandFailed("there is an instance in this Kafka already: it has the groups "
                    + String.join(", ", groups) + ". A backup is restored to a cluster without one");
        }
    }

    private List<String> logsFirst() {
        var names = new ArrayList<>(new TreeSet<>(manifest.topics().keySet()));
        names.sort(Comparator.comparing(name -> !Source.isLog(name)));
        return names;
    }

    /** @param last whether it is the {@link #DOOR}'s turn */
    private void create(Source source, Sizes sizes, boolean last) throws InterruptedException {
        var wanted = new ArrayList<Topic<?, ?>>();
        for (Topic<?, ?> topic : Topics.all()) {
            if (topic.equals(DOOR) == last) {
                wanted.add(topic);
            }
        }
        if (!last) {
            // First, since a log has the partitions that it had; one that came later may be wider than the first.
            manifest.topics().forEach((name, copied) -> {
                if (Source.isLog(name)) {
                    TopicCreation.createMissing(source.admin(), new Sizes(copied.partitions().size(), sizes.boards(),
                            sizes.gateways(), sizes.replication(), sizes.minInSync()),
                            List.of(Topics.COMMANDS.named(name)));
                }
            });
        }
        TopicCreation.createMissing(source.admin(), sizes, wanted);
        awaitTopics(source, wanted);
    }

    /** What was created a moment ago is not known to every broker yet. */
    private void awaitTopics(Source source, List<Topic<?, ?>> wanted) throws InterruptedException {
        for (int attempt = 0;; attempt++) {
            Map<String, TopicDescription> there = TopicCreation.describe(source.admin());
            if (wanted.stream().allMatch(topic -> there.containsKey(topic.name()))) {
                expectPartitions(there);
                return;
            }
            if (attempt == ATTEMPTS) {
                throw new CommandFailed("Kafka does not show the topics that were created; run the same command again");
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
        }
    }

    private void expectPartitions(Map<String, TopicDescription> there) {
        manifest.topics().forEach((name, copied) -> {
            TopicDescription topic = there.get(name);
            if (topic != null && topic.partitions().size() != copied.partitions().size()) {
                throw new CommandFailed(name + " has " + topic.partitions().size() + " partitions here and "
                        + copied.partitions().size() + " in the backup: delete the topics of this cluster first");
            }
        });
    }

    private void restore(String name, Source source, Target target) {
        Copied copied = manifest.topics().get(name);
        List<TopicPartition> partitions = Source.partitionsOf(name, copied.partitions().size());
        Map<TopicPartition, Long> ends = source.ends(partitions);
        long total = partitions.stream().mapToLong(partition -> copied.end(partition.partition())).sum();
        progress.begin("restore " + name, "records", total);
        long done = 0;
        for (TopicPartition partition : partitions) {
            restore(partition, copied, ends.get(partition), source, target, done);
            done += copied.end(partition.partition());
        }
        target.settle();
        progress.end();
    }

    private void restore(TopicPartition partition, Copied copied, long there, Source source, Target target,
            long doneBefore) {
        boolean isLog = Source.isLog(partition.topic());
        try (Records records = records(partition, copied);
                var log = new LogCopy(records, copied.end(partition.partition()),
                        record -> unwanted.covers(partition, record))) {
            Next wanted = isLog ? log::next : records::next;
            source.read(partition, 0, there, actual -> expectSame(partition, wanted.next(), actual), _ -> {});
            long at = there;
            for (BackedUp record = wanted.next(); record != null; record = wanted.next()) {
                target.send(partition, record, at++);
                written++;
                progress.stepTo(doneBefore + at);
            }
            leftOut += log.leftOut();
        }
    }

    private interface Next {
        BackedUp next();
    }

    private void expectSame(TopicPartition partition, BackedUp wanted, BackedUp actual) {
        boolean isOurs = wanted == null ? isPromotion(partition, actual) : wanted.saysTheSameAs(actual);
        if (!isOurs) {
            throw new CommandFailed("this Kafka is not empty: " + partition + "@" + actual.offset()
                    + " is not what the backup has there. A backup is restored to a cluster without an instance");
        }
    }

    /** {@link Comeback} has been here before. */
    private static boolean isPromotion(TopicPartition partition, BackedUp actual) {
        try {
            return Source.isLog(partition.topic()) && CommandJson.read(actual.value()) instanceof GenerationPromoted;
        } catch (BadInputException _) {
            return false;
        }
    }

    /** When it is whole, what {@link Comeback} has written may follow. */
    private void restoreGenerations(Source source, Target target) {
        var partition = new TopicPartition(Topics.GENERATIONS.name(), 0);
        if (source.ends(List.of(partition)).get(partition) < count(partition)) {
            restore(partition.topic(), source, target);
        }
    }

    private long count(TopicPartition partition) {
        long count = 0;
        try (Records records = records(partition, manifest.topics().get(partition.topic()))) {
            while (records.next() != null) {
                count++;
            }
        }
        return count;
    }
}
