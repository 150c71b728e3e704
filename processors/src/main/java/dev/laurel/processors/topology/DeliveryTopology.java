package dev.laurel.processors.topology;

import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.SendMark;
import dev.laurel.schemas.topic.Topics;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/**
 * The delivery application: reads the outbox, keeps queues and outcomes in stores, and sends on threads of its own.
 *
 * <pre>
 * laurel.outbox     → outbox-source → route-outgoing ─┬→ deliver-webhooks → replies-sink → laurel.replies
 *                                                     └→ send-messages    → replies-sink
 * laurel.send-marks → marks-source ────────────────────→ send-messages
 * </pre>
 */
public final class DeliveryTopology {

    public static final String DELIVER_WEBHOOKS = "deliver-webhooks";
    public static final String SEND_MESSAGES = "send-messages";
    public static final String REPLIES_SINK = "replies-sink";
    private static final String OUTBOX_SOURCE = "outbox-source";
    private static final String MARKS_SOURCE = "marks-source";
    private static final String ROUTE_OUTGOING = "route-outgoing";

    /**
     * The steps, each with its stores.
     *
     * @param route drops stale records, and forwards each kind to its step, by the names of this class
     * @param deliver reads {@code HookEvent}, {@code LeaderboardEvent}, {@code HookTest}, {@code HookRetry}, {@code UserErased} and
     *        {@code Question}; answers {@code HookRetry}, and its part of the question
     * @param send reads {@code Message}, {@code UserErased}, {@code Question} and {@link SendMark}; answers its part of the question
     */
    public record Steps(ProcessorSupplier<byte[], Outgoing, byte[], Outgoing> route,
            ProcessorSupplier<byte[], Outgoing, Integer, byte[]> deliver,
            ProcessorSupplier<byte[], Object, Integer, byte[]> send) {}

    private DeliveryTopology() {}

    /** @param tracker follows the tasks */
    public static Topology build(Steps steps, TaskTracker tracker) {
        var topology = new Topology();
        CommonNodes.addSource(topology, OUTBOX_SOURCE, Topics.OUTBOX.name(), Topics.OUTBOX.value().deserializer());
        CommonNodes.addSource(topology, MARKS_SOURCE, Topics.SEND_MARKS.name(),
                Topics.SEND_MARKS.value().deserializer());
        topology.addProcessor(ROUTE_OUTGOING, tracker.track(steps.route()), OUTBOX_SOURCE);
        topology.addProcessor(DELIVER_WEBHOOKS, steps.deliver(), ROUTE_OUTGOING);
        topology.addProcessor(SEND_MESSAGES, steps.send(), ROUTE_OUTGOING, MARKS_SOURCE);
        CommonNodes.addReplySink(topology, REPLIES_SINK, DELIVER_WEBHOOKS, SEND_MESSAGES);
        return topology;
    }
}
