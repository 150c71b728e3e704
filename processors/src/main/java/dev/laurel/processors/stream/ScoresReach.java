package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardMessage;
import dev.laurel.processors.core.leaderboard.BoardMessage.ClockMoved;
import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.store.BoardMessages;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** {@code laurel.scores}, as the tasks of the boards application catch up with it. Thread-safe. */
public final class ScoresReach implements CatchUp.Source, AutoCloseable {

    /** A mark stands before all there is in the log, and so says nothing new; nor does its time. */
    static final Origin MARK_ORIGIN = new Origin(0, -1);
    static final BoardMessage MARK = new ClockMoved(Long.MIN_VALUE);

    private static final byte[] MARK_BYTES = BoardMessages.write(MARK_ORIGIN, MARK);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Producer<byte[], byte[]> producer;
    private final Admin admin;
    private final TopicReach reach;

    /** @param group of the tasks that read the scores */
    public ScoresReach(Map<String, Object> clientConfig, String group) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        this.admin = Admin.create(config);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        this.producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.reach = new TopicReach(admin, Topics.SCORES.name(), group, this::append);
    }

    @Override
    public CompletionStage<Reach> reach(int partition) {
        return reach.reach(partition);
    }

    @Override
    public CompletionStage<?> appendMark(int partition) {
        return reach.appendMark(partition);
    }

    private CompletionStage<Void> append(int partition) {
        var appended = new CompletableFuture<Void>();
        producer.send(new ProducerRecord<>(Topics.SCORES.name(), partition, null, MARK_BYTES), (_, failure) -> {
            if (failure == null) {
                appended.complete(null);
            } else {
                appended.completeExceptionally(failure);
            }
        });
        return appended;
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
        admin.close(CLOSE_TIMEOUT);
    }
}
