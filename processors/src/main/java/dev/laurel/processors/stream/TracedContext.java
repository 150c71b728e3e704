package dev.laurel.processors.stream;

import dev.laurel.schemas.topic.TraceHeaders;
import dev.laurel.schemas.trace.Span;
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
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** The context of a processor whose records take the trace along to some outlets. One task, one thread. */
final class TracedContext<KOut, VOut> implements ProcessorContext<KOut, VOut> {

    private final ProcessorContext<KOut, VOut> context;
    private final Set<String> outlets;
    private Span span = Span.NONE;

    TracedContext(ProcessorContext<KOut, VOut> context, Set<String> outlets) {
        this.context = context;
        this.outlets = outlets;
    }

    /** @param current of what is forwarded from now on */
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
    public Cancellable schedule(Instant startTime, Duration interval, PunctuationType type, Punctuator callback) {
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
