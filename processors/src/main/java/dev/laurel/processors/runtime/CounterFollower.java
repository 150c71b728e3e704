package dev.laurel.processors.runtime;

import dev.laurel.platform.metrics.MeterName;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.processors.store.AccountCounters;
import dev.laurel.processors.store.CounterSums;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.topic.Generation;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds up the counters of all partitions of an application on this node, from the changelog of their store: each partition writes its
 * changes there before each commit. So every node knows the counters of the account without asking others. Runs on a thread of its own;
 * thread-safe.
 */
public final class CounterFollower implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CounterFollower.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /**
     * How often a topic is looked for that does not exist yet: at first, and later. Kafka Streams creates it when the application starts for
     * the first time, which the ledger does beside this, and delivery perhaps never.
     */
    private static final long FIRST_CREATION_CHECK_MS = 200;
    private static final long LAST_CREATION_CHECK_MS = 2_000;

    /** A record ends the wait of a fetch, so this only limits the requests while there are none. */
    private static final int FETCH_MAX_WAIT_MS = 2_000;

    /** Of a poll: the more records are added together, the fewer versions of a block are added for nothing. */
    private static final int MAX_POLL_RECORDS = 5_000;

    private static final MeterName LAG = MeterName.of("laurel.counters.lag",
            "Records of counters that this node has not added to its sums yet; reports lack them.");

    private final String topic;
    private final Path folder;
    private final Map<String, Object> rocksDb;
    private final Map<String, Object> clientProperties;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Consumer<Throwable> onFault;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);

    /** Contains everything that was there when this node began to follow; null before that. */
    private volatile @Nullable CounterSums caughtUp;
    private volatile long lag;

    /** Counted down with it, and when the thread ends. */
    private final CountDownLatch settled = new CountDownLatch(1);

    /**
     * @param application whose counters are followed
     * @param onFault receives the failure that ended the thread
     */
    private CounterFollower(LedgerConfig config, String application, Consumer<Throwable> onFault) {
        this.topic = Generation.changelog(application, StoreNames.COUNTERS);
        this.folder = config.stateDir().resolve(application).resolve("counter-sums");
        this.rocksDb = config.rocksDb();
        this.clientProperties = config.clientProperties();
        this.onFault = onFault;
        var settings = new HashMap<>(clientProperties);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_MAX_WAIT_MS);
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, MAX_POLL_RECORDS);
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.thread = Thread.ofPlatform().name("counters-of-" + application).daemon().unstarted(this::run);
    }

    /** A follower of the ledger of a generation, which is not started. */
    static CounterFollower ofLedger(LedgerConfig config, Generation generation, Consumer<Throwable> onFault) {
        return new CounterFollower(config, generation.ledgerApplication(), onFault);
    }

    /**
     * Follows delivery, which may run in other processes only, later, or never.
     *
     * @param meters gets the lag
     * @param onFault receives the failure that ended the thread
     */
    public static CounterFollower followDelivery(LedgerConfig config, MeterScope meters, Consumer<Throwable> onFault) {
        var follower = new CounterFollower(config, DeliveryConfig.APPLICATION_ID, onFault);
        follower.register(meters, StreamsMeters.tags("delivery"));
        follower.start();
        return follower;
    }

    void start() {
        thread.start();
    }

    void register(MeterScope meters, Tags tags) {
        meters.gauge(LAG, tags, () -> lag);
    }

    /**
     * Reads the counters until the reader is closed, by the thread that calls this; null while they lack something that was there when this
     * node began to follow, and once this is closed.
     */
    public @Nullable AccountCounters read() {
        CounterSums sums = caughtUp;
        return sums == null ? null : sums.read();
    }

    boolean isCaughtUp() {
        return caughtUp != null;
    }

    /** @return false if the timeout expired, or the thread has ended */
    boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
        return settled.await(timeout.toMillis(), TimeUnit.MILLISECONDS) && isCaughtUp();
    }

    private void run() {
        try {
            TopicDescription found = awaitTopic();
            if (found != null) {
                Files.createDirectories(folder);
                try (var sums = new CounterSums(folder, found.topicId().toString(), rocksDb)) {
                    follow(sums, found.partitions().size());
                }
            }
        } catch (WakeupException _) {
            // The node closes.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error e) {
            LOG.error("Stopped following {} after a fault", topic, e);
            onFault.accept(e);
        } finally {
            settled.countDown();
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    /** @return null: the node closes */
    private @Nullable TopicDescription awaitTopic() throws InterruptedException {
        try (Admin admin = Admin.create(clientProperties)) {
            long pauseMs = FIRST_CREATION_CHECK_MS / 2;
            do {
                pauseMs = Math.min(LAST_CREATION_CHECK_MS, pauseMs * 2);
                try {
                    return admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof UnknownTopicOrPartitionException
                            || e.getCause() instanceof RetriableException)) {
                        throw new KafkaException("cannot describe " + topic, e.getCause());
                    }
                }
            } while (!closing.await(pauseMs, TimeUnit.MILLISECONDS));
            return null;
        }
    }

    private void follow(CounterSums sums, int count) {
        List<TopicPartition> partitions = IntStream.range(0, count).mapToObj(p -> new TopicPartition(topic, p))
                .toList();
        consumer.assign(partitions);
        partitions.forEach(partition -> consumer.seek(partition, sums.position(partition.partition())));
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        CounterSums.Batch batch = sums.batch();
        while (closing.getCount() > 0) {
            if (caughtUp == null
                    && ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue())) {
                caughtUp = sums;
                settled.countDown();
            }
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            lag = partitions.stream().mapToLong(partition -> consumer.currentLag(partition).orElse(0)).sum();
            if (!records.isEmpty()) {
                for (ConsumerRecord<byte[], byte[]> record : records) {
                    batch.add(record.partition(), record.offset(), record.key(), record.value());
                }
                batch.write();
            }
        }
    }

    @Override
    public void close() {
        closing.countDown();
        consumer.wakeup();
        if (thread.getState() == Thread.State.NEW) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            return;
        }
        try {
            thread.join(CLOSE_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
