package dev.laurel.processors.replay;

import dev.laurel.processors.replay.GenerationTopics.Left;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What generations that are over have left in Kafka: those that were in force, those that were given up, and those of reports
 * whose process was killed. Never a log, and nothing of a generation that is in force, comes into force, or is unknown. One thread.
 */
public final class Leftovers {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Map<String, Object> clientConfig;
    private final GenerationTable table;

    /** @param isUsed somebody is still in its groups: a node that has not closed it yet, or a report that is being made */
    public record Leftover(Generation generation, Left left, boolean isUsed) {}

    /** @param table followed and caught up */
    public Leftovers(Map<String, Object> clientConfig, GenerationTable table) {
        this.clientConfig = clientConfig;
        this.table = table;
    }

    /** What there is, by number. Changes nothing. */
    public List<Leftover> find() throws InterruptedException {
        if (!table.awaitNewest(PATIENCE)) {
            throw new IllegalStateException("could not learn within " + PATIENCE + " which generations there are");
        }
        var numbers = new TreeSet<>(table.all().keySet());
        try (var topics = topics(Generation.FIRST)) {
            numbers.addAll(topics.numbers());
        }
        var found = new ArrayList<Leftover>();
        for (int number : numbers) {
            if (isOver(number)) {
                Generation over = generationOf(number);
                try (var topics = topics(over)) {
                    Left left = topics.left();
                    if (!left.isEmpty()) {
                        found.add(new Leftover(over, left, topics.isUsed()));
                    }
                }
            }
        }
        return found;
    }

    /** A wider log goes with its generation only if that was given up: else it is the log, or was. */
    private Generation generationOf(int number) {
        GenerationRecord record = table.find(number);
        return record == null || record.hasBeenPromoted() ? Generation.of(number) : record.generation();
    }

    private boolean isOver(int number) {
        GenerationRecord record = table.find(number);
        return record == null ? Generation.of(number).isReport() : record.state() == State.OVER;
    }

    /** Deletes it. @throws IllegalStateException if somebody uses it */
    public void delete(Leftover leftover) throws InterruptedException {
        try (var topics = topics(leftover.generation())) {
            if (topics.isUsed()) {
                throw new IllegalStateException("generation " + leftover.generation().number() + " is in use");
            }
            topics.delete();
        }
    }

    private GenerationTopics topics(Generation generation) {
        return new GenerationTopics(clientConfig, generation, PATIENCE);
    }
}
