package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.tools.topics.BackupFolder.Records;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** The generations of a backup by number. The first generation is missing if no record was written about it. */
record KnownGenerations(Map<Integer, GenerationRecord> byNumber) {

    /** Reads the generations of a running instance up to an offset. */
    static KnownGenerations of(SourceCluster source, long until) {
        var partition = new TopicPartition(Topics.GENERATIONS.name(), 0);
        var known = new TreeMap<Integer, GenerationRecord>();
        source.read(partition, source.begin(partition), until, record -> put(known, record), _ -> {});
        return new KnownGenerations(known);
    }

    static KnownGenerations of(BackupFolder folder, List<Segment> segments) {
        var known = new TreeMap<Integer, GenerationRecord>();
        try (Records records = folder.records(Topics.GENERATIONS.name(), 0, segments)) {
            records.forEach(record -> put(known, record));
        }
        return new KnownGenerations(known);
    }

    private static void put(Map<Integer, GenerationRecord> known, BackupRecord record) {
        Topic<Integer, GenerationRecord> topic = Topics.GENERATIONS;
        int number = topic.key().deserializer().deserialize(topic.name(), record.key());
        if (record.value() == null) {
            known.remove(number);
        } else {
            known.put(number, topic.value().deserializer().deserialize(topic.name(), record.value()));
        }
    }

    /** Returns the highest number. */
    int newest() {
        return byNumber.keySet().stream().reduce(GenerationRecord.FIRST.number(), Math::max);
    }

    /** Returns the log of the generation in force. */
    String log() {
        return byNumber.values().stream()
                .filter(record -> record.state() == State.IN_FORCE)
                .reduce(GenerationRecord.FIRST, (_, later) -> later)
                .log();
    }

    /** @throws CommandFailed if another log has come into force since the log was read */
    void expectLog(String log) {
        if (!log.equals(log())) {
            throw new CommandFailed(
                    "a generation with another log came into force meanwhile: run the same command again");
        }
    }

    /**
     * Rejects generations under way, because a backup does not contain their groups and their state.
     *
     * @throws CommandFailed if a generation is under way, or a log is being copied
     */
    void expectNoneUnderWay() {
        for (GenerationRecord record : byNumber.values()) {
            if (record.state().isUnderWay()) {
                throw new CommandFailed(
                        "generation " + record.number() + " is under way: back up again when it is in force. "
                                + "If its replay was killed, run 'laurel replay --give-up' first");
            }
            if (record.needsCopying()) {
                throw new CommandFailed(
                        record.copiedFrom() + " is still being copied into " + record.log() + ": let all producers "
                                + "write to the latter, then end the copying with 'laurel replay --end-copying'");
            }
        }
    }
}
