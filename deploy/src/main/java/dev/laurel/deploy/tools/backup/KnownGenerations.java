package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.backup.BackupFolder.Records;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The generations of a backup, by number; the first one is not among them unless it was written of. */
record KnownGenerations(Map<Integer, GenerationRecord> byNumber) {

    static KnownGenerations of(BackupFolder folder, List<Segment> segments) {
        Topic<Integer, GenerationRecord> topic = Topics.GENERATIONS;
        var known = new TreeMap<Integer, GenerationRecord>();
        try (Records records = folder.records(topic.name(), 0, segments)) {
            for (BackedUp record = records.next(); record != null; record = records.next()) {
                int number = topic.key().deserializer().deserialize(topic.name(), record.key());
                if (record.value() == null) {
                    known.remove(number);
                } else {
                    known.put(number, topic.value().deserializer().deserialize(topic.name(), record.value()));
                }
            }
        }
        return new KnownGenerations(known);
    }

    /** The highest number there is. */
    int newest() {
        return byNumber.keySet().stream().reduce(GenerationRecord.FIRST.number(), Math::max);
    }

    /** A handover half-way is half in groups and state that a backup has not. @throws CommandFailed if there is one */
    void expectNoneUnderWay() {
        byNumber.values().stream().filter(record -> record.state() != State.IN_FORCE && record.state() != State.OVER)
                .findAny().ifPresent(record -> {
                    throw new CommandFailed(
                            "generation " + record.number() + " is under way: back up again when it is in "
                                    + "force. If its replay was killed, 'laurel replay --give-up' comes first");
                });
    }
}
