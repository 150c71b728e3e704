package dev.laurel.processors.topology;

import dev.laurel.processors.stream.CopyProcessor.Copy;
import dev.laurel.processors.stream.CopyProcessor;
import dev.laurel.processors.stream.Widening;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * What copies a log into a wider one, and keeps nothing:
 *
 * <pre>
 * laurel.commands → narrow-source → copy → wide-sink → laurel.commands-g2
 * </pre>
 */
public final class WideningTopology {

    private static final String NARROW_SOURCE = "narrow-source";
    private static final String COPY = "copy";
    private static final String WIDE_SINK = "wide-sink";

    private WideningTopology() {}

    /** @param widening how many partitions the two have */
    public static Topology build(String narrow, String wide, Widening widening) {
        var topology = new Topology();
        topology.addSource(AutoOffsetReset.earliest(), NARROW_SOURCE, new LogTime(), new ByteArrayDeserializer(),
                new ByteArrayDeserializer(), narrow);
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
}
