package dev.laurel.processors.topology;

import dev.laurel.processors.stream.Progress;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.SendMark;
import dev.laurel.schemas.topic.Topics;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/**
 * The delivery application: what is to leave the instance in; what waits for it, and what came of it, in stores; requests and
 * messages out by threads of its own.
 *
 * <pre>
 * laurel.outbox     → outbox-source → route-outgoing ─┬→ throttle-events → deliver-webhooks → replies-sink → laurel.replies
 *                                                     ├→ deliver-webhooks
 *                                                     └→ send-messages    → replies-sink
 * laurel.send-marks → marks-source ────────────────────→ send-messages
 * </pre>
 */
public final class DeliveryTopology {

    public static final String THROTTLE_EVENTS = "throttle-events";
    public static final String DELIVER_WEBHOOKS = "deliver-webhooks";
    public static final String SEND_MESSAGES = "send-messages";
    public static final String REPLIES_SINK = "replies-sink";
    private static final String OUTBOX_SOURCE = "outbox-source";
    private static final String MARKS_SOURCE = "marks-source";
    private static final String ROUTE_OUTGOING = "route-outgoing";

    /**
     * The steps, each with the stores that it owns.
     *
     * @param route drops what is stale, and hands each kind to the step that it is for, by the names of this class
     * @param throttle takes {@code Outgoing.HookEvent} of points, {@code BoardNews} and {@code Question}; merges what comes
     *        too often, hands on {@code HookEvent}, and the question with its own answer
     * @param deliver takes {@code HookEvent}, {@code HookTest}, {@code HookRetry} and {@code Question}; answers the last two
     * @param send takes {@code Message}, {@code UserErased}, {@code Question} and {@link SendMark}; answers its part of the
     *        question
     */
    public record Steps(ProcessorSupplier<byte[], Outgoing, byte[], Outgoing> route,
            ProcessorSupplier<byte[], Outgoing, byte[], Outgoing> throttle,
            ProcessorSupplier<byte[], Outgoing, Integer, byte[]> deliver,
            ProcessorSupplier<byte[], Object, Integer, byte[]> send) {}

    private DeliveryTopology() {}

    /** @param progress told of the tasks */
    public static Topology build(Steps steps, Progress progress) {
        var topology = new Topology();
        topology.addSource(AutoOffsetReset.earliest(), OUTBOX_SOURCE, new LogTime(), new ByteArrayDeserializer(),
                Topics.OUTBOX.value().deserializer(), Topics.OUTBOX.name());
        topology.addSource(AutoOffsetReset.earliest(), MARKS_SOURCE, new LogTime(), new ByteArrayDeserializer(),
                Topics.SEND_MARKS.value().deserializer(), Topics.SEND_MARKS.name());
        topology.addProcessor(ROUTE_OUTGOING, progress.follow(steps.route()), OUTBOX_SOURCE);
        topology.addProcessor(THROTTLE_EVENTS, steps.throttle(), ROUTE_OUTGOING);
        topology.addProcessor(DELIVER_WEBHOOKS, steps.deliver(), ROUTE_OUTGOING, THROTTLE_EVENTS);
        topology.addProcessor(SEND_MESSAGES, steps.send(), ROUTE_OUTGOING, MARKS_SOURCE);
        topology.addSink(REPLIES_SINK, Topics.REPLIES.name(), LedgerTopology.noKey(), new ByteArraySerializer(),
                LedgerTopology.toWaitingGateway(), DELIVER_WEBHOOKS, SEND_MESSAGES);
        return topology;
    }
}
