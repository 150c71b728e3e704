package dev.laurel.platform.kafka;

import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.Topics;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Follows {@code laurel.generations} and serves the generations. Thread-safe. */
public final class GenerationTable extends TopicTable<Integer, GenerationRecord> {

    private final ConcurrentSkipListMap<Integer, GenerationRecord> known =
            new ConcurrentSkipListMap<>(Map.of(GenerationRecord.FIRST.number(), GenerationRecord.FIRST));
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile GenerationRecord inForce = GenerationRecord.FIRST;

    public GenerationTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        super(Topics.GENERATIONS, clientConfig, onFault);
    }

    /** Reads the generations once, for a command; the topic must exist. @throws CommandFailed if it cannot be read */
    public static <R> R read(KafkaAccess kafka, Function<GenerationTable, R> query) {
        return read(
                kafka,
                Topics.GENERATIONS.name(),
                onFault -> new GenerationTable(kafka.clientProperties(), onFault),
                query);
    }

    @Override
    protected void put(Integer number, byte @Nullable [] value, long offset) {
        GenerationRecord record = read(value);
        if (record == null) {
            known.remove(number);
        } else {
            known.put(number, record);
        }
        // The topic is compacted: while it is being read, no generation may be in force.
        inForce = known.descendingMap().values().stream()
                .filter(found -> found.state() == State.IN_FORCE)
                .findFirst()
                .orElse(inForce);
        listeners.forEach(Runnable::run);
    }

    /** Adds a listener that is called after each record on the table's thread; it must not block. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    public GenerationRecord inForce() {
        return inForce;
    }

    /** The generation that was in force before this one, or that this one will replace. */
    public GenerationRecord before(int number) {
        return known.headMap(number).descendingMap().values().stream()
                .filter(record -> record.number() == Generation.FIRST.number() || record.hasBeenPromoted())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no generation precedes generation " + number));
    }

    /** Whether a generation has been promoted and is not in force yet, because its log does not have its markers yet. */
    public boolean hasPendingPromotion() {
        return known.values().stream().anyMatch(record -> record.state() == State.PROMOTED);
    }

    /** Null if no generation has this number. */
    public @Nullable GenerationRecord find(int number) {
        return known.get(number);
    }

    /** @throws IllegalStateException if no generation has this number */
    public GenerationRecord get(int number) {
        GenerationRecord record = find(number);
        if (record == null) {
            throw new IllegalStateException("there is no generation " + number);
        }
        return record;
    }

    /** All known generations by number. */
    public Map<Integer, GenerationRecord> all() {
        return Map.copyOf(known);
    }

    /** A number that no generation has used yet. */
    public int nextNumber() {
        return known.lastKey() + 1;
    }
}
