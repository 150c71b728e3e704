package dev.laurel.processors.stream;

import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** A processor of which {@code progress} is told. One task, one thread; started again after each revival of its task. */
final class Followed<KIn, VIn, KOut, VOut> implements Processor<KIn, VIn, KOut, VOut> {

    private final Processor<KIn, VIn, KOut, VOut> processor;
    private final Progress progress;
    private ProcessorContext<KOut, VOut> context;

    /** Null before the start and after the stop. */
    private Progress.Watch watch;

    Followed(Processor<KIn, VIn, KOut, VOut> processor, Progress progress) {
        this.processor = processor;
        this.progress = progress;
    }

    @Override
    public void init(ProcessorContext<KOut, VOut> processorContext) {
        context = processorContext;
        processor.init(processorContext);
        watch = progress.started(processorContext.taskId().partition());
        watch.opened(processorContext::getStateStore);
    }

    @Override
    public void process(Record<KIn, VIn> record) {
        watch.reached(context.recordMetadata().orElseThrow().offset());
        processor.process(record);
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.stopped();
            watch = null;
        }
        processor.close();
    }
}
