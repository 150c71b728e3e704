package dev.laurel.processors.delivery.webhook;

import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.wire.ErrorBody;
import dev.laurel.schemas.wire.TickBody;
import java.util.List;
import java.util.Map;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Answers to operators and to the test clock, who wait: {@code laurel.replies}, the partition of the waiting gateway. One
 * task, one thread.
 */
final class HookReplies {

    private static final byte[] NOTHING = Json.write(Map.of());
    private static final byte[] UNKNOWN = Json.write(new ErrorBody("Delivery not found by ID"));

    private final ProcessorContext<Integer, byte[]> context;

    HookReplies(ProcessorContext<Integer, byte[]> context) {
        this.context = context;
    }

    /** @param replyTo null: nobody waits */
    void accepted(ReplyTo replyTo, long atMs) {
        send(replyTo, 202, NOTHING, atMs);
    }

    /** @param replyTo null: nobody waits */
    void unknown(ReplyTo replyTo, long atMs) {
        send(replyTo, 404, UNKNOWN, atMs);
    }

    /** The first part of the answer to an {@link Outgoing.Question}. @param replyTo null: nobody waits */
    void answer(ReplyTo replyTo, boolean isMore, long atMs) {
        send(replyTo, 200, Json.write(new TickBody(isMore)), atMs, List.of(Outgoing.Question.MESSAGES));
    }

    private void send(ReplyTo replyTo, int status, byte[] body, long atMs) {
        send(replyTo, status, body, atMs, List.of());
    }

    private void send(ReplyTo replyTo, int status, byte[] body, long atMs, List<String> awaited) {
        if (replyTo == null) {
            return;
        }
        var reply = new Record<Integer, byte[]>(replyTo.partition(), body, atMs);
        ReplyHeaders.writeAnswer(reply.headers(), replyTo.requestId(), status);
        if (!awaited.isEmpty()) {
            ReplyHeaders.writeAwaits(reply.headers(), awaited);
        }
        context.forward(reply);
    }
}
