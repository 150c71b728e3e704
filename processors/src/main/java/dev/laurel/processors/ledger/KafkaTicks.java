package dev.laurel.processors.ledger;

import dev.laurel.processors.stream.StartupCatchUp.TopicCatchUpSource;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
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
public final class KafkaTicks extends TopicCatchUpSource implements Ticks {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaTicks.class);
    private static final byte[] TICK = CommandJson.write(new Tick());

    /** Changes nothing, since it releases a hold that does not exist. */
    private static final byte[] NO_CHANGE = CommandJson.write(new TimersReleased("caught-up"));

    /**
     * A task under load is always some batches behind the end, and markers of transactions occupy offsets, too. So many records take a
     * fraction of a second, and a replay has far more ahead.
     */
    private static final long CAUGHT_UP_WITHIN = 10_000;

    private static final long FRESH_NS = Duration.ofSeconds(5).toNanos();
    private static final long REFRESH_NS = Duration.ofMillis(200).toNanos();

    private final String topic;
    private final String group;
    private final InstantSource clock;
    private final int partitions;
    private final AtomicLong lastRequestNs = new AtomicLong(System.nanoTime() - REFRESH_NS);
    private volatile Answer answer = new Answer(System.nanoTime() - FRESH_NS, Map.of(), Map.of());

    /** The ends of the log and the committed offsets of the group, as last received. @param requestedNs time of the request */
    private record Answer(
            long requestedNs,
            Map<TopicPartition, ListOffsetsResultInfo> ends,
            Map<TopicPartition, OffsetAndMetadata> committed) {}

    /**
     * @param generation of the tasks that read the log
     * @param isCopied whether earlier records are still being copied into the log: no tick may precede them. Otherwise the tasks catch up
     *        with ticks, which change nothing if nothing is due
     * @param clock gives the time of the ticks
     */
    public KafkaTicks(Map<String, Object> clientConfig, Generation generation, boolean isCopied, InstantSource clock) {
        super(
                clientConfig,
                generation.log(),
                generation.ledgerApplication(),
                isCopied ? NO_CHANGE : TICK,
                clock::millis);
        this.topic = generation.log();
        this.group = generation.ledgerApplication();
        this.clock = clock;
        this.partitions = partitions();
    }

    @Override
    public long nowMs() {
        return clock.millis();
    }

    @Override
    public boolean isCaughtUp(int partition, long nextOffset) {
        refresh();
        Answer known = answer;
        var topicPartition = new TopicPartition(topic, partition);
        ListOffsetsResultInfo end = known.ends().get(topicPartition);
        if (end == null || System.nanoTime() - known.requestedNs() > FRESH_NS) {
            return false;
        }
        return end.offset() - readTo(known, topicPartition, nextOffset) <= CAUGHT_UP_WITHIN;
    }

    /** The committed offset may be higher, since it is behind markers of transactions, which are not read. */
    private static long readTo(Answer known, TopicPartition partition, long nextOffset) {
        OffsetAndMetadata committed = known.committed().get(partition);
        return Math.max(nextOffset, committed == null ? 0 : committed.offset());
    }

    /** Requests the ends and the committed offsets, unless that was done a moment ago. */
    private void refresh() {
        long nowNs = System.nanoTime();
        long lastNs = lastRequestNs.get();
        if (nowNs - lastNs < REFRESH_NS || !lastRequestNs.compareAndSet(lastNs, nowNs)) {
            return;
        }
        var latest = new HashMap<TopicPartition, OffsetSpec>();
        for (int partition = 0; partition < partitions; partition++) {
            latest.put(new TopicPartition(topic, partition), OffsetSpec.latest());
        }
        var ends = admin().listOffsets(latest).all().toCompletionStage();
        var committed = admin().listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .toCompletionStage();
        ends.thenCombine(committed, (end, done) -> new Answer(nowNs, end, done)).whenComplete((received, failure) -> {
            if (failure == null) {
                answer = received;
            } else {
                LOG.warn("Could not determine the ends of the log; ticks wait: {}", failure.getMessage());
            }
        });
    }

    @Override
    public void send(int partition, LogCommand marker, long atMs) {
        appender().append(partition, atMs, CommandJson.write(marker)).whenComplete((_, failure) -> {
            if (failure != null) {
                LOG.warn("Could not send {} to partition {}; it is tried again", marker, partition, failure);
            }
        });
    }
}
