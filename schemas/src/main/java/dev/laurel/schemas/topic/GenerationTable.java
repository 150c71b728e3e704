package dev.laurel.schemas.topic;

import dev.laurel.schemas.topic.GenerationRecord.State;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The generations, followed from {@code laurel.generations}. Thread-safe. */
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
        // The topic is compacted: on the way to its end there may be none.
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
     * Waits until everything is known here that was written before this call.
     *
     * @return false if that cannot be found out in time
     */
    public boolean awaitNewest(Duration timeout) throws InterruptedException {
        try {
            table.barrier().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException _) {
            return false; // a table that has stopped has told its owner
        }
    }

    /** Offset behind the last record that is known here. */
    long position() {
        return table.position();
    }

    /** Calls this after each record, on the table's own thread: it must not wait for anything. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** The one that is in force. */
    public GenerationRecord inForce() {
        return inForce;
    }

    /** The one that was in force before this one came, or is to come. */
    public GenerationRecord before(int number) {
        return known.headMap(number).descendingMap().values().stream()
                .filter(record -> record.number() == Generation.FIRST.number() || record.hasBeenPromoted())
                .findFirst().orElseThrow(() -> new IllegalStateException("nothing is before generation " + number));
    }

    /** Whether one is promoted whose own log has not got its markers yet; it comes into force within moments. */
    public boolean isTurning() {
        return known.values().stream().anyMatch(record -> record.state() == State.PROMOTED);
    }

    /** Null if there is none of this number. */
    public GenerationRecord find(int number) {
        return known.get(number);
    }

    /** All that are known, by number. */
    public Map<Integer, GenerationRecord> all() {
        return Map.copyOf(known);
    }

    /** A number that no generation has had yet. */
    public int nextNumber() {
        return known.lastKey() + 1;
    }

    @Override
    public void close() {
        table.close();
    }
}
