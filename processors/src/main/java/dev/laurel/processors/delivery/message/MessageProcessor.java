package dev.laurel.processors.delivery.message;

import dev.laurel.processors.delivery.DeliveryReplies;
import dev.laurel.processors.delivery.ReportCounters;
import dev.laurel.processors.store.MessageStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.SendMark;
import java.time.Duration;
import java.util.UUID;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/** The step that sends messages. Creates a new dispatcher each time the task is started. One task, one thread. */
final class MessageProcessor implements Processor<byte[], Object, Integer, byte[]> {

    private static final Duration RUN_INTERVAL = Duration.ofMillis(100);

    private final MessageDispatcher.Environment environment;
    private final ReportCounters.Source counters;

    /** Null before the start and after the end of the task. */
    private @Nullable Step step;

    private record Step(MessageDispatcher dispatcher, DeliveryReplies replies) {}

    MessageProcessor(MessageDispatcher.Environment environment, ReportCounters.Source counters) {
        this.environment = environment;
        this.counters = counters;
    }

    @Override
    public void init(ProcessorContext<Integer, byte[]> context) {
        // A revived task is initialised again, and does not know what its former life is still sending.
        environment.limits().taskStarted();
        var dispatcher = new MessageDispatcher(new MessageStore(context.getStateStore(StoreNames.MESSAGES)),
                environment, counters.open(context), context.taskId().partition(), UUID.randomUUID());
        step = new Step(dispatcher, new DeliveryReplies(context));
        context.schedule(RUN_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> dispatcher.run());
    }

    @Override
    public void process(Record<byte[], Object> record) {
        Step started = requireNonNull(step, "a processor is initialised before its first record");
        MessageDispatcher dispatcher = started.dispatcher();
        switch (record.value()) {
            case Outgoing.Message message -> dispatcher.take(message);
            case Outgoing.UserErased erased -> dispatcher.forget(erased);
            case SendMark mark -> dispatcher.read(mark);
            case Outgoing.Question _ -> {
                dispatcher.run();
                started.replies().messagesLeft(record, dispatcher.hasWork());
            }
            default -> throw new IllegalArgumentException("this step does not take a "
                    + record.value().getClass().getSimpleName());
        }
        dispatcher.run();
    }

    @Override
    public void close() {
        if (step != null) {
            environment.limits().taskStopped();
            MessageDispatcher closing = step.dispatcher();
            step = null;
            closing.close();
        }
    }
}
