package dev.laurel.processors.stream;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;

/** Follows the tasks of an application: which run here, and how far each has read its partition. Thread-safe. */
public interface TaskTracker {

    /** One task, from its start to its stop. Called on the task's thread. */
    interface Task {

        /** The task has reached this offset: all records before it are processed. */
        default void reached(long offset) {
            // Ignored by default.
        }

        default void stopped() {
            // Ignored by default.
        }
    }

    /**
     * The stores of a partition's task are restored to its last commit; the task begins to process.
     *
     * @param stores those of the tracked processor by name; open until the task closes
     */
    Task started(int partition, Map<String, StateStore> stores);

    /** Follows no task. */
    TaskTracker NONE = (_, _) -> new Task() {};

    /** Supplies the same processors, whose tasks this follows. */
    default <KIn, VIn, KOut, VOut> ProcessorSupplier<KIn, VIn, KOut, VOut> track(
            ProcessorSupplier<KIn, VIn, KOut, VOut> supplier) {
        return TaskProcessor.supplier(context -> new TrackedHandler<>(supplier, context, this), supplier.stores());
    }

    /** Reports the progress of a processor to a tracker. */
    final class TrackedHandler<KIn, VIn, KOut, VOut> implements TaskProcessor.Handler<KIn, VIn> {

        private final Processor<KIn, VIn, KOut, VOut> processor;
        private final ProcessorContext<KOut, VOut> context;
        private final Task task;

        private TrackedHandler(
                ProcessorSupplier<KIn, VIn, KOut, VOut> supplier,
                ProcessorContext<KOut, VOut> context,
                TaskTracker tracker) {
            this.processor = supplier.get();
            this.context = context;
            processor.init(context);
            Set<StoreBuilder<?>> stores = supplier.stores();
            task = tracker.started(
                    context.taskId().partition(),
                    stores == null
                            ? Map.of()
                            : stores.stream()
                                    .collect(Collectors.toMap(
                                            StoreBuilder::name, store -> context.getStateStore(store.name()))));
        }

        @Override
        public void process(Record<KIn, VIn> record) {
            task.reached(context.recordMetadata().orElseThrow().offset());
            processor.process(record);
        }

        @Override
        public void close() {
            task.stopped();
            processor.close();
        }
    }
}
