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
import org.jspecify.annotations.Nullable;

/**
 * Groups and topics in Kafka of a generation that is over: it was in force, was abandoned, or was a report whose process was killed.
 * They never include a log in use, nor anything of a generation that is in force, may come into force, or is unknown.
 *
 * @param topics with the changelogs
 * @param isUsed whether a group has members: a node has not closed the generation yet, or a report is in progress
 */
public record ObsoleteResources(Generation generation, List<String> groups, List<String> topics, boolean isUsed) {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    public ObsoleteResources {
        groups = List.copyOf(groups);
        topics = List.copyOf(topics);
    }

    /** Finds all of them, in the order of generations. Changes nothing. */
    public static List<ObsoleteResources> find(Map<String, Object> clientConfig, GenerationTable table)
            throws InterruptedException {
        if (!table.awaitNewest(TIMEOUT)) {
            throw new IllegalStateException("could not determine within " + TIMEOUT + " which generations exist");
        }
        var numbers = new TreeSet<>(table.all().keySet());
        try (var resources = new GenerationResources(clientConfig, Generation.FIRST, TIMEOUT)) {
            numbers.addAll(resources.numbers());
        }
        var found = new ArrayList<ObsoleteResources>();
        for (int number : numbers) {
            GenerationRecord record = table.find(number);
            boolean isOver = record == null ? Generation.of(number).isReport() : record.state() == State.OVER;
            if (isOver) {
                Generation over = ownedBy(record, number);
                try (var resources = new GenerationResources(clientConfig, over, TIMEOUT)) {
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

    /** The generation, with its wider log only if it was abandoned: otherwise the log is, or was, in use. */
    private static Generation ownedBy(@Nullable GenerationRecord record, int number) {
        return record == null || record.hasBeenPromoted() ? Generation.of(number) : record.generation();
    }

    /** @throws IllegalStateException if a group has members */
    public void delete(Map<String, Object> clientConfig) throws InterruptedException {
        try (var resources = new GenerationResources(clientConfig, generation, TIMEOUT)) {
            if (resources.isUsed()) {
                throw new IllegalStateException("generation " + generation.number() + " is in use");
            }
            resources.delete();
        }
    }
}
