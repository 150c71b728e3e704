package dev.laurel.processors.stream;

import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Follows the tasks of an application: which run here, and how far each has read its partition. Thread-safe. */
public interface Progress {

    /** One task, from its start to its stop. Called on the task's thread. */
    interface Watch {

        /**
         * Before the first record.
         *
         * @param stores of the task, by name; an unknown name throws. To be read in this call only
         */
        default void opened(Function<String, StateStore> stores) {
            // few ask
        }

        /** The task has come to this offset: all that stands before it is processed. */
        void reached(long offset);

        void stopped();
    }

    /** The stores of a partition's task have been restored to its last commit; it begins to process. */
    Watch started(int partition);

    /** The same processors, whose tasks are followed from now on. */
    default <KIn, VIn, KOut, VOut> ProcessorSupplier<KIn, VIn, KOut, VOut> follow(
            ProcessorSupplier<KIn, VIn, KOut, VOut> supplier) {
        return new ProcessorSupplier<>() {
            @Override
            public Processor<KIn, VIn, KOut, VOut> get() {
                return new Followed<>(supplier.get(), Progress.this);
            }

            @Override
            public Set<StoreBuilder<?>> stores() {
                return supplier.stores();
            }
        };
    }

    /** Nobody follows. */
    Progress UNWATCHED = _ -> new Watch() {
        @Override
        public void reached(long offset) {
            // nobody asks
        }

        @Override
        public void stopped() {
            // nobody asks
        }
    };
}
