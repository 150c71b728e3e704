package dev.laurel.processors.delivery.message;

import dev.laurel.processors.delivery.DeliveryReplies;
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

/** The step that sends messages: makes a new dispatcher each time the task is started. One task, one thread. */
final class MessageProcessor implements Processor<byte[], Object, Integer, byte[]> {

    private static final Duration ROUND = Duration.ofMillis(100);

    private final MessageDispatcher.Environment environment;
    private DeliveryReplies replies;
    private @Nullable MessageDispatcher dispatcher;

    MessageProcessor(MessageDispatcher.Environment environment) {
        this.environment = environment;
    }

    @Override
    public void init(ProcessorContext<Integer, byte[]> context) {
        // A revived task starts with the same object; what its former life is still sending does not concern this one.
        replies = new DeliveryReplies(context);
        environment.limits().taskStarted();
        dispatcher = new MessageDispatcher(new MessageStore(context.getStateStore(StoreNames.MESSAGES)), environment,
                context.taskId().partition(), UUID.randomUUID());
        context.schedule(ROUND, PunctuationType.WALL_CLOCK_TIME, _ -> dispatcher.run());
    }

    @Override
    public void process(Record<byte[], Object> record) {
        switch (record.value()) {
            case Outgoing.Message message -> dispatcher.take(message);
            case Outgoing.UserErased erased -> dispatcher.forget(erased);
            case SendMark mark -> dispatcher.read(mark);
            case Outgoing.Question _ -> {
                dispatcher.run();
                replies.messagesLeft(record, dispatcher.hasWork());
            }
            default -> throw new IllegalArgumentException("this step does not take a "
                    + record.value().getClass().getSimpleName());
        }
        dispatcher.run();
    }

    @Override
    public void close() {
        if (dispatcher != null) {
            environment.limits().taskStopped();
            MessageDispatcher closing = dispatcher;
            dispatcher = null;
            closing.close();
        }
    }
}
