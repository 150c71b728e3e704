package dev.laurel.platform.kafka;

import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Follows {@code laurel.generations} and serves the generations. Thread-safe. */
public final class GenerationTable implements AutoCloseable {

    private final ConcurrentSkipListMap<Integer, GenerationRecord> known = new ConcurrentSkipListMap<>(
            Map.of(GenerationRecord.FIRST.number(), GenerationRecord.FIRST));
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final TopicTable<Integer, GenerationRecord> table;
    private volatile GenerationRecord inForce = GenerationRecord.FIRST;

    public GenerationTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this.table = new TopicTable<>(Topics.GENERATIONS, clientConfig, this::put, onFault);
    }

    private void put(Integer number, GenerationRecord record) {
        if (record == null) {
            known.remove(number);
        } else {
            known.put(number, record);
        }
        // The topic is compacted: while it is being read, no generation may be in force.
        inForce = known.descendingMap().values().stream().filter(found -> found.state() == State.IN_FORCE).findFirst()
                .orElse(inForce);
        listeners.forEach(Runnable::run);
    }

    public void start() {
        table.start();
    }

    public void awaitCaughtUp(Duration timeout) throws InterruptedException {
        table.awaitCaughtUp(timeout);
    }

    /**
     * Waits until all records that were written before this call have been read.
     *
     * @return false if the timeout expires first or the table has stopped
     */
    public boolean awaitNewest(Duration timeout) throws InterruptedException {
        try {
            table.barrier().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException _) {
            return false; // a table that has stopped has reported its fault already
        }
    }

    /** The offset after the last record that was read. */
    long position() {
        return table.position();
    }

    /** Adds a listener that is called after each record on the table's thread; it must not block. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** The generation in force. */
    public GenerationRecord inForce() {
        return inForce;
    }

    /** The generation that was in force before this one, or that this one will replace. */
    public GenerationRecord before(int number) {
        return known.headMap(number).descendingMap().values().stream()
                .filter(record -> record.number() == Generation.FIRST.number() || record.hasBeenPromoted())
                .findFirst().orElseThrow(() -> new IllegalStateException("nothing is before generation " + number));
    }

    /** Whether a generation has been promoted whose own log does not have its markers yet; it takes effect shortly. */
    public boolean isTurning() {
        return known.values().stream().anyMatch(record -> record.state() == State.PROMOTED);
    }

    /** Null if no generation has this number. */
    public @Nullable GenerationRecord find(int number) {
        return known.get(number);
    }

    /** All known generations by number. */
    public Map<Integer, GenerationRecord> all() {
        return Map.copyOf(known);
    }

    /** A number that no generation has used yet. */
    public int nextNumber() {
        return known.lastKey() + 1;
    }

    @Override
    public void close() {
        table.close();
    }
}
