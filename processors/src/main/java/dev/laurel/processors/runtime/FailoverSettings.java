package dev.laurel.processors.runtime;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * The settings that decide how soon others take over from a process that fails, the same for all groups. With a standby copy, users
 * are served again after about ten seconds; docs/operations/failures.md has the measurements. A process that is stopped in an
 * orderly way leaves its groups, so that none of these timeouts apply.
 *
 * <p>Members are static ({@code group.instance.id}), by the classic protocol: a single node that is killed and started again is the
 * same member and gets its partitions at once. If there are others, {@link DanglingTransactionCleaner} lets their copies take over. The
 * streams protocol (KIP-1071) of Kafka 4.4 ignores warm-up tasks and {@link CopiedTaskAssignor}.
 */
public final class FailoverSettings {

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

    private FailoverSettings() {}

    /** Adds the settings of a consumer that is a member of a group. */
    public static void putMember(Map<String, Object> consumer) {
        consumer.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MS);
        consumer.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_INTERVAL_MS);
        consumer.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, POLL_INTERVAL_MAX_MS);
    }

    /** Adds the settings of a Streams application; {@link #TRANSACTION_TIMEOUT_MS} is for those that have transactions. */
    public static void putStreams(Map<Object, Object> streams) {
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), SESSION_TIMEOUT_MS);
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
                HEARTBEAT_INTERVAL_MS);
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG),
                POLL_INTERVAL_MAX_MS);
        streams.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, PROBING_INTERVAL_MS);
        streams.put(StreamsConfig.InternalConfig.INTERNAL_TASK_ASSIGNOR_CLASS, CopiedTaskAssignor.class.getName());
    }
}
