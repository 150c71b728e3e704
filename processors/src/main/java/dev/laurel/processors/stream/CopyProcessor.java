package dev.laurel.processors.stream;

import dev.laurel.schemas.topic.PlaceHeader;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/** Copies one partition of a log into a wider one: each record as it is, with where it stood first. One task, one thread. */
public final class CopyProcessor implements Processor<byte[], byte[], byte[], CopyProcessor.Copy> {

    /** A record's value, and the partitions that it is copied into. @param value null where the record has none */
    public record Copy(byte[] value, Set<Integer> to) {}

    private final Widening widening;
    private final FirstPlaces places = new FirstPlaces();
    private ProcessorContext<byte[], Copy> context;

    public CopyProcessor(Widening widening) {
        this.widening = widening;
    }

    @Override
    public void init(ProcessorContext<byte[], Copy> processorContext) {
        context = processorContext;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata place = context.recordMetadata().orElseThrow();
        PlaceHeader.write(record.headers(), places.of(place, record.headers()));
        context.forward(record.withValue(
                new Copy(record.value(), widening.placesOf(place.partition(), record.key(), record.value()))));
    }
}
