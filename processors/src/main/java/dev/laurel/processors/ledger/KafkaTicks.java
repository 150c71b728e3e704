package dev.laurel.processors.ledger;

import dev.laurel.processors.stream.Appender;
import dev.laurel.processors.stream.TopicCatchUpSource;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends ticks through clients of its own, outside the transactions of the tasks: an open transaction on the log would make every
 * reader of the log wait. Thread-safe.
 */
public final class KafkaTicks implements Ticks, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaTicks.class);
    private static final byte[] TICK = CommandJson.write(new Tick());

    /** Releases a hold that nobody has, and so changes nothing. */
    private static final byte[] NOTHING = CommandJson.write(new TimersReleased("caught-up"));

    /**
     * A task under load is always some batches behind the end, and markers of transactions occupy offsets, too. This is the work of
     * a fraction of a second, and far less than a replay has ahead.
     */
    private static final long CAUGHT_UP_WITHIN = 10_000;
    private static final long FRESH_NS = Duration.ofSeconds(5).toNanos();
    private static final long REFRESH_NS = Duration.ofMillis(200).toNanos();
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Appender log;
    private final Admin admin;
    private final String topic;
    private final String group;
    private final InstantSource clock;
    private final int partitions;
    private final AtomicLong askedNs = new AtomicLong(System.nanoTime() - REFRESH_NS);
    private volatile Reach reach = new Reach(System.nanoTime() - FRESH_NS, Map.of(), Map.of());

    /** The ends of the log and the committed offsets of the group, as last received. */
    private record Reach(long heardNs, Map<TopicPartition, ListOffsetsResultInfo> ends,
            Map<TopicPartition, OffsetAndMetadata> committed) {}

    /**
     * @param generation of the tasks that read the log
     * @param clock gives the time of the ticks
     */
    public KafkaTicks(Map<String, Object> clientConfig, Generation generation, InstantSource clock) {
        this.topic = generation.log();
        this.group = generation.ledgerApplication();
        this.clock = clock;
        this.admin = Admin.create(clientConfig);
        this.log = new Appender(clientConfig, topic);
        this.partitions = log.partitions();
    }

    /** The number of partitions of the log. */
    public int partitions() {
        return partitions;
    }

    @Override
    public long nowMs() {
        return clock.millis();
    }

    @Override
    public boolean isCaughtUp(int partition, long nextOffset) {
        refresh();
        Reach known = reach;
        var place = new TopicPartition(topic, partition);
        ListOffsetsResultInfo end = known.ends().get(place);
        if (end == null || System.nanoTime() - known.heardNs() > FRESH_NS) {
            return false;
        }
        OffsetAndMetadata committed = known.committed().get(place);
        long readTo = Math.max(nextOffset, committed == null ? 0 : committed.offset());
        return end.offset() - readTo <= CAUGHT_UP_WITHIN;
    }

    /** Asks for the ends and the committed offsets unless that was done a moment ago. */
    private void refresh() {
        long nowNs = System.nanoTime();
        long lastNs = askedNs.get();
        if (nowNs - lastNs < REFRESH_NS || !askedNs.compareAndSet(lastNs, nowNs)) {
            return;
        }
        var latest = new HashMap<TopicPartition, OffsetSpec>();
        for (int partition = 0; partition < partitions; partition++) {
            latest.put(new TopicPartition(topic, partition), OffsetSpec.latest());
        }
        var ends = admin.listOffsets(latest).all().toCompletionStage();
        var committed = admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().toCompletionStage();
        ends.thenCombine(committed, (end, done) -> new Reach(nowNs, end, done)).whenComplete((heard, failure) -> {
            if (failure == null) {
                reach = heard;
            } else {
                LOG.warn("Could not determine the ends of the log; ticks wait: {}", failure.getMessage());
            }
        });
    }

    @Override
    public void send(int partition, long atMs) {
        log.append(partition, atMs, TICK).whenComplete((_, failure) -> {
            if (failure != null) {
                LOG.warn("Could not send a tick to partition {}; another one follows", partition, failure);
            }
        });
    }

    /**
     * The log as the topic with which its tasks catch up. Its marks are ticks, which change nothing where nothing is due.
     *
     * @param isCopied whether earlier records are still to be copied into the log, before which a tick must not come
     */
    public TopicCatchUpSource log(boolean isCopied) {
        byte[] mark = isCopied ? NOTHING : TICK;
        return new TopicCatchUpSource(admin, topic, group, partition -> log.append(partition, nowMs(), mark));
    }

    @Override
    public void close() {
        log.close();
        admin.close(CLOSE_TIMEOUT);
    }
}
