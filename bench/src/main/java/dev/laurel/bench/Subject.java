package dev.laurel.bench;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.streams.KafkaStreams;

/**
 * A running service to be measured. It folds the events of one Kafka topic into state and serves it over HTTP. All
 * methods may be called from any thread. Event numbers are unique within a run, so a subject may derive idempotency
 * keys from them; {@link UniformUsers#userOf} assigns events to users.
 */
interface Subject extends AutoCloseable {

    /** Returns one word, also the subject's key in the report. */
    String name();

    /** Returns the id of the Kafka Streams application that reads the topic of {@link #event}. */
    String applicationId();

    /** Returns the topic for effects. */
    String effectsTopic();

    /** Returns an event as a direct producer writes it: without a reply, at the present time. */
    default ProducerRecord<byte[], byte[]> event(long event) {
        return event(event, userOf(event), System.currentTimeMillis());
    }

    /**
     * Returns an event of any user at any time.
     *
     * @param user id of letters, digits and dashes
     * @param atMs time of the event
     */
    ProducerRecord<byte[], byte[]> event(long event, String user, long atMs);

    /** Returns the user to whom the event is assigned. */
    String userOf(long event);

    /**
     * Returns the number of processed events since the start, without the subject's own markers and ticks; never
     * decreases.
     *
     * @throws IllegalStateException if the subject has failed
     */
    long processed();

    /** Returns the application, to be paused while events are written. */
    KafkaStreams streams();

    InetSocketAddress httpAddress();

    /**
     * Returns a whole HTTP/1.1 request that reports the event. The response, 200 or 201, is sent after the event was
     * processed.
     */
    byte[] eventRequest(long event);

    /** Returns a whole HTTP/1.1 request that reads a user with events; the response is 200. */
    byte[] readRequest(long user);

    /** Returns the folders that the subject writes to, without the broker's log. */
    List<Path> directories();

    /** Stops the subject and waits for it; idempotent. */
    @Override
    void close();

    /** Starts a subject and waits until it is ready. */
    @FunctionalInterface
    interface Factory {
        Subject start(Environment environment);
    }

    /**
     * Settings shared by all subjects of a run.
     *
     * @param directory folder in which a subject may create its own folder
     * @param streamsSettings Kafka Streams properties of every subject: guarantee, commit interval, linger, caches,
     * threads
     */
    record Environment(String bootstrapServers, Path directory, int partitions, UniformUsers users,
            Map<String, Object> streamsSettings) {

        public Environment {
            streamsSettings = Map.copyOf(streamsSettings);
        }
    }

    /**
     * A subject with leaderboards. It has two metrics that differ only in being ranked; the difference between their
     * events is the cost of leaderboards.
     */
    interface Ranking extends Subject {

        /**
         * Activates leaderboards; before, there are none.
         *
         * @param leaderboards 1 for an all-time leaderboard; 2 for an additional weekly one
         */
        void rank(int leaderboards);

        /**
         * Returns an event at the present time.
         *
         * @param ranked whether it changes the user's value on the leaderboards
         */
        ProducerRecord<byte[], byte[]> plainEvent(String user, boolean ranked);

        /** Returns a whole HTTP/1.1 request that reports such an event; the response to a ranked one contains ranks. */
        byte[] plainEventRequest(String user, boolean ranked);

        /** Returns a whole HTTP/1.1 request for a user's rank on the all-time leaderboard. */
        byte[] rankRequest(String user);
    }
}
