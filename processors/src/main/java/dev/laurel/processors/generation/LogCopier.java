package dev.laurel.processors.generation;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.processors.runtime.DanglingTransactionCleaner;
import dev.laurel.processors.runtime.NodeContext;
import dev.laurel.processors.runtime.StreamsApplication;
import dev.laurel.processors.runtime.StreamsMeters;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies logs into wider ones, as long as the records of their generations require it. All nodes run it and share the partitions. Each
 * record is copied exactly once and in order, also after failures. One thread.
 */
final class LogCopier implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LogCopier.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final NodeContext node;
    private final RepartitionedLog logs;
    private final GenerationTable table;
    private final Map<Integer, Copying> copying = new HashMap<>();

    /** Generations whose copier has lost its committed offsets. */
    private final Set<Integer> lost = new HashSet<>();

    /** The copying of one log. */
    private record Copying(KafkaStreams streams, DanglingTransactionCleaner cleaner, MeterScope meters) {

        void close() {
            cleaner.close();
            meters.close();
            StreamsApplication.leave(streams, CLOSE_TIMEOUT);
        }
    }

    /** @param table of the generations, followed by the caller */
    LogCopier(NodeContext node, GenerationTable table) {
        this.node = node;
        this.logs = new RepartitionedLog(node.config().clientProperties());
        this.table = table;
    }

    /** Starts and stops copying as the records require. @throws KafkaUnavailableException if the call must be repeated later */
    void follow(Map<Integer, GenerationRecord> known) throws InterruptedException {
        for (GenerationRecord record : known.values()) {
            if (record.needsCopying() && !copying.containsKey(record.number()) && !lost.contains(record.number())) {
                copy(record);
            }
            Copying ended = record.needsCopying() ? null : copying.remove(record.number());
            if (ended != null) {
                LOG.info("Stopped copying into {}", record.log());
                ended.close();
            }
        }
    }

    /**
     * Starts copying. Refuses to start from the beginning if the log is already in use, since everything before its markers would be
     * copied again. Offsets are lost if all nodes are down for so long that Kafka deletes the group, or if a log is restored without it.
     */
    private void copy(GenerationRecord record) throws InterruptedException {
        if (record.handover() != null && !logs.isPositionKnown(record)) {
            lost.add(record.number());
            LOG.error(
                    "Stopped copying from {} into {}: Kafka has lost the committed offsets; "
                            + "'laurel replay --end-copying' ends it",
                    record.copySource(),
                    record.log());
            return;
        }
        copying.put(record.number(), start(record));
    }

    private Copying start(GenerationRecord record) throws InterruptedException {
        Generation generation = record.generation();
        LOG.info("Copying {} into {}", record.copySource(), record.log());
        Properties properties = node.config().copierProperties(node.node(), generation);
        var streams = new KafkaStreams(logs.wideningOf(record).topology(record.copySource(), record.log()), properties);
        var cleaner = DanglingTransactionCleaner.of(properties, streams);
        streams.setUncaughtExceptionHandler(thrown -> {
            if (!table.get(record.number()).needsCopying()) {
                // The generation was abandoned, and its log deleted, before the copier became a member of its group.
                LOG.info("Stopped copying {} into {}: the generation was abandoned", record.copySource(), record.log());
            } else {
                LOG.error("Stopped copying {} into {} after a fault", record.copySource(), record.log(), thrown);
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
