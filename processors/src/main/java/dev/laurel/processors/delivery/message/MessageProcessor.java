package dev.laurel.processors.delivery.message;

import dev.laurel.processors.store.MessageStores;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.SendMark;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.wire.TickBody;
import java.time.Duration;
import java.util.UUID;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Gives a task its desk, a new one each time it is started. One task, one thread. */
final class MessageProcessor implements Processor<byte[], Object, Integer, byte[]> {

    private static final Duration ROUND = Duration.ofMillis(100);

    private final MessageDesk.Outside outside;
    private ProcessorContext<Integer, byte[]> context;
    private MessageDesk desk;

    MessageProcessor(MessageDesk.Outside outside) {
        this.outside = outside;
    }

    @Override
    public void init(ProcessorContext<Integer, byte[]> processorContext) {
        // A task that is revived starts with the same object: what its former life is still sending is none of this one's.
        context = processorContext;
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
            case Outgoing.Question _ -> answer(ReplyHeaders.read(record.headers()), record.timestamp());
            default -> throw new IllegalArgumentException("nothing is sent because of a "
                    + record.value().getClass().getSimpleName());
        }
        desk.round();
    }

    /** @param replyTo null: nobody waits */
    private void answer(ReplyHeaders.ReplyTo replyTo, long atMs) {
        desk.round();
        if (replyTo != null) {
            var part = new Record<Integer, byte[]>(replyTo.partition(), Json.write(new TickBody(desk.hasWork())), atMs);
            ReplyHeaders.writePart(part.headers(), replyTo.requestId(), Outgoing.Question.MESSAGES);
            context.forward(part);
        }
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
