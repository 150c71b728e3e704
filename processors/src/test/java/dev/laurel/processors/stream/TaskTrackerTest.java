package dev.laurel.processors.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

final class TaskTrackerTest {

    private static final String STORE = "counts";
    private static final StoreBuilder<KeyValueStore<String, Long>> STORE_BUILDER = Stores.keyValueStoreBuilder(
                    Stores.inMemoryKeyValueStore(STORE), Serdes.String(), Serdes.Long())
            .withLoggingDisabled();

    private final List<String> calls = new ArrayList<>();

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

    /** Records the calls, and the size of the store at the first. */
    private final class Notes implements TaskTracker.Task {

        Notes(Map<String, StateStore> stores) {
            calls.add("opened with " + ((ReadOnlyKeyValueStore<?, ?>) stores.get(STORE)).approximateNumEntries());
        }

        @Override
        public void reached(long offset) {
            calls.add("reached " + offset);
        }

        @Override
        public void stopped() {
            calls.add("stopped");
        }
    }

    /** A task that moves to another thread keeps its stores, which cannot be queried while threads start and stop. */
    @Test
    void shouldOpenATaskWithItsStoresBeforeItsFirstRecord() {
        var context = context();
        TaskTracker tracker = (_, stores) -> new Notes(stores);
        for (int start = 0; start < 2; start++) {
            Processor<String, String, Void, Void> followed = tracker.track(
                            new StoreOwnerSupplier<>(Counting::new, Set.of(STORE_BUILDER)))
                    .get();
            followed.init(context);
            followed.process(new Record<>("ann", "", 0));
            followed.close();
        }

        assertEquals(List.of("opened with 0", "reached 7", "stopped", "opened with 1", "reached 7", "stopped"), calls);
    }

    private static MockProcessorContext<Void, Void> context() {
        var context = new MockProcessorContext<Void, Void>(new Properties());
        context.setRecordMetadata("laurel.commands", 0, 7);
        var store = STORE_BUILDER.build();
        store.init(context.getStateStoreContext(), store);
        context.addStateStore(store);
        return context;
    }

    /** A supplier of processors, with the stores that they own. */
    private record StoreOwnerSupplier<KIn, VIn, KOut, VOut>(
            Supplier<Processor<KIn, VIn, KOut, VOut>> processors, Set<StoreBuilder<?>> stores)
            implements ProcessorSupplier<KIn, VIn, KOut, VOut> {

        @Override
        public Processor<KIn, VIn, KOut, VOut> get() {
            return processors.get();
        }
    }
}
