package dev.laurel.processors.stream;

import dev.laurel.schemas.key.LogPlace;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.PlaceHeader;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** Finds the positions at which records were first written, before their log was copied into a wider one. One task, one thread. */
public final class OriginTracker {

    private String topic = "";
    private int log;

    public LogPlace of(RecordMetadata place, Headers headers) {
        if (!place.topic().equals(topic)) {
            topic = place.topic();
            log = Generation.numberOf(topic);
        }
        // The first log is not a copy, so that a header there is not Laurel's.
        LogPlace first = log == LogPlace.FIRST_LOG ? null : PlaceHeader.read(headers);
        return first == null ? new LogPlace(log, place.partition(), place.offset()) : first;
    }
}
