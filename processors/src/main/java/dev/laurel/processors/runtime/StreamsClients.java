package dev.laurel.processors.runtime;

import dev.laurel.platform.kafka.TailConsumer;
import dev.laurel.platform.kafka.TailProducer;
import dev.laurel.platform.kafka.TopicTails;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * The clients of an application that does not fetch what its process has written, see {@link TopicTails}, and sends at the commit what
 * is read after it, see {@link DeferringProducer}.
 */
class StreamsClients implements KafkaClientSupplier {

    private final TopicTails tails;
    private final Predicate<String> isReadEarly;

    /** @param isReadEarly whether the records of a topic are read before they are committed; false for changelogs */
    StreamsClients(TopicTails tails, Predicate<String> isReadEarly) {
        this.tails = tails;
        this.isReadEarly = isReadEarly;
    }

    @Override
    public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new DeferringProducer(new TailProducer(config, tails), isReadEarly);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new TailConsumer(config, tails);
    }

    @Override
    public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    @Override
    public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return consumer(config);
    }

    private static Consumer<byte[], byte[]> consumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
