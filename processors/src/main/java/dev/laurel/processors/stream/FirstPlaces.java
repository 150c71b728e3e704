package dev.laurel.processors.stream;

import dev.laurel.schemas.command.LogPlace;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.PlaceHeader;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** Tells where records stood first, before their log was copied into a wider one. One task, one thread. */
final class FirstPlaces {

    private String topic = "";
    private int log;

    LogPlace of(RecordMetadata place, Headers headers) {
        if (!place.topic().equals(topic)) {
            topic = place.topic();
            log = Generation.numberOf(topic);
        }
        // The first log is no copy of anything: such a header is a stranger's there.
        LogPlace first = log == LogPlace.FIRST_LOG ? null : PlaceHeader.read(headers);
        return first == null ? new LogPlace(log, place.partition(), place.offset()) : first;
    }
}
