package dev.laurel.deploy.bench;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A running service under measurement: it turns events of one Kafka topic into state, and serves the same over HTTP.
 * All methods may be called from any thread. Event numbers never repeat within a run, so a subject may derive
 * idempotency keys from them; which user an event belongs to is {@link UniformUsers#userOf}.
 */
public interface Subject extends AutoCloseable {

    /** One word, also the subject's key in the report. */
    String name();

    /** The Kafka Streams application that reads the topic of {@link #event}. */
    String applicationId();

    /** The topic on which processing leaves its effects. */
    String effectsTopic();

    /** The event as a direct producer would write it to Kafka: it asks for no reply and happens now. */
    default ProducerRecord<byte[], byte[]> event(long event) {
        return event(event, userOf(event), System.currentTimeMillis());
    }

    /**
     * An event of any user at any time.
     *
     * @param user an id of letters, digits and dashes
     * @param atMs when it happened, late or not
     */
    ProducerRecord<byte[], byte[]> event(long event, String user, long atMs);

    /** The id of the user whose event this is by itself. */
    String userOf(long event);

    /**
     * The number of events processed since the start, however they came; it only grows. Markers and ticks that the
     * subject writes for itself do not count.
     *
     * @throws IllegalStateException when the subject has failed, with the cause
     */
    long processed();

    /** Stops processing and leaves the events in the log, until {@link #resume}. */
    void pause();

    void resume();

    InetSocketAddress httpAddress();

    /** A whole HTTP/1.1 request that reports the event; its answer, 200 or 201, comes after the event was processed. */
    byte[] eventRequest(long event);

    /** A whole HTTP/1.1 request that reads one user, answered with 200 for a user that has events. */
    byte[] readRequest(long user);

    /** The folders the subject itself writes to (state, not the broker's log). */
    List<Path> directories();

    /** Stops the subject and waits for it; idempotent. */
    @Override
    void close();
}
