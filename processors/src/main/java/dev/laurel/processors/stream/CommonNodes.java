package dev.laurel.processors.stream;

import dev.laurel.platform.trace.Tracing.TraceHeaders;
import dev.laurel.processors.stream.PipelineSettings.LocalReplies;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.jspecify.annotations.Nullable;

/** Nodes that several topologies have in the same form. */
public final class CommonNodes {

    /**
     * Takes the record's timestamp as its time. A record without timestamp passes with time 0, and the processor rejects it with
     * its position in the log; Kafka's own extractors would stop the task or drop the record without a trace.
     */
    public static final TimestampExtractor RECORD_TIME = (record, _) -> Math.max(0, record.timestamp());

    private CommonNodes() {}

    /** Adds a source of keys and values as bytes, which reads a topic from its beginning. */
    public static void addSource(Topology topology, String name, String topic) {
        addSource(topology, name, topic, new ByteArrayDeserializer());
    }

    /** Adds a source of keys as bytes, which reads a topic from its beginning. */
    public static void addSource(Topology topology, String name, String topic, Deserializer<?> values) {
        topology.addSource(AutoOffsetReset.earliest(), name, RECORD_TIME, new ByteArrayDeserializer(), values, topic);
    }

    /** Adds a sink of keys as bytes. */
    public static void addSink(Topology topology, String name, Topic<?, ?> topic, String parent) {
        topology.addSink(
                name, topic.name(), new ByteArraySerializer(), topic.value().serializer(), parent);
    }

    /** Adds the sink of answers. Their keys are the partitions of the gateways that wait; the written records have no key. */
    public static void addReplySink(Topology topology, String name, String... parents) {
        topology.<Integer, byte[]>addSink(
                name, Topics.REPLIES.name(), (_, _) -> null, new ByteArraySerializer(), toWaitingGateway(), parents);
    }

    /** Adds the sink of answers, before which those to a gateway in this process leave the topology. */
    public static void addReplySink(Topology topology, String name, LocalReplies local, String... parents) {
        if (local == LocalReplies.NONE) {
            addReplySink(topology, name, parents);
            return;
        }
        topology.addProcessor(
                name,
                TaskProcessor.<Integer, byte[], Integer, byte[]>supplier(
                        context -> reply -> {
                            // The trace of a request shows every step by its topic.
                            boolean isTraced = TraceHeaders.read(reply.headers()) != null;
                            if (isTraced || !local.deliver(reply.headers(), reply.value())) {
                                context.forward(reply);
                            }
                        },
                        Set.of()),
                parents);
        addReplySink(topology, name + "-to-topic", name);
    }

    private static StreamPartitioner<Integer, byte[]> toWaitingGateway() {
        return partitioner((partition, _, partitions) -> Set.of(partition % partitions));
    }

    /** The partitions of a topic, which has {@code count}, that get a record. */
    @FunctionalInterface
    public interface ChosenPartitions<K extends @Nullable Object, V extends @Nullable Object> {

        Set<Integer> of(K key, V value, int count);
    }

    /** Kafka's form of a choice that neither the topic nor headers concern. */
    public static <K extends @Nullable Object, V extends @Nullable Object> StreamPartitioner<K, V> partitioner(
            ChosenPartitions<K, V> chosen) {
        return new StreamPartitioner<>() {

            @Override
            public Optional<Set<Integer>> partitions(String topic, K key, V value, Headers headers, int count) {
                return Optional.of(chosen.of(key, value, count));
            }

            /** The form without headers must be implemented as long as Kafka's interface has it. */
            @Override
            @SuppressWarnings("removal")
            public Optional<Set<Integer>> partitions(String topic, K key, V value, int count) {
                return Optional.of(chosen.of(key, value, count));
            }
        };
    }
}
