package dev.laurel.processors.generation;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.processors.runtime.DanglingTransactionCleaner;
import dev.laurel.processors.runtime.NodeContext;
import dev.laurel.processors.runtime.StreamsMeters;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies logs into wider ones, as long as the records of their generations say so. All nodes run it and share the partitions. Copying
 * is exactly once: whatever fails, each record is copied once and in order. One thread.
 */
final class LogCopier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LogCopier.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final NodeContext node;
    private final WideLog logs;
    private final GenerationTable table;
    private final Map<Integer, Copying> copying = new HashMap<>();

    /** NodeGenerations whose copier has lost its place. */
    private final Set<Integer> lost = new HashSet<>();

    /** The copying of one log. */
    private record Copying(KafkaStreams streams, DanglingTransactionCleaner cleaner, MeterScope meters) {

        void close() {
            cleaner.close();
            meters.close();
            streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        }
    }

    /** @param table of the generations, followed */
    LogCopier(NodeContext node, GenerationTable table) {
        this.node = node;
        this.logs = new WideLog(node.config().clientProperties());
        this.table = table;
    }

    /** Starts and stops copying as the records say. @throws KafkaUnavailableException if the call must be repeated later */
    void follow(Map<Integer, GenerationRecord> known) throws InterruptedException {
        for (GenerationRecord record : known.values()) {
            if (record.needsCopying() && !copying.containsKey(record.number()) && !lost.contains(record.number())) {
                copy(record);
            } else if (!record.needsCopying() && copying.containsKey(record.number())) {
                LOG.info("nothing is copied into {} any more", record.log());
                copying.remove(record.number()).close();
            }
        }
    }

    /**
     * Refuses to start from the beginning where the log is already in use, since everything before its markers would be copied once
     * more. Offsets are lost when everything is down for so long that Kafka deletes the group, or when a log is restored without it.
     */
    private void copy(GenerationRecord record) throws InterruptedException {
        if (record.handover() != null && !logs.isPositionKnown(record)) {
            lost.add(record.number());
            LOG.error("nothing is copied from {} into {} any more: Kafka does not know how far that has come; "
                    + "'laurel replay --end-copying' ends it", record.copiedFrom(), record.log());
            return;
        }
        copying.put(record.number(), start(record));
    }

    private Copying start(GenerationRecord record) throws InterruptedException {
        Generation generation = record.generation();
        LOG.info("{} is copied into {}", record.copiedFrom(), record.log());
        Properties properties = node.config().copierProperties(node.node(), generation);
        var streams = new KafkaStreams(
                WideningTopology.build(record.copiedFrom(), record.log(), logs.wideningOf(record)), properties);
        var cleaner = DanglingTransactionCleaner.of(properties, streams);
        streams.setUncaughtExceptionHandler(thrown -> {
            if (!table.find(record.number()).needsCopying()) {
                // The generation was given up, and its log deleted, before the copier became a member of its group.
                LOG.info("the copy of {} into {} stops: that was given up", record.copiedFrom(), record.log());
            } else {
                LOG.error("the copy of {} into {} stops", record.copiedFrom(), record.log(), thrown);
                node.onFault().accept(thrown);
            }
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        MeterScope meters = node.metrics().scope();
        StreamsMeters.register(meters, StreamsMeters.tags("copier", generation), streams);
        cleaner.start(streams);
        return new Copying(streams, cleaner, meters);
    }

    @Override
    public void close() {
        copying.values().forEach(Copying::close);
        copying.clear();
    }
}
