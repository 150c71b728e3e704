package dev.laurel.processors.stream;

import java.util.function.Function;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Follows the tasks of an application: which run here, and how far each has read its partition. Thread-safe. */
public interface TaskTracker {

    /** One task, from its start to its stop. Called on the task's thread. */
    interface Task {

        /**
         * Called before the first record.
         *
         * @param stores of the task, by name; fails for an unknown name. Only to be read during this call
         */
        default void opened(Function<String, StateStore> stores) {
            // Few trackers read stores.
        }

        /** The task has reached this offset: all records before it are processed. */
        void reached(long offset);

        void stopped();
    }

    /** The stores of a partition's task are restored to its last commit; the task begins to process. */
    Task started(int partition);

    /** Supplies the same processors, whose tasks this follows. */
    default <KIn, VIn, KOut, VOut> ProcessorSupplier<KIn, VIn, KOut, VOut> track(
            ProcessorSupplier<KIn, VIn, KOut, VOut> supplier) {
        return new StoreOwnerSupplier<>(() -> new TrackedProcessor<>(supplier.get(), this), supplier.stores());
    }

    /** Follows no task. */
    TaskTracker NONE = _ -> new Task() {
        @Override
        public void reached(long offset) {
            // Not followed.
        }

        @Override
        public void stopped() {
            // Not followed.
        }
    };

    /** A processor that reports to a tracker. One task, one thread; initialized again at each revival of its task. */
    final class TrackedProcessor<KIn, VIn, KOut, VOut> implements Processor<KIn, VIn, KOut, VOut> {

        private final Processor<KIn, VIn, KOut, VOut> processor;
        private final TaskTracker tracker;
        private ProcessorContext<KOut, VOut> context;

        /** Null before the start and after the stop. */
        private @Nullable Task task;

        TrackedProcessor(Processor<KIn, VIn, KOut, VOut> processor, TaskTracker tracker) {
            this.processor = processor;
            this.tracker = tracker;
        }

        @Override
        public void init(ProcessorContext<KOut, VOut> processorContext) {
            context = processorContext;
            processor.init(processorContext);
            task = tracker.started(processorContext.taskId().partition());
            task.opened(processorContext::getStateStore);
        }

        @Override
        public void process(Record<KIn, VIn> record) {
            task.reached(context.recordMetadata().orElseThrow().offset());
            processor.process(record);
        }

        @Override
        public void close() {
            if (task != null) {
                task.stopped();
                task = null;
            }
            processor.close();
        }
    }
}
