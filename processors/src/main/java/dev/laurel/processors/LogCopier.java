package dev.laurel.processors;

import dev.laurel.processors.replay.Unanswered;
import dev.laurel.processors.replay.WideLog;
import dev.laurel.processors.topology.WideningTopology;
import dev.laurel.schemas.metrics.MeterScope;
import dev.laurel.schemas.metrics.Metrics;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationTable;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies logs into wider ones, as long as the records of their generations say so: on every node, which share the partitions
 * among them. Exactly once, so whatever dies in the middle, each record comes once and in its place. One thread looks.
 */
final class LogCopier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LogCopier.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final LedgerConfig config;
    private final NodeId node;
    private final WideLog logs;
    private final Consumer<Throwable> onFault;
    private final GenerationTable table;
    private final Metrics metrics;
    private final Map<Integer, Copying> copying = new HashMap<>();

    /** Generations whose copier has lost its place. */
    private final Set<Integer> lost = new HashSet<>();

    /** One log into one other. */
    private record Copying(KafkaStreams streams, LeftTransactions left, MeterScope meters) {

        void close() {
            left.close();
            meters.close();
            streams.close(CloseOptions.timeout(CLOSE_TIMEOUT)
                    .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
        }
    }

    /**
     * @param table of the generations, followed
     * @param onFault told of what stopped it, on one of its threads
     */
    LogCopier(LedgerConfig config, NodeId node, GenerationTable table, Metrics metrics, Consumer<Throwable> onFault) {
        this.config = config;
        this.node = node;
        this.logs = new WideLog(config.clientProperties());
        this.table = table;
        this.metrics = metrics;
        this.onFault = onFault;
    }

    /** Begins and ends what the records say. @throws Unanswered if that is to be done later */
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
     * A log that is written to has everything before its markers: to begin anew would put all of that into it once more. That may
     * be after everything was down for so long that Kafka has forgotten the group, or where a log was restored without it.
     */
    private void copy(GenerationRecord record) throws InterruptedException {
        if (record.handover() != null && !logs.isPlaceKnown(record)) {
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
        Properties properties = config.copierProperties(node, generation);
        var streams = new KafkaStreams(
                WideningTopology.build(record.copiedFrom(), record.log(), logs.wideningOf(record)), properties);
        var left = LeftTransactions.of(properties, streams);
        streams.setUncaughtExceptionHandler(thrown -> {
            if (!table.find(record.number()).needsCopying()) {
                // Given up while this was about to begin: whoever did it has found no member, and deleted the log.
                LOG.info("the copy of {} into {} stops: that was given up", record.copiedFrom(), record.log());
            } else {
                LOG.error("the copy of {} into {} stops", record.copiedFrom(), record.log(), thrown);
                onFault.accept(thrown);
            }
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        MeterScope meters = metrics.scope();
        StreamsMeters.register(meters, StreamsMeters.tags("copier", generation), streams);
        left.start(streams);
        return new Copying(streams, left, meters);
    }

    @Override
    public void close() {
        copying.values().forEach(Copying::close);
        copying.clear();
    }
}
