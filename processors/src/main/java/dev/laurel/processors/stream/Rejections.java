package dev.laurel.processors.stream;

import dev.laurel.schemas.topic.Rejection;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.common.metrics.stats.CumulativeCount;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Puts aside what cannot be used: to {@code laurel.rejections}, counted, logged. The partition goes on. */
final class Rejections {

    private static final Logger LOG = LoggerFactory.getLogger(Rejections.class);

    private final ProcessorContext<Object, Object> context;
    private final String outlet;
    private final Sensor count;

    Rejections(ProcessorContext<Object, Object> context, String outlet) {
        this.context = context;
        this.outlet = outlet;
        this.count = context.metrics().addSensor("laurel-rejections-" + context.taskId(), Sensor.RecordingLevel.INFO);
        count.add(new MetricName("rejections-total", "laurel", "records of the log that could not be used",
                Map.of("task-id", context.taskId().toString())), new CumulativeCount());
    }

    void reject(Record<byte[], byte[]> record, String reason) {
        var place = context.recordMetadata().orElseThrow();
        count.record();
        LOG.warn("rejected {}-{}@{}: {}", place.topic(), place.partition(), place.offset(), reason);
        long atMs = Math.max(0, record.timestamp());
        var rejection = new Rejection(place.topic(), place.partition(), place.offset(), Instant.ofEpochMilli(atMs),
                text(record.key()), text(record.value()), reason);
        context.forward(new Record<>(record.key(), rejection, atMs), outlet);
    }

    private static String text(byte[] bytes) {
        if (bytes == null) {
            return null;
        }
        return new String(bytes, 0, Math.min(bytes.length, Rejection.MAX_VALUE_LENGTH), UTF_8);
    }
}
