package dev.laurel.processors.topology;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * A command's time is its record's timestamp. A record without one passes with time 0 and is rejected by the processor with
 * its place in the log; Kafka's own extractors would stop the task or drop the record unseen.
 */
final class LogTime implements TimestampExtractor {

    @Override
    public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
        return Math.max(0, record.timestamp());
    }
}
