package dev.laurel.processors.delivery.message;

import dev.laurel.processors.store.MessageStores;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.SendMark;
import java.time.Duration;
import java.util.UUID;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Gives a task its desk, a new one each time it is started. One task, one thread. */
final class MessageProcessor implements Processor<byte[], Object, Void, Void> {

    private static final Duration ROUND = Duration.ofMillis(100);

    private final MessageDesk.Outside outside;
    private MessageDesk desk;

    MessageProcessor(MessageDesk.Outside outside) {
        this.outside = outside;
    }

    @Override
    public void init(ProcessorContext<Void, Void> context) {
        // A task that is revived starts with the same object: what its former life is still sending is none of this one's.
        outside.limits().taskStarted();
        desk = new MessageDesk(new MessageStores(context.getStateStore(StoreNames.MESSAGES)), outside,
                context.taskId().partition(), UUID.randomUUID());
        context.schedule(ROUND, PunctuationType.WALL_CLOCK_TIME, _ -> desk.round());
    }

    @Override
    public void process(Record<byte[], Object> record) {
        switch (record.value()) {
            case Outgoing.Message message -> desk.take(message);
            case Outgoing.UserErased erased -> desk.forget(erased);
            case SendMark mark -> desk.read(mark);
            default -> throw new IllegalArgumentException("nothing is sent because of a "
                    + record.value().getClass().getSimpleName());
        }
        desk.round();
    }

    @Override
    public void close() {
        if (desk != null) {
            outside.limits().taskStopped();
            MessageDesk closing = desk;
            desk = null;
            closing.close();
        }
    }
}
