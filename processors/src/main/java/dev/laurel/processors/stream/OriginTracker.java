package dev.laurel.processors.stream;

import dev.laurel.schemas.key.LogPosition;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.PositionHeader;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** Finds the positions at which records were first written, before their log was copied into a wider one. One task, one thread. */
public final class OriginTracker {

    private String topic = "";
    private int log;

    public LogPosition of(RecordMetadata place, Headers headers) {
        if (!place.topic().equals(topic)) {
            topic = place.topic();
            log = Generation.numberOf(topic);
        }
        // The first log is not a copy, so that a header there is not Laurel's.
        LogPosition first = log == LogPosition.FIRST_LOG ? null : PositionHeader.read(headers);
        return first == null ? new LogPosition(log, place.partition(), place.offset()) : first;
    }
}
