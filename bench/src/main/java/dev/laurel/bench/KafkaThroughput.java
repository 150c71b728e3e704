package dev.laurel.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.laurel.bench.OneProcess.Subject;
import dev.laurel.platform.kafka.KafkaClients;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Measures how fast a subject processes a backlog: it pauses the subject, writes the events to Kafka, resumes the subject and watches its
 * commits. This excludes producing, starting and rebalancing, and includes sending and committing.
 */
final class KafkaThroughput {
    private static final long CHECK_NANOS = 10_000_000;
    private static final long QUIET_NANOS = 700_000_000;
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration WORK_TIMEOUT = Duration.ofMinutes(10);
    private static final int LINGER_MS = 5;
    private static final int BATCH_BYTES = 128 * 1024;

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final String bootstrapServers;
    private final Subject subject;

    KafkaThroughput(String bootstrapServers, Subject subject) {
        this.bootstrapServers = bootstrapServers;
        this.subject = subject;
    }

    /** Creates the events of a backlog. */
    @FunctionalInterface
    interface Load {

        /** @param number number from 0, ascending */
        ProducerRecord<byte[], byte[]> event(int number);
    }

    /** The subject must be idle. */
    Result measure(int events, Load load) {
        try (var committed = new CommittedEvents(bootstrapServers, subject.applicationId(), subject.topic())) {
            long before = awaitIdle(committed);
            long effectsBefore = committed.recordsOf(subject.effectsTopic());
            subject.streams().pause();
            try {
                write(bootstrapServers, events, load);
                if (committed.count() != before) {
                    throw new IllegalStateException(subject.name() + " processed events while it was paused");
                }
            } finally {
                subject.streams().resume();
            }
            long cpuNanos = system.getProcessCpuTime();
            CommitRate rate = awaitCommitted(committed, before, events);
            cpuNanos = system.getProcessCpuTime() - cpuNanos;
            double effects = committed.recordsOf(subject.effectsTopic()) - effectsBefore;
            return new Result(rate.eventsPerSecond(), effects / events, cpuNanos / 1e6 / events);
        }
    }

    /** Writes many events to Kafka at once; returns when the broker has all of them. */
    static void write(String bootstrapServers, int events, Load load) {
        var failure = new AtomicReference<@Nullable Exception>();
        try (var producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ProducerConfig.LINGER_MS_CONFIG,
                        LINGER_MS,
                        ProducerConfig.BATCH_SIZE_CONFIG,
                        BATCH_BYTES),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < events; i++) {
                producer.send(load.event(i), (_, thrown) -> {
                    if (thrown != null) {
                        failure.compareAndSet(null, thrown);
                    }
                });
            }
        }
        if (failure.get() != null) {
            throw new IllegalStateException("Cannot write the events to measure", failure.get());
        }
    }

    /** Waits until nothing was committed for longer than a commit interval, so that earlier commits are not counted. */
    private long awaitIdle(CommittedEvents committed) {
        long deadlineNanos = System.nanoTime() + IDLE_TIMEOUT.toNanos();
        long count = committed.count();
        long quietSinceNanos = System.nanoTime();
        while (System.nanoTime() - quietSinceNanos < QUIET_NANOS) {
            LockSupport.parkNanos(CHECK_NANOS);
            long now = committed.count();
            if (now != count) {
                count = now;
                quietSinceNanos = System.nanoTime();
            }
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException(subject.name() + " keeps committing events without load");
            }
        }
        return count;
    }

    private CommitRate awaitCommitted(CommittedEvents committed, long before, int events) {
        var rate = new CommitRate(System.nanoTime(), events);
        long deadlineNanos = System.nanoTime() + WORK_TIMEOUT.toNanos();
        while (!rate.done()) {
            LockSupport.parkNanos(CHECK_NANOS);
            subject.check().run();
            rate.committed(committed.count() - before, System.nanoTime());
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IllegalStateException(
                        subject.name() + " did not process " + events + " events within " + WORK_TIMEOUT);
            }
        }
        return rate;
    }

    /** Events through Kafka at the maximum rate, see {@link CommitRate}. @param cpuMsPerEvent of this process, broker included */
    record Result(double eventsPerSecond, double effectsPerEvent, double cpuMsPerEvent) {}

    /**
     * Computes the rate between two commits. Excludes the first interval, which began before the work, and the last, which ends after it;
     * the remaining ones contain processing, sending and committing in their true proportion. If a run is too short for two such commits,
     * the rate is that of the whole run. Used by one thread.
     */
    static final class CommitRate {
        private final long startNanos;
        private final long target;
        private long firstNanos;
        private long firstCount;
        private long lastNanos;
        private long lastCount;
        private long endNanos;

        /** @param target number of events at the end of the run */
        CommitRate(long startNanos, long target) {
            this.startNanos = startNanos;
            this.target = target;
        }

        /** @param committed committed events of this run; must not decrease */
        void committed(long committed, long nowNanos) {
            if (committed <= lastCount) {
                return;
            }
            if (committed >= target) {
                endNanos = nowNanos;
                return;
            }
            if (firstCount == 0) {
                firstCount = committed;
                firstNanos = nowNanos;
            }
            lastCount = committed;
            lastNanos = nowNanos;
        }

        boolean done() {
            return endNanos != 0;
        }

        double eventsPerSecond() {
            if (lastCount > firstCount && lastNanos > firstNanos) {
                return (lastCount - firstCount) / ((lastNanos - firstNanos) / 1e9);
            }
            return target / ((endNanos - startNanos) / 1e9);
        }
    }

    /**
     * Counts the events of a topic that a Streams application has committed, according to the broker. Processed events may still be in
     * the producer's buffer, which holds tens of thousands. Counts offsets, which is exact for topics written without transactions.
     */
    static final class CommittedEvents implements AutoCloseable {
        private static final long CHECK_NANOS = 50_000_000;

        private final Admin admin;
        private final String applicationId;
        private final String topic;

        CommittedEvents(String bootstrapServers, String applicationId, String topic) {
            admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, (Object) bootstrapServers));
            this.applicationId = applicationId;
            this.topic = topic;
        }

        /** Returns the sum over all partitions. */
        long count() {
            return KafkaClients.get(
                            admin.listConsumerGroupOffsets(applicationId).partitionsToOffsetAndMetadata())
                    .entrySet()
                    .stream()
                    .filter(partition -> partition.getKey().topic().equals(topic))
                    .mapToLong(partition -> partition.getValue() == null
                            ? 0
                            : partition.getValue().offset())
                    .sum();
        }

        /** Waits until this number of events is committed. @param check throws if the application has failed */
        void await(long events, Duration timeout, Runnable check) {
            long deadlineNanos = System.nanoTime() + timeout.toNanos();
            while (count() < events) {
                check.run();
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IllegalStateException("the events were not processed within " + timeout);
                }
                LockSupport.parkNanos(CHECK_NANOS);
            }
        }

        /** Counts the records of any topic, including transaction markers: a few per partition and commit. */
        long recordsOf(String anyTopic) {
            List<TopicPartition> partitions =
                    KafkaClients.get(admin.describeTopics(List.of(anyTopic)).allTopicNames()).values().stream()
                            .flatMap(description -> description.partitions().stream())
                            .map(partition -> new TopicPartition(anyTopic, partition.partition()))
                            .toList();
            return KafkaClients.offsets(admin, partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED)
                    .values()
                    .stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }

        @Override
        public void close() {
            admin.close();
        }
    }
}
