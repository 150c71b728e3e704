package dev.laurel.processors.generation;

import dev.laurel.processors.generation.WideningTopology.CopyProcessor.Copy;
import dev.laurel.processors.stream.OriginTracker;
import dev.laurel.processors.topology.CommonNodes;
import dev.laurel.schemas.topic.PlaceHeader;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

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

    /** @param widening of the two logs */
    public static Topology build(String narrow, String wide, Widening widening) {
        var topology = new Topology();
        CommonNodes.addSource(topology, NARROW_SOURCE, narrow);
        topology.addProcessor(COPY, () -> new CopyProcessor(widening), NARROW_SOURCE);
        topology.addSink(WIDE_SINK, wide, new ByteArraySerializer(), values(), new ToItsPartitions(), COPY);
        return topology;
    }

    private static Serializer<Copy> values() {
        return (_, copy) -> copy.value();
    }

    private static final class ToItsPartitions implements StreamPartitioner<byte[], Copy> {

        @Override
        public Optional<Set<Integer>> partitions(String topic, byte[] key, Copy copy, int numPartitions) {
            return Optional.of(copy.to());
        }
    }

    /** Copies one partition of a log: each record unchanged, with a header for its original position. One task, one thread. */
    public static final class CopyProcessor implements Processor<byte[], byte[], byte[], CopyProcessor.Copy> {

        /** A value and the partitions that it is copied into. @param value null where the record has none */
        public record Copy(byte[] value, Set<Integer> to) {}

        private final Widening widening;
        private final OriginTracker origins = new OriginTracker();
        private ProcessorContext<byte[], Copy> context;

        public CopyProcessor(Widening widening) {
            this.widening = widening;
        }

        @Override
        public void init(ProcessorContext<byte[], Copy> processorContext) {
            context = processorContext;
        }

        @Override
        public void process(Record<byte[], byte[]> record) {
            RecordMetadata place = context.recordMetadata().orElseThrow();
            PlaceHeader.write(record.headers(), origins.of(place, record.headers()));
            context.forward(record.withValue(
                    new Copy(record.value(), widening.targetsOf(place.partition(), record.key(), record.value()))));
        }
    }
}
