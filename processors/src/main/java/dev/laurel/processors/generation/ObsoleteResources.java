package dev.laurel.processors.generation;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Groups and topics in Kafka of a generation that is over: it was in force, was given up, or was a report whose process was
 * killed. A log in use is never among them, nor anything of a generation that is in force, may come into force, or is unknown.
 *
 * @param topics with the changelogs
 * @param isUsed a group has members: a node has not closed the generation yet, or a report is being made
 */
public record ObsoleteResources(Generation generation, List<String> groups, List<String> topics, boolean isUsed) {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    public ObsoleteResources {
        groups = List.copyOf(groups);
        topics = List.copyOf(topics);
    }

    /** All that exist, in the order of generations. */
    static List<ObsoleteResources> find(Map<String, Object> clientConfig, GenerationTable table)
            throws InterruptedException {
        if (!table.awaitNewest(PATIENCE)) {
            throw new IllegalStateException("could not learn within " + PATIENCE + " which generations there are");
        }
        var numbers = new TreeSet<>(table.all().keySet());
        try (var resources = new GenerationResources(clientConfig, Generation.FIRST, PATIENCE)) {
            numbers.addAll(resources.numbers());
        }
        var found = new ArrayList<ObsoleteResources>();
        for (int number : numbers) {
            GenerationRecord record = table.find(number);
            boolean isOver = record == null ? Generation.of(number).isReport() : record.state() == State.OVER;
            if (isOver) {
                Generation over = ownedBy(record, number);
                try (var resources = new GenerationResources(clientConfig, over, PATIENCE)) {
                    List<String> groups = resources.groups();
                    List<String> topics = resources.topics();
                    if (!groups.isEmpty() || !topics.isEmpty()) {
                        found.add(new ObsoleteResources(over, groups, topics, resources.isUsed()));
                    }
                }
            }
        }
        return found;
    }

    /** A wider log belongs to its generation only if that was given up: otherwise it is or was the log. */
    private static Generation ownedBy(GenerationRecord record, int number) {
        return record == null || record.hasBeenPromoted() ? Generation.of(number) : record.generation();
    }

    /** @throws IllegalStateException if a group has members */
    void delete(Map<String, Object> clientConfig) throws InterruptedException {
        try (var resources = new GenerationResources(clientConfig, generation, PATIENCE)) {
            if (resources.isUsed()) {
                throw new IllegalStateException("generation " + generation.number() + " is in use");
            }
            resources.delete();
        }
    }
}
