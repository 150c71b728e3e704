package dev.laurel.processors.stream;

import dev.laurel.schemas.topic.TraceHeaders;
import dev.laurel.schemas.trace.Span;
import dev.laurel.schemas.trace.Tracing;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * A processor whose records are spans where their requests are followed. One task, one thread; started again after each revival
 * of its task. What is repeated after a failure is a second span: it happened.
 */
final class TracedProcessor<KIn, VIn, KOut, VOut> implements Processor<KIn, VIn, KOut, VOut> {

    private final Processor<KIn, VIn, KOut, VOut> processor;
    private final Tracing tracing;
    private final Set<String> outlets;
    private TracedContext<KOut, VOut> context;

    TracedProcessor(Processor<KIn, VIn, KOut, VOut> processor, Tracing tracing, Set<String> outlets) {
        this.processor = processor;
        this.tracing = tracing;
        this.outlets = outlets;
    }

    @Override
    public void init(ProcessorContext<KOut, VOut> processorContext) {
        context = new TracedContext<>(processorContext, outlets);
        processor.init(context);
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
}
