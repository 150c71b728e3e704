package dev.laurel.processors.stream;

import java.util.function.Function;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

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

    public TaskProcessor(Function<ProcessorContext<KOut, VOut>, Handler<KIn, VIn>> factory) {
        this.factory = factory;
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
