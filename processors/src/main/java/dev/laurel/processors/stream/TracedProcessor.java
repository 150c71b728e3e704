package dev.laurel.processors.stream;

import dev.laurel.platform.trace.Tracing.Span;
import dev.laurel.platform.trace.Tracing.TraceHeaders;
import dev.laurel.platform.trace.Tracing;
import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * Records a span for each record of a traced request. A record that is processed again after a failure gets a second span. One task,
 * one thread.
 */
final class TracedProcessor<KIn, VIn, KOut, VOut> implements TaskProcessor.Handler<KIn, VIn> {

    private final Processor<KIn, VIn, KOut, VOut> processor;
    private final Tracing tracing;
    private final TracedContext<KOut, VOut> context;

    private TracedProcessor(Processor<KIn, VIn, KOut, VOut> processor, Tracing tracing,
            TracedContext<KOut, VOut> context) {
        this.processor = processor;
        this.tracing = tracing;
        this.context = context;
        processor.init(context);
    }

    /**
     * Supplies traced processors; returns the supplier itself where tracing is off, so that it costs nothing.
     *
     * @param outlets nodes to which records carry the trace
     */
    static <KIn, VIn, KOut, VOut> ProcessorSupplier<KIn, VIn, KOut, VOut> supplier(Tracing tracing,
            Set<String> outlets, ProcessorSupplier<KIn, VIn, KOut, VOut> supplier) {
        if (!tracing.isOn()) {
            return supplier;
        }
        Set<String> carriers = Set.copyOf(outlets);
        return TaskProcessor.supplier(
                context -> new TracedProcessor<>(supplier.get(), tracing, new TracedContext<>(context, carriers)),
                supplier.stores());
    }

    @Override
    public void process(Record<KIn, VIn> record) {
        String traceparent = TraceHeaders.read(record.headers());
        if (traceparent == null) {
            processor.process(record);
            return;
        }
        RecordMetadata place = context.recordMetadata().orElseThrow();
        Span span = tracing.processing(place.topic(), place.partition(), place.offset(), traceparent);
        context.setSpan(span);
        try {
            processor.process(record);
        } catch (RuntimeException | Error e) {
            span.failed(e);
            throw e;
        } finally {
            context.setSpan(Span.NONE);
            span.close();
        }
    }

    @Override
    public void close() {
        processor.close();
    }

    /** A context that adds the trace to the records for some nodes. One task, one thread. */
    private static final class TracedContext<KOut, VOut> implements ProcessorContext<KOut, VOut> {

        private final ProcessorContext<KOut, VOut> context;
        private final Set<String> outlets;
        private Span span = Span.NONE;

        TracedContext(ProcessorContext<KOut, VOut> context, Set<String> outlets) {
            this.context = context;
            this.outlets = outlets;
        }

        /** @param current the span of the records that are forwarded from now on */
        void setSpan(Span current) {
            span = current;
        }

        @Override
        public <K extends KOut, V extends VOut> void forward(Record<K, V> record) {
            context.forward(record);
        }

        @Override
        public <K extends KOut, V extends VOut> void forward(Record<K, V> record, String childName) {
            if (span != Span.NONE && outlets.contains(childName)) {
                TraceHeaders.write(record.headers(), span);
            }
            context.forward(record, childName);
        }

        @Override
        public String applicationId() {
            return context.applicationId();
        }

        @Override
        public TaskId taskId() {
            return context.taskId();
        }

        @Override
        public Optional<RecordMetadata> recordMetadata() {
            return context.recordMetadata();
        }

        @Override
        public Serde<?> keySerde() {
            return context.keySerde();
        }

        @Override
        public Serde<?> valueSerde() {
            return context.valueSerde();
        }

        @Override
        public File stateDir() {
            return context.stateDir();
        }

        @Override
        public StreamsMetrics metrics() {
            return context.metrics();
        }

        @Override
        public <S extends StateStore> S getStateStore(String name) {
            return context.getStateStore(name);
        }

        @Override
        public Cancellable schedule(Duration interval, PunctuationType type, Punctuator callback) {
            return context.schedule(interval, type, callback);
        }

        @Override
        public Cancellable schedule(Instant startTime, Duration interval, PunctuationType type,
                Punctuator callback) {
            return context.schedule(startTime, interval, type, callback);
        }

        @Override
        public void commit() {
            context.commit();
        }

        @Override
        public Map<String, Object> appConfigs() {
            return context.appConfigs();
        }

        @Override
        public Map<String, Object> appConfigsWithPrefix(String prefix) {
            return context.appConfigsWithPrefix(prefix);
        }

        @Override
        public long currentSystemTimeMs() {
            return context.currentSystemTimeMs();
        }

        @Override
        public long currentStreamTimeMs() {
            return context.currentStreamTimeMs();
        }
    }
}
