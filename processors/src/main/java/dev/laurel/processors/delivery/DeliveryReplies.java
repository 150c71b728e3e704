package dev.laurel.processors.delivery;

import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.TickBody;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Answers operators and the test clock, through {@code laurel.replies} and the partition of the waiting gateway. One task, one
 * thread.
 */
public final class DeliveryReplies {

    private static final byte[] NOTHING = Json.write(Map.of());
    private static final byte[] UNKNOWN = Json.write(new ErrorBody("Delivery not found by ID"));

    private final ProcessorContext<Integer, byte[]> context;

    public DeliveryReplies(ProcessorContext<Integer, byte[]> context) {
        this.context = context;
    }

    public void accepted(Record<?, ?> request) {
        answer(request, 202, NOTHING);
    }

    public void unknown(Record<?, ?> request) {
        answer(request, 404, UNKNOWN);
    }

    private void answer(Record<?, ?> request, int status, byte[] body) {
        reply(request, body, (headers, replyTo) -> ReplyHeaders.writeAnswer(headers, replyTo.requestId(), status));
    }

    /** Sends the first part of the answer to an {@link Outgoing.Question}. */
    public void workLeft(Record<?, ?> question, boolean isMore) {
        reply(question, Json.write(new TickBody(isMore)), (headers, replyTo) -> {
            ReplyHeaders.writeAnswer(headers, replyTo.requestId(), 200);
            ReplyHeaders.writeAwaits(headers, List.of(Outgoing.Question.MESSAGES));
        });
    }

    /** Sends the part of the answer to an {@link Outgoing.Question} that is about messages. */
    public void messagesLeft(Record<?, ?> question, boolean isMore) {
        reply(question, Json.write(new TickBody(isMore)), (headers, replyTo) -> ReplyHeaders.writePart(headers,
                replyTo.requestId(), Outgoing.Question.MESSAGES));
    }

    /** Sends a reply if a client waits for it. */
    private void reply(Record<?, ?> request, byte[] body, BiConsumer<Headers, ReplyTo> headers) {
        ReplyTo replyTo = ReplyHeaders.read(request.headers());
        if (replyTo != null) {
            var reply = new Record<Integer, byte[]>(replyTo.partition(), body, request.timestamp());
            headers.accept(reply.headers(), replyTo);
            context.forward(reply);
        }
    }
}
