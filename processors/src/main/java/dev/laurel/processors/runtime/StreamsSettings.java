package dev.laurel.processors.runtime;

import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.AssignmentConfigs;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.internals.assignment.ClientState;
import org.apache.kafka.streams.processor.internals.assignment.HighAvailabilityTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.RackAwareTaskAssignor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What all Streams applications are started with, and the Streams properties that follow from it.
 *
 * <p>Some of these decide how soon others take over from a process that fails, the same for all groups. With a standby copy, users are
 * served again after about ten seconds; docs/operations/failures.md has the measurements. A process that is stopped in an orderly way
 * leaves its groups, so that none of these timeouts apply.
 *
 * <p>Members are static ({@code group.instance.id}), by the classic protocol: a single node that is killed and started again is the
 * same member and gets its partitions at once. If there are others, {@link DanglingTransactionCleaner} lets their copies take over. The
 * streams protocol (KIP-1071) of Kafka 4.4 ignores warm-up tasks and {@link CopiedTaskAssignor}.
 *
 * @param stateDir folder of the stores; a process that keeps it restarts in seconds
 * @param threads stream threads; more threads than partitions are idle
 * @param standbys copies of each store on other processes
 * @param rocksDbBytes memory for RocksDB, all stores of the process together: applications that share a process share it, and need the
 *     same value
 * @param replication replication factor of internal topics; -1: the broker's default
 * @param minInSync in-sync replicas that a write to an internal topic needs; -1: the broker's default
 * @param advertised host:port under which other processes reach this one's reads; empty for a single process
 */
