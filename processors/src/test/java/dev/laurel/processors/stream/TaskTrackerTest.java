package dev.laurel.processors.stream;

import dev.laurel.processors.stream.TaskTracker.TrackedProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class TaskTrackerTest {

    private static final String STORE = "counts";

    private final List<String> told = new ArrayList<>();

    /** Counts its records in {@link #STORE}. */
    private static final class Counting implements Processor<String, String, Void, Void> {

        private KeyValueStore<String, Long> counts;

        @Override
        public void init(ProcessorContext<Void, Void> context) {
            counts = context.getStateStore(STORE);
        }

        @Override
        public void process(Record<String, String> record) {
            counts.put(record.key(), 1 + (counts.get(record.key()) == null ? 0 : counts.get(record.key())));
        }
    }

    /** Tells what it was told, and what the store holds then. */
    private final class Notes implements TaskTracker.Task {

        @Override
        public void opened(Function<String, StateStore> stores) {
            told.add("opened with " + ((ReadOnlyKeyValueStore<?, ?>) stores.apply(STORE)).approximateNumEntries());
        }

        @Override
        public void reached(long offset) {
            told.add("reached " + offset);
        }

        @Override
        public void stopped() {
            told.add("stopped");
        }
    }

    /** A task that moves to another thread comes with its stores, which nobody can query while threads come and go. */
    @Test
    void shouldOpenWithTheStoresThatATaskHasBeforeItsFirstRecord() {
        var context = context();
        for (int start = 0; start < 2; start++) {
            Processor<String, String, Void, Void> followed = new TrackedProcessor<>(new Counting(), _ -> new Notes());
            followed.init(context);
            followed.process(new Record<>("ann", "", 0));
            followed.close();
        }

        assertEquals(
                List.of("opened with 0", "reached 7", "stopped", "opened with 1", "reached 7", "stopped"),
                told);
    }

    private static MockProcessorContext<Void, Void> context() {
        var context = new MockProcessorContext<Void, Void>(new Properties());
        context.setRecordMetadata("laurel.commands", 0, 7);
        var store = Stores.keyValueStoreBuilder(Stores.inMemoryKeyValueStore(STORE), Serdes.String(), Serdes.Long())
                .withLoggingDisabled().build();
        store.init(context.getStateStoreContext(), store);
        context.addStateStore(store);
        return context;
    }
}
