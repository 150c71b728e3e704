package dev.laurel.query.analytics;

import static dev.laurel.platform.kafka.KafkaClients.POLL;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.kafka.Follower;
import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.platform.kafka.RangeReader;
import dev.laurel.query.analytics.EffectFeed.Filter;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The newest effects of all tenants, which one consumer reads for all feeds of the process, as long as there is one. Of what it has
 * read it keeps the last so many effects and bytes; a feed that needs more reads the topic itself. Thread-safe.
 */
public final class EffectSource {

    private static final int MAX_EFFECTS = 16 * 1024;
    private static final long MAX_BYTES = 16L * 1024 * 1024;

    /** Few large batches: the source, and each feed, wakes up a few times a second, however many effects there are. */
    private static final Map<String, Object> BATCHES =
            Map.of(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1024 * 1024, ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 200);

    private static final int MAX_POLL_RECORDS = 10_000;
    private static final Duration CONFIRM_EVERY = Duration.ofMinutes(1);
    private static final long START_TIMEOUT_NS = Duration.ofSeconds(10).toNanos();
    private static final JsonFactory JSON = new JsonFactory();

    /**
     * An effect as published.
     *
     * @param subject key of a user, of a leaderboard or of a tenant
     * @param json the effect in one line
     * @param user null: it is about no user
     */
    record PublishedEffect(
            String subject,
            byte[] json,
            String type,
            @Nullable String user) {

        /** Reads only the two fields that filters need; these are the first ones, so that most of the text is not looked at. */
        static PublishedEffect of(ConsumerRecord<byte[], byte[]> record) {
            String type = "";
            String user = null;
            try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), record.value())) {
                parser.nextToken();
                while ((type.isEmpty() || user == null) && parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = parser.currentName();
                    JsonToken value = parser.nextToken();
                    if (value == JsonToken.VALUE_STRING && name.equals("type")) {
                        type = parser.getString();
                    } else if (value == JsonToken.VALUE_STRING && name.equals("user")) {
                        user = parser.getString();
                    } else {
                        parser.skipChildren();
                    }
                }
            } catch (JacksonException e) {
                throw new IllegalStateException("an effect is no JSON", e);
            }
            return new PublishedEffect(new String(record.key(), UTF_8), record.value(), type, user);
        }
    }

    /**
     * What matches of some effects in order.
     *
     * @param matching as JSON in one line each
     * @param next number of the effect after them
     * @param positions offset of each partition after them
     */
    record Batch(List<byte[]> matching, long next, long[] positions) {}

    /** A batch that other feeds with the same filter take, too. @param from number of its first effect */
    private record SharedBatch(long from, Batch batch) {}

    private final Map<String, Object> clientProperties;
    private int feeds;
    private @Nullable Run run;

    /** Number of the first effect of the next run: those of different runs differ. */
    private long nextNumber;

    /** @param clientProperties settings of the Kafka clients */
    public EffectSource(Map<String, Object> clientProperties) {
        this.clientProperties = clientProperties;
    }

    /** A reader for one thread, which continues after records that are deleted already. */
    RangeReader newReader() {
        return new RangeReader(clientProperties, Map.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"));
    }

    /** Adds a feed. Reading begins with the first one; each must be taken away by {@link #leave}. */
    synchronized void enter() {
        feeds++;
        if (run == null) {
            run = begin();
        }
    }

    synchronized void leave() {
        feeds--;
        Run current = run;
        if (feeds == 0 && current != null) {
            current.follower.stop();
            end(current);
        }
    }

    /**
     * Where the source is now.
     *
     * @throws IllegalStateException if the topic cannot be read
     */
    synchronized Batch now() {
        Run current = current();
        return new Batch(List.of(), current.next(), current.reached());
    }

    /**
     * Waits for effects from this number on.
     *
     * @return empty if there are none in time; null if the source has not kept them
     * @throws IllegalStateException if the topic cannot be read
     */
    synchronized @Nullable Batch from(long number, Filter filter, Duration timeout) {
        Run current = current();
        if (current.next() == number) {
            awaitChange(System.nanoTime() + timeout.toNanos());
            current = current();
        }
        return number < current.first || number > current.next() ? null : current.batch(number, filter);
    }

    /** Waits until anything changes. @return false: the time is over */
    private boolean awaitChange(long deadlineNs) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
        if (leftMs <= 0) {
            return false;
        }
        try {
            wait(leftMs);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for effects", e);
        }
    }

    /** Ends all waits. */
    synchronized void wake() {
        notifyAll();
    }

    private void end(Run ended) {
        if (run == ended) {
            nextNumber = ended.next() + 1;
            run = null;
        }
    }

    /** The run, once it knows where it is. A run that has failed is replaced at the next call. */
    private Run current() {
        Run current = run;
        if (current == null) {
            current = begin();
            run = current;
        }
        long deadlineNs = System.nanoTime() + START_TIMEOUT_NS;
        boolean isInTime = true;
        while (current.positions == null && current.failure == null && isInTime) {
            isInTime = awaitChange(deadlineNs);
        }
        if (current.failure != null || current.positions == null) {
            current.follower.stop();
            end(current);
            throw new IllegalStateException("cannot read the effects", current.failure);
        }
        return current;
    }

    private Run begin() {
        var begun = new Run(nextNumber);
        begun.follower.start();
        return begun;
    }

    /** A follower from the end of the topic, and what it has read. Fields are guarded by the source. */
    private final class Run implements Follower.Sink {

        private final Deque<PublishedEffect> kept = new ArrayDeque<>();
        private final Follower follower = new Follower(
                "live effects",
                new Follower.Reading(
                        List.of(Topics.EFFECTS.name()), 0, true, POLL, MAX_POLL_RECORDS, CONFIRM_EVERY, BATCHES),
                clientProperties,
                this,
                this::fail);

        /** Read and not shown yet; of the follower's thread. */
        private final List<PublishedEffect> fresh = new ArrayList<>();

        /** Since the last effects: most feeds have the same filter and wait for the same effects. */
        private final Map<Filter, SharedBatch> shared = new HashMap<>();

        private long first;
        private long bytes;
        private long @Nullable [] positions;
        private @Nullable Throwable failure;

        Run(long start) {
            first = start;
        }

        @Override
        public @Nullable Position position() {
            return null;
        }

        /** Feeds would not notice what is left out, so they begin with another run. */
        @Override
        public void begin(@Nullable String problem) {
            if (positions != null) {
                throw new IllegalStateException(problem);
            }
        }

        @Override
        public void put(ConsumerRecord<byte[], byte[]> record) {
            fresh.add(PublishedEffect.of(record));
        }

        @Override
        public void write(Position position) {
            if (positions == null || !fresh.isEmpty()) {
                long[] reached = new long[position.places().size()];
                position.places().forEach((partition, place) -> reached[partition.partition()] = place.next());
                add(fresh, reached);
                fresh.clear();
            }
        }

        private void add(List<PublishedEffect> effects, long[] reached) {
            synchronized (EffectSource.this) {
                for (PublishedEffect effect : effects) {
                    while (kept.size() == MAX_EFFECTS || !kept.isEmpty() && bytes + effect.json().length > MAX_BYTES) {
                        bytes -= kept.remove().json().length;
                        first++;
                    }
                    kept.add(effect);
                    bytes += effect.json().length;
                }
                positions = reached;
                shared.clear();
                EffectSource.this.notifyAll();
            }
        }

        private void fail(Throwable e) {
            synchronized (EffectSource.this) {
                failure = e;
                EffectSource.this.notifyAll();
            }
        }

        /** Number of the next effect. */
        long next() {
            return first + kept.size();
        }

        long[] reached() {
            return Objects.requireNonNull(positions, "known when a run is used");
        }

        /** What matches from this number on. */
        Batch batch(long number, Filter filter) {
            SharedBatch known = shared.get(filter);
            if (known != null && known.from() == number) {
                return known.batch();
            }
            List<byte[]> matching = kept.stream()
                    .skip(number - first)
                    .filter(filter::matches)
                    .map(PublishedEffect::json)
                    .toList();
            var batch = new Batch(matching, next(), reached());
            shared.put(filter, new SharedBatch(number, batch));
            return batch;
        }
    }
}
