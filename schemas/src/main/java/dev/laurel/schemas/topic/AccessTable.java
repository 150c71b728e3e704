package dev.laurel.schemas.topic;

import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessView;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Keys and tenants, followed from {@code laurel.access}: a change is known here some milliseconds after it was written. */
public final class AccessTable implements AccessView, AutoCloseable {

    private final AccessBook book = new AccessBook();
    private final TopicTable<String, AccessRecord> table;

    public AccessTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this.table = new TopicTable<>(Topics.ACCESS, clientConfig, book::put, onFault);
    }

    public void start() {
        table.start();
    }

    public void awaitCaughtUp(Duration timeout) throws InterruptedException {
        table.awaitCaughtUp(timeout);
    }

    @Override
    public AccessBook book() {
        return book;
    }

    @Override
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

    @Override
    public void close() {
        table.close();
    }
}
