package dev.laurel.processors.generation;

import dev.laurel.processors.stream.CommonNodes;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.LogLayout.OriginTracker;
import dev.laurel.processors.stream.TaskProcessor;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.PositionHeader;
import dev.laurel.schemas.topic.UserResourceIds;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the records of a log to the partitions of a wider copy, and copies them. The copy has a multiple of the partitions, so all
 * users of a wide partition come from the same narrow one and keep their order: hash mod narrow equals (hash mod wide) mod narrow.
 *
 * @param narrow partitions of the log
 * @param wide partitions of the copy
 */
record Widening(int narrow, int wide) {

    private static final String NARROW_SOURCE = "narrow-source";
    private static final String COPY = "copy";
    private static final String WIDE_SINK = "wide-sink";

    Widening {
        if (narrow < 1 || wide <= narrow || wide % narrow != 0) {
            throw new IllegalArgumentException(
                    "a log of " + narrow + " partitions can be copied into one of a multiple of them, not of " + wide);
        }
    }

    /** The partition from which everything in a partition of the wide log is copied. */
    int sourceOf(int widePartition) {
        return widePartition % narrow;
    }

    /**
     * The partitions of the wide log into which a record is copied, at least one. A marker is copied into all partitions that are copied
     * from its partition. A record that is rejected, because it is no command or is in the wrong partition, is copied into a partition
     * in which it is rejected again.
     */
    Set<Integer> targetsOf(int partition, byte @Nullable [] key, byte @Nullable [] value) {
        return switch (read(value)) {
            case LogCommand _ -> allFrom(partition);
            case OwnedCommand owned -> Set.of(ifFrom(partition, UserResourceIds.partitionOf(owned.id(), wide)));
            case UserCommand _ -> Set.of(key == null ? partition : ifFrom(partition, wide(key)));
            case null -> Set.of(partition);
        };
    }

    private int wide(byte[] key) {
        return new LogLayout(wide).partitionOf(key);
    }

    private int ifFrom(int partition, int widePartition) {
        return sourceOf(widePartition) == partition ? widePartition : partition;
    }

    private Set<Integer> allFrom(int partition) {
        return IntStream.iterate(partition, copy -> copy < wide, copy -> copy + narrow)
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Null if the value is no command. */
    static @Nullable Command read(byte @Nullable [] value) {
        if (value == null) {
            return null;
        }
        try {
            return CommandJson.read(value);
        } catch (BadInputException _) {
            return null; // The tasks reject it.
        }
    }

    /**
     * The application that copies a log into a wider one; it has no stores.
     *
     * <pre>
     * laurel.commands → narrow-source → copy → wide-sink → laurel.commands-g2
     * </pre>
     *
     * @param from topic of the log
     * @param to topic of the copy
     */
    Topology topology(String from, String to) {
        var topology = new Topology();
        CommonNodes.addSource(topology, NARROW_SOURCE, from);
        topology.addProcessor(COPY, TaskProcessor.supplier(this::copier, Set.of()), NARROW_SOURCE);
        topology.<byte[], Copy>addSink(
                WIDE_SINK,
                to,
                new ByteArraySerializer(),
                (_, copy) -> copy.value(),
                CommonNodes.partitioner((_, copy, _) -> copy.partitions()),
                COPY);
        return topology;
    }

    /** Copies one partition of a log: each record unchanged, with a header for its original position. */
    private TaskProcessor.Handler<byte[], byte[]> copier(ProcessorContext<byte[], Copy> context) {
        var origins = new OriginTracker();
        return record -> {
            RecordMetadata position = context.recordMetadata().orElseThrow();
            PositionHeader.write(record.headers(), origins.of(position, record.headers()));
            context.forward(record.withValue(
                    new Copy(record.value(), targetsOf(position.partition(), record.key(), record.value()))));
        };
    }

    /** A value, null if the record has none, and the partitions into which it is copied. */
    private record Copy(byte @Nullable [] value, Set<Integer> partitions) {}
}
