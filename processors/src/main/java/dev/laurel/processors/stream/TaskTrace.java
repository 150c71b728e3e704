package dev.laurel.processors.stream;

import dev.laurel.platform.trace.Tracing;
import dev.laurel.platform.trace.Tracing.Span;
import dev.laurel.platform.trace.Tracing.TraceHeaders;
import dev.laurel.processors.stream.TaskProcessor.Handler;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** The span of the record that a task processes, if the request is traced. One task, one thread. */
public final class TaskTrace {

    private Span span = Span.NONE;

    /**
     * Lets the next step of the request continue the trace. Not for records of public topics, nor for those whose readers do not
     * continue it.
     */
    public void write(Headers headers) {
        TraceHeaders.write(headers, span);
    }

    /** Adds spans to what a handler does; returns the handler itself where tracing is off, so that it costs nothing. */
    <KIn, VIn> Handler<KIn, VIn> traced(Tracing tracing, ProcessorContext<?, ?> context, Handler<KIn, VIn> handler) {
        return tracing.isOn() ? new Traced<>(this, tracing, context, handler) : handler;
    }

    /** Records a span for each record of a traced request. A record that is processed again after a failure gets a second span. */
    private record Traced<KIn, VIn>(
            TaskTrace trace, Tracing tracing, ProcessorContext<?, ?> context, Handler<KIn, VIn> handler)
            implements Handler<KIn, VIn> {

        @Override
        public void process(Record<KIn, VIn> record) {
            String traceparent = TraceHeaders.read(record.headers());
            if (traceparent == null) {
                handler.process(record);
                return;
            }
            RecordMetadata place = context.recordMetadata().orElseThrow();
            Span span = tracing.processing(place.topic(), place.partition(), place.offset(), traceparent);
            trace.span = span;
            try {
                handler.process(record);
            } catch (RuntimeException | Error e) {
                span.failed(e);
                throw e;
            } finally {
                trace.span = Span.NONE;
                span.close();
            }
        }

        @Override
        public void close() {
            handler.close();
        }
    }
}
