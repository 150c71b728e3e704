package dev.laurel.processors;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * How soon others take over from a process that is gone without a word: the settings of that, for all groups, in one place. With a
 * copy that stands by, users are served again about ten seconds after; deploy/FAILURES.md has what was measured. One that is told
 * to stop leaves its groups, which takes none of these times.
 *
 * <p>Members are static ({@code group.instance.id}), by the classic protocol: a node that is killed and started again is the same
 * member and gets its partitions at once. The streams protocol (KIP-1071) of Kafka 4.3 has neither static members nor warm-up
 * tasks.
 */
public final class TakeOver {

    /**
     * After so long without a heartbeat a member is taken for dead. Stock brokers allow 6 s and more; what a pause of the machine
     * may last is the lower limit of what is sensible, since one that was wrongly taken for dead restores its stores from the
     * changelogs.
     */
    public static final int SESSION_TIMEOUT_MS = 8_000;

    /** Three may be lost. */
    static final int HEARTBEAT_INTERVAL_MS = 2_000;

    /** Whoever has not been heard of for so long may have been taken for dead. */
    static final Duration UNHEARD = Duration.ofMillis(SESSION_TIMEOUT_MS - HEARTBEAT_INTERVAL_MS);

    /**
     * How long a transaction may be open. A node that is alive cannot commit while its group is in a rebalance, and one that takes
     * longer than this costs all members their tasks and stores (KAFKA-19853): so this is longer than any of them should take. What a
     * dead one has left open is ended by those who take over, at once: {@link LeftTransactions}.
     */
    static final int TRANSACTION_TIMEOUT_MS = 60_000;

    /**
     * A thread that hangs has heartbeats all the same, and is found out by this; Kafka waits five minutes. Longer than anything that
     * a task waits for: half a minute for a ruleset, one and a half where
     * one generation takes over from another.
     */
    static final int POLL_INTERVAL_MAX_MS = 120_000;

    /**
     * A new node first gets copies, and what it has caught up with at the next look: Kafka looks every ten minutes, and not more
     * often than this. It is done only while copies are on their way.
     */
    static final int PROBING_INTERVAL_MS = 60_000;

    private TakeOver() {}

    /** Adds the settings of a consumer that is a member of a group. */
    public static void putMember(Map<String, Object> consumer) {
        consumer.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MS);
        consumer.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_INTERVAL_MS);
        consumer.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, POLL_INTERVAL_MAX_MS);
    }

    /** Adds those of a Streams application; {@link #TRANSACTION_TIMEOUT_MS} is for those that have transactions. */
    static void putStreams(Map<Object, Object> streams) {
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), SESSION_TIMEOUT_MS);
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
                HEARTBEAT_INTERVAL_MS);
        streams.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG),
                POLL_INTERVAL_MAX_MS);
        streams.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, PROBING_INTERVAL_MS);
    }
}
