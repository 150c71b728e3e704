package dev.laurel.processors.generation;

import dev.laurel.processors.stream.CommonNodes;
import dev.laurel.processors.stream.OriginTracker;
import dev.laurel.processors.stream.TaskProcessor;
import dev.laurel.schemas.topic.PositionHeader;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * The application that copies a log into a wider one; it has no stores.
 *
 * <pre>
 * laurel.commands → narrow-source → copy → wide-sink → laurel.commands-g2
 * </pre>
 */
final class WideningTopology {

    private static final String NARROW_SOURCE = "narrow-source";
    private static final String COPY = "copy";
    private static final String WIDE_SINK = "wide-sink";

    private WideningTopology() {}

    static Topology build(String narrow, String wide, Widening widening) {
        var topology = new Topology();
        CommonNodes.addSource(topology, NARROW_SOURCE, narrow);
        topology.addProcessor(COPY, TaskProcessor.supplier(
                (ProcessorContext<byte[], Copy> context) -> new Copier(context, widening), Set.of()), NARROW_SOURCE);
        topology.<byte[], Copy>addSink(WIDE_SINK, wide, new ByteArraySerializer(), (_, copy) -> copy.value(),
                CommonNodes.partitioner((_, copy, _) -> copy.partitions()), COPY);
        return topology;
    }

    /** A value, null if the record has none, and the partitions into which it is copied. */
    private record Copy(byte @Nullable [] value, Set<Integer> partitions) {}

    /** Copies one partition of a log: each record unchanged, with a header for its original position. One task, one thread. */
    private static final class Copier implements TaskProcessor.Handler<byte[], byte[]> {

        private final ProcessorContext<byte[], Copy> context;
        private final Widening widening;
        private final OriginTracker origins = new OriginTracker();

        Copier(ProcessorContext<byte[], Copy> context, Widening widening) {
            this.context = context;
            this.widening = widening;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            RecordMetadata position = context.recordMetadata().orElseThrow();
            PositionHeader.write(record.headers(), origins.of(position, record.headers()));
            context.forward(record.withValue(new Copy(record.value(),
                    widening.targetsOf(position.partition(), record.key(), record.value()))));
        }
    }
}
