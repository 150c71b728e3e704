package dev.laurel.delivery;

import dev.laurel.processors.stream.CommonNodes;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.schemas.topic.Topics;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/**
 * The delivery application: reads the outbox, keeps queues and outcomes in a store, and sends on threads of its own.
 *
 * <pre>
 * laurel.outbox     → outbox-source ─┬→ deliver → replies-sink → laurel.replies
 * laurel.send-marks → marks-source  ─┘
 * </pre>
 */
public final class DeliveryTopology {

    public static final String REPLIES_SINK = "replies-sink";
    private static final String DELIVER = "deliver";
    private static final String OUTBOX_SOURCE = "outbox-source";
    private static final String MARKS_SOURCE = "marks-source";

    private DeliveryTopology() {}

    /**
     * @param deliver reads {@code Outgoing} and {@code SendMark}; answers {@code HookRetry} and {@code Question}
     * @param tracker follows the tasks
     */
    public static Topology build(ProcessorSupplier<byte[], Object, Integer, byte[]> deliver, TaskTracker tracker) {
        var topology = new Topology();
        CommonNodes.addSource(
                topology,
                OUTBOX_SOURCE,
                Topics.OUTBOX.name(),
                Topics.OUTBOX.value().deserializer());
        CommonNodes.addSource(
                topology,
                MARKS_SOURCE,
                Topics.SEND_MARKS.name(),
                Topics.SEND_MARKS.value().deserializer());
        topology.addProcessor(DELIVER, tracker.track(deliver), OUTBOX_SOURCE, MARKS_SOURCE);
        CommonNodes.addReplySink(topology, REPLIES_SINK, DELIVER);
        return topology;
    }
}