public record StreamsSettings(
        KafkaAccess kafka,
        Path stateDir,
        int threads,
        int standbys,
        long rocksDbBytes,
        int replication,
        int minInSync,
        String advertised) {

    /**
     * A member without a heartbeat for so long counts as dead. Brokers allow 6 s and more by default. Pauses of a machine should be
     * shorter than this, since a member that wrongly counts as dead restores its stores from the changelogs.
     */
    public static final int SESSION_TIMEOUT_MS = 8_000;

    /**
     * A member learns of a rebalance by the answer to a heartbeat. A task that moves passes through two rebalances, and nobody runs it
     * between them: with Kafka's interval of three seconds its users would wait for as much longer.
     */
    static final int HEARTBEAT_INTERVAL_MS = 500;

    /**
     * A member whose last contact with the coordinator is longer ago than this may count as dead. The last heartbeat may be an interval
     * older than that, and later if the machine is slow.
     */
    static final Duration UNHEARD = Duration.ofMillis(SESSION_TIMEOUT_MS - 2_000);

    /**
     * The maximum duration of a transaction. A node cannot commit during a rebalance of its group, and a rebalance that takes longer
     * than this costs all members their tasks and stores (KAFKA-19853), so this is longer than a rebalance should take. Transactions
     * of a dead node do not last so long: {@link DanglingTransactionCleaner}.
     */
    static final int TRANSACTION_TIMEOUT_MS = 60_000;

    /**
     * Detects a thread that hangs, since heartbeats have a thread of their own; Kafka's default is five minutes. This is longer than a
     * task waits for anything: half a minute for a ruleset, one and a half where one generation takes over from another.
     */
    static final int POLL_INTERVAL_MAX_MS = 120_000;

    /**
     * A new node gets standby copies first, and the tasks whose copies have caught up at the next probing rebalance. Kafka's default is
     * ten minutes, and this is the minimum. Probing ends when no copies are being built.
     */
    static final int PROBING_INTERVAL_MS = 60_000;

    /** The settings of a consumer that is a member of a group. */
    static final Map<String, Object> MEMBER = Map.of(
            ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
            SESSION_TIMEOUT_MS,
            ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
            HEARTBEAT_INTERVAL_MS,
            ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
            POLL_INTERVAL_MAX_MS);

    /** The settings of a process without others, on a cluster whose defaults decide on replication. */
    public static StreamsSettings alone(KafkaAccess kafka, Path stateDir, int threads, long rocksDbBytes) {
        return new StreamsSettings(kafka, stateDir, threads, 0, rocksDbBytes, -1, -1, "");
    }

    /** The properties of {@link BoundedRocksDb}, for stores of Kafka Streams and other databases. */
    public Map<String, Object> rocksDb() {
        return Map.of(BoundedRocksDb.MEMORY_BYTES, Long.toString(rocksDbBytes));
    }

    /** The properties that all applications share. */
    public Properties properties(String applicationId, int commitIntervalMs) {
        var streams = new Properties();
        streams.putAll(kafka.clientProperties());
        streams.put(StreamsConfig.APPLICATION_ID_CONFIG, applicationId);
        streams.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, commitIntervalMs);
        streams.put(StreamsConfig.STATE_DIR_CONFIG, stateDir.toString());
        streams.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
        streams.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, standbys);
        streams.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, replication);
        streams.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDb.class);
        streams.putAll(rocksDb());
        streams.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
        streams.put(StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, FailOnProductionError.class);
        if (minInSync > 0) {
            streams.put(
                    StreamsConfig.topicPrefix(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG), Integer.toString(minInSync));
        }
        if (!advertised.isEmpty()) {
            streams.put(StreamsConfig.APPLICATION_SERVER_CONFIG, advertised);
        }
        putProducer(
                streams,
                Map.of(
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        Topics.MAX_RECORD_BYTES,
                        ProducerConfig.COMPRESSION_TYPE_CONFIG,
                        kafka.compression()));
        streams.put(
                StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                Integer.toString(Topics.MAX_RECORD_BYTES));
        // Imports write years in minutes: changelogs keep what the stores keep, regardless of its time.
        streams.put(StreamsConfig.topicPrefix(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG), "CreateTime");
        putConsumer(streams, MEMBER);
        streams.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, PROBING_INTERVAL_MS);
        streams.put(StreamsConfig.InternalConfig.INTERNAL_TASK_ASSIGNOR_CLASS, CopiedTaskAssignor.class.getName());
        return streams;
    }

    /** Adds settings of the consumers of tasks. */
    public static void putConsumer(Properties streams, Map<String, ?> settings) {
        settings.forEach((name, value) -> streams.put(StreamsConfig.consumerPrefix(name), value));
    }

    /** Adds settings of the producers. */
    public static void putProducer(Properties streams, Map<String, ?> settings) {
        settings.forEach((name, value) -> streams.put(StreamsConfig.producerPrefix(name), value));
    }

    /**
     * Stops an application whose producer fails. A change that is left out of a changelog would let the stores and the log diverge.
     *
     * <table>
     * <caption>What each failure of an application means</caption>
     * <tr><td>input that cannot be read or is refused</td><td>a rejection, written by the processor; the partition continues</td></tr>
     * <tr><td>an exception while processing</td><td>a fault: the application stops, the transaction is aborted</td></tr>
     * <tr><td>a record that Kafka does not accept</td><td>a fault; the log names the topic of a record that is too large</td></tr>
     * </table>
     */
    public static final class FailOnProductionError implements ProductionExceptionHandler {

        private static final Logger LOG = LoggerFactory.getLogger(FailOnProductionError.class);

        @Override
        public Response handleError(
                ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record, Exception exception) {
            if (exception instanceof RecordTooLargeException) {
                LOG.error(
                        "A record for {} exceeds the maximum size; it results from {}-{}@{}",
                        record.topic(),
                        context.topic(),
                        context.partition(),
                        context.offset());
            }
            return Response.fail();
        }

        @Override
        public void configure(Map<String, ?> configs) {}
    }

    /**
     * Kafka's assignor of tasks, for which a process has caught up with a task only if it has a copy of the stores. Kafka's own rule looks
     * only at the number of records that the process lacks. While the stores are small, it therefore takes tasks from their owner and gives
     * them to a process that has just started, which creates the stores, restores them, and compiles its code in the meantime. With this
     * assignor the owner continues until the process has a copy, and it moves the tasks at the next probing rebalance.
     *
     * <p>Kafka Streams creates an instance per rebalance. {@code TaskAssignor}, the public interface, offers no assignor with warm-up
     * copies to extend, so that this class extends an internal one.
     */
    public static final class CopiedTaskAssignor extends HighAvailabilityTaskAssignor {

        /** Stores with so few records are as good as empty: the nodes of a new deployment share its partitions at once. */
        static final long FEW_RECORDS = 100;

        @Override
        public boolean assign(
                Map<ProcessId, ClientState> clients,
                Set<TaskId> allTaskIds,
                Set<TaskId> statefulTaskIds,
                RackAwareTaskAssignor rackAwareTaskAssignor,
                AssignmentConfigs configs) {
            long acceptable = configs.acceptableRecoveryLag();
            for (ClientState client : clients.values()) {
                Set<TaskId> copied = client.previousStandbyTasks();
                copied.addAll(client.previousActiveTasks()); // which may not be restored yet
                // The lag of a running task is negative. That of a task without a copy is the number of all its
                // records.
                client.taskLagTotals()
                        .replaceAll((task, lag) -> lag > FEW_RECORDS && lag <= acceptable && !copied.contains(task)
                                ? acceptable + 1
                                : lag);
            }
            return super.assign(clients, allTaskIds, statefulTaskIds, rackAwareTaskAssignor, configs);
        }
    }
}
