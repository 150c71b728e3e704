package dev.laurel.platform.kafka;

import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Follows {@code laurel.access} and serves the current keys and tenants. A change is visible here a few milliseconds
 * after it was written.
 */
public final class AccessTable implements AccessView, AutoCloseable {

    private final AccessIndex index = new AccessIndex();
    private final TopicTable<String, AccessRecord> table;

    public AccessTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this.table = new TopicTable<>(Topics.ACCESS, clientConfig, index::put, onFault);
    }

    public void start() {
        table.start();
    }

    public void awaitCaughtUp(Duration timeout) throws InterruptedException {
        table.awaitCaughtUp(timeout);
    }

    @Override
    public AccessIndex index() {
        return index;
    }

    @Override
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

    @Override
    public void close() {
        table.close();
    }
}
