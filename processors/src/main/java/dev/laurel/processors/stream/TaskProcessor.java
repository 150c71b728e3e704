package dev.laurel.processors.stream;

import static java.util.Objects.requireNonNull;

import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A processor that creates its handler at each start of its task. Kafka Streams initializes the same processor again when it revives
 * a task after an aborted transaction, and nothing in memory may outlive the stores. One task, one thread.
 */
public final class TaskProcessor<KIn, VIn, KOut, VOut> implements Processor<KIn, VIn, KOut, VOut> {

    /** Handles the records of a task from one start to the next stop. */
    public interface Handler<KIn, VIn> {

        void process(Record<KIn, VIn> record);

        /** Called once, at the stop. The stores may be closed already. */
        default void close() {
            // Most handlers have nothing to release.
        }
    }

    private final Function<ProcessorContext<KOut, VOut>, Handler<KIn, VIn>> factory;
    private @Nullable Handler<KIn, VIn> handler;

    private TaskProcessor(Function<ProcessorContext<KOut, VOut>, Handler<KIn, VIn>> factory) {
        this.factory = factory;
    }

    /** Supplies processors for these handlers, with the stores that they own. */
    public static <KIn, VIn, KOut, VOut> ProcessorSupplier<KIn, VIn, KOut, VOut> supplier(
            Function<ProcessorContext<KOut, VOut>, Handler<KIn, VIn>> handlers, @Nullable Set<StoreBuilder<?>> stores) {
        return new ProcessorSupplier<>() {

            @Override
            public Processor<KIn, VIn, KOut, VOut> get() {
                return new TaskProcessor<>(handlers);
            }

            @Override
            public @Nullable Set<StoreBuilder<?>> stores() {
                return stores;
            }
        };
    }

    @Override
    public void init(ProcessorContext<KOut, VOut> context) {
        close();
        handler = factory.apply(context);
    }

    @Override
    public void process(Record<KIn, VIn> record) {
        requireNonNull(handler, "the task has not been started").process(record);
    }

    @Override
    public void close() {
        if (handler != null) {
            handler.close();
            handler = null;
        }
    }
}
