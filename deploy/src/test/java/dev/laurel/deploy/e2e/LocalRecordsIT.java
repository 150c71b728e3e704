package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.kafka.AdaptivePollWait;
import dev.laurel.platform.kafka.LocalFirstConsumer;
import dev.laurel.platform.kafka.LocalRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests that a consumer with records in memory reads what one without them reads, while several writers mix their records. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class LocalRecordsIT {

    private static final int PARTITIONS = 3;
    private static final int ROUNDS = Boolean.getBoolean("laurel.full") ? 400 : 100;
    private static final Duration BRIEFLY = Duration.ofMillis(20);
    private static final Duration ACTIVE_WAIT = Duration.ofSeconds(1);
    private static final long WAKE_NS = Duration.ofMillis(3).toNanos();
    private static final long PATIENCE_NS = Duration.ofSeconds(30).toNanos();
    private static final ByteArrayDeserializer BYTES = new ByteArrayDeserializer();
    private static final ByteArraySerializer TO_BYTES = new ByteArraySerializer();

    /** A record as its reader sees it. */
    private record Seen(long timestamp, String key, String value) {

        static Seen of(ConsumerRecord<byte[], byte[]> record) {
            return new Seen(record.timestamp(), new String(record.key()), new String(record.value()));
        }
    }

    /** What a reader has read, in its order, by partition. */
    private static final class Records {

        private final Map<TopicPartition, TreeMap<Long, Seen>> seen = new HashMap<>();
        private int count;

        void add(ConsumerRecord<byte[], byte[]> record) {
            var partition = new TopicPartition(record.topic(), record.partition());
            TreeMap<Long, Seen> records = seen.computeIfAbsent(partition, _ -> new TreeMap<>());
            assertTrue(records.isEmpty() || records.lastKey() < record.offset(), "read twice or out of order");
            records.put(record.offset(), Seen.of(record));
            count++;
        }
    }

    /** Writes to random partitions, by turns through {@link LocalRecords}, past it and in transactions that commit or abort. */
    private static final class Writers implements AutoCloseable {

        private final Random random = new Random(17);
        private final String topic;
        private final Producer<byte[], byte[]> own;
        private final Producer<byte[], byte[]> foreign;
        private final Producer<byte[], byte[]> transactional;
        private int written;

        Writers(String servers, String topic, LocalRecords tails) {
            this.topic = topic;
            Map<String, Object> config = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers);
            own = tails.producer(config);
            foreign = new KafkaProducer<>(config, TO_BYTES, TO_BYTES);
            transactional = tails.producer(Map.of(
                    ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, servers, ProducerConfig.TRANSACTIONAL_ID_CONFIG, topic));
            transactional.initTransactions();
        }

        void write() throws Exception {
            int roll = random.nextInt(20);
            int records = 1 + random.nextInt(5);
            if (roll < 14) {
                send(own, records);
            } else if (roll < 18) {
                send(foreign, records);
            } else {
                transactional.beginTransaction();
                send(transactional, records);
                if (random.nextBoolean()) {
                    transactional.commitTransaction();
                } else {
                    transactional.flush();
                    transactional.abortTransaction();
                }
            }
        }

        private void send(Producer<byte[], byte[]> producer, int records) throws Exception {
            for (int i = 0; i < records; i++) {
                written++;
                var sent = producer.send(new ProducerRecord<>(
                        topic,
                        random.nextInt(PARTITIONS),
                        ("key" + written).getBytes(),
                        ("value" + written).getBytes()));
                if (i + 1 == records && producer != transactional) {
                    sent.get(30, TimeUnit.SECONDS);
                }
            }
        }

        @Override
        public void close() {
            own.close();
            foreign.close();
            transactional.close();
        }
    }

    private static Map<String, Object> config(String servers, String isolation, String group) {
        return Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                servers,
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                isolation,
                ConsumerConfig.GROUP_ID_CONFIG,
                group,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "earliest",
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false);
    }

    private static List<TopicPartition> create(String servers, String topic) throws Exception {
        try (var admin = Admin.create(Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) servers))) {
            admin.createTopics(List.of(new NewTopic(topic, PARTITIONS, (short) 1)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
        return IntStream.range(0, PARTITIONS)
                .mapToObj(number -> new TopicPartition(topic, number))
                .toList();
    }

    /** All that is in the topic, without tails. */
    private static Records readAll(String servers, String isolation, Collection<TopicPartition> partitions) {
        var records = new Records();
        try (var plain = new KafkaConsumer<>(config(servers, isolation, "plain"), BYTES, BYTES)) {
            plain.assign(partitions);
            plain.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = ends(servers, partitions);
            while (!isAt(ends, plain)) {
                plain.poll(BRIEFLY).forEach(records::add);
            }
        }
        return records;
    }

    /** The ends of the partitions, also where the marker of a transaction is still to come. */
    private static Map<TopicPartition, Long> ends(String servers, Collection<TopicPartition> partitions) {
        try (var plain = new KafkaConsumer<>(config(servers, "read_uncommitted", "plain"), BYTES, BYTES)) {
            return plain.endOffsets(partitions);
        }
    }

    private static boolean isAt(Map<TopicPartition, Long> ends, Consumer<byte[], byte[]> consumer) {
        return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
    }

    private static void shouldReadWhatOthersRead(String servers, String isolation) throws Exception {
        String topic = "tails-" + isolation;
        List<TopicPartition> partitions = create(servers, topic);
        var tails = new LocalRecords();
        var records = new Records();
        Random random = new Random(5);
        try (var writers = new Writers(servers, topic, tails);
                var consumer = new LocalFirstConsumer(config(servers, isolation, topic), tails, ACTIVE_WAIT)) {
            consumer.assign(partitions);
            Set<TopicPartition> paused = Set.of();
            for (int round = 0; round < ROUNDS; round++) {
                if (round % 20 == 0) {
                    consumer.resume(paused);
                    paused = random.nextBoolean() ? Set.of(partitions.get(random.nextInt(PARTITIONS))) : Set.of();
                    consumer.pause(paused);
                    assertEquals(paused, consumer.paused());
                }
                writers.write();
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(random.nextInt(10)))) {
                    assertTrue(paused.stream().noneMatch(p -> p.partition() == record.partition()), "paused");
                    records.add(record);
                }
                // Throws if a wake-up outlived its poll.
                consumer.commitSync();
            }
            consumer.resume(paused);
            Map<TopicPartition, Long> ends = ends(servers, partitions);
            long startNs = System.nanoTime();
            while (!isAt(ends, consumer)) {
                assertTrue(System.nanoTime() - startNs < PATIENCE_NS, "the consumer does not reach the end");
                consumer.poll(BRIEFLY).forEach(records::add);
            }
        }
        assertSame(readAll(servers, isolation, partitions), records);
    }

    private static void assertSame(Records expected, Records read) {
        assertEquals(expected.count, read.count);
        assertEquals(expected.seen, read.seen);
    }

    @Test
    void shouldReadCommittedRecordsAsAFetchWould(LaurelInstance instance) throws Exception {
        shouldReadWhatOthersRead(instance.bootstrapServers(), "read_committed");
    }

    @Test
    void shouldReadUncommittedRecordsAsAFetchWould(LaurelInstance instance) throws Exception {
        shouldReadWhatOthersRead(instance.bootstrapServers(), "read_uncommitted");
    }

    /** A partition changes hands while its records are in memory. */
    @Test
    void shouldReadEachRecordOnceWhileConsumersComeAndGo(LaurelInstance instance) throws Exception {
        String servers = instance.bootstrapServers();
        String topic = "tails-in-turns";
        List<TopicPartition> partitions = create(servers, topic);
        var tails = new LocalRecords();
        var records = new Records();
        var consumers = new ArrayList<LocalFirstConsumer>();
        try (var writers = new Writers(servers, topic, tails)) {
            consumers.add(join(servers, topic, tails));
            Set<Integer> joined = new HashSet<>();
            for (int round = 0; round < ROUNDS || joined.size() < 2; round++) {
                assertTrue(round < 20 * ROUNDS, "the second consumer got no partition");
                if (round == ROUNDS / 4) {
                    consumers.add(join(servers, topic, tails));
                } else if (round == 3 * ROUNDS / 4) {
                    consumers.removeFirst().close();
                }
                if (round < ROUNDS) {
                    writers.write();
                }
                for (LocalFirstConsumer consumer : consumers) {
                    if (readSome(consumer, records)) {
                        joined.add(System.identityHashCode(consumer));
                    }
                }
            }
            long startNs = System.nanoTime();
            int expected = readAll(servers, "read_committed", partitions).count;
            while (records.count < expected) {
                assertTrue(System.nanoTime() - startNs < PATIENCE_NS, "the consumer does not reach the end");
                consumers.forEach(consumer -> readSome(consumer, records));
            }
        } finally {
            consumers.forEach(LocalFirstConsumer::close);
        }
        assertSame(readAll(servers, "read_committed", partitions), records);
    }

    private static LocalFirstConsumer join(String servers, String topic, LocalRecords tails) {
        var consumer = new LocalFirstConsumer(config(servers, "read_committed", topic), tails, ACTIVE_WAIT);
        consumer.subscribe(List.of(topic));
        return consumer;
    }

    private static boolean readSome(LocalFirstConsumer consumer, Records records) {
        var polled = consumer.poll(Duration.ofMillis(5));
        polled.forEach(records::add);
        consumer.commitSync();
        return !polled.isEmpty();
    }

    /** Another thread ends the waits of a consumer that nobody writes to. */
    @Test
    void shouldEndAWaitForOtherWork(LaurelInstance instance) throws Exception {
        String servers = instance.bootstrapServers();
        String topic = "tails-other-work";
        List<TopicPartition> partitions = create(servers, topic);
        try (var consumer = new LocalFirstConsumer(
                config(servers, "read_committed", topic), new LocalRecords(), Duration.ofMinutes(5))) {
            consumer.assign(partitions);
            AdaptivePollWait wakeup = AdaptivePollWait.ofThisThread();
            var isOver = new AtomicBoolean();
            var waking = Thread.ofVirtual().start(() -> {
                while (!isOver.get()) {
                    wakeup.now();
                    LockSupport.parkNanos(WAKE_NS);
                }
            });
            long startNs = System.nanoTime();
            for (int i = 0; i < 200; i++) {
                assertTrue(consumer.poll(Duration.ofMinutes(5)).isEmpty());
                // Throws if a wake-up outlived its poll.
                consumer.commitSync();
            }
            assertTrue(System.nanoTime() - startNs < PATIENCE_NS, "polls are not woken");
            isOver.set(true);
            waking.join();
        }
    }

    /** The consumer waits for a second, and is woken at once. */
    @Test
    void shouldReturnARecordAsSoonAsItIsWritten(LaurelInstance instance) throws Exception {
        String servers = instance.bootstrapServers();
        String topic = "tails-at-once";
        List<TopicPartition> partitions = create(servers, topic);
        var tails = new LocalRecords();
        try (var writers = new Writers(servers, topic, tails);
                var consumer = new LocalFirstConsumer(config(servers, "read_committed", topic), tails, ACTIVE_WAIT)) {
            consumer.assign(partitions);
            var received = new ArrayList<ConsumerRecord<byte[], byte[]>>();
            var writing = Thread.ofVirtual().start(() -> {
                try {
                    for (int i = 0; i < 200; i++) {
                        writers.send(writers.own, 1);
                        writers.send(writers.foreign, 1);
                    }
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            long startNs = System.nanoTime();
            while (received.size() < 400) {
                assertTrue(System.nanoTime() - startNs < PATIENCE_NS, "records wait for the end of the poll");
                consumer.poll(Duration.ofSeconds(1)).forEach(received::add);
            }
            writing.join();
        }
    }
}
