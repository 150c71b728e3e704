package dev.laurel.platform.kafka;

import dev.laurel.platform.command.CommandFailed;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the committed records of topics into a {@link Sink}, which keeps what they say together with the {@link Position} up to which they
 * were read.
 *
 * <p><b>Continuation.</b> The follower continues where the sink is, or begins anew: {@link Position#problem} is the only place that decides
 * which. It is asked at the start, at an offset that Kafka no longer has, and about once a {@code confirmEvery}, when the follower also
 * looks whether a topic was deleted and created again. While records come after a gap in which a deletion may have been missed, none of
 * them is put before the follower has begun anew.
 *
 * <p><b>Threads.</b> All methods of the sink are called by one thread: that of {@link #run}, or the follower's own after {@link #start}.
 * Other threads use the other methods of this class, all of which are thread-safe.
 *
 * <p><b>Failures.</b> If a topic does not exist yet, or brokers do not answer, the follower waits with pauses of up to 2 seconds, and says
 * so in the log. While it reads, its consumer connects again by itself, and {@link #lag} and {@link Position#confirmedMs} show the
 * delay. Every other failure, each of the sink's among them, ends the follower, and is reported, since one that stops silently would have
 * its sink serve outdated values.
 *
 * <p><b>Limits.</b> What is put between two writes is what one poll returns: at most {@code maxRecords}, of at most
 * {@value #MAX_FETCH_BYTES} bytes unless a single record is larger. Nothing is queued here. {@link #close} waits 5 seconds at most.
 */
public final class Follower implements AutoCloseable {

    /**
     * How long a follower may go without reading. A tombstone stays in a topic for at least a day (delete.retention.ms) after compaction
     * has met it, so a follower that continues within this time sees every deletion.
     */
    static final Duration MAX_GAP = Duration.ofHours(12);

    private static final Logger LOG = LoggerFactory.getLogger(Follower.class);
    private static final int MAX_FETCH_BYTES = 16 * 1024 * 1024;

    /** Pauses between attempts to begin. Kafka Streams creates changelogs when an application starts for the first time. */
    private static final long FIRST_PAUSE_MS = 200;

    private static final long LAST_PAUSE_MS = 2_000;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /** Keeps what records say, and up to where they were read. */
    public interface Sink {

        /** Up to where the topics were read into this sink; null: it has nothing, or nothing that can be continued. */
        @Nullable
        Position position();

        /**
         * Called before the first record, and again whenever the follower has to begin anew.
         *
         * @param problem why the sink must empty itself, since all records come again; null: it goes on with what it has. A sink whose
         *        readers would take its emptiness for the truth may throw, which ends the follower
         */
        void begin(@Nullable String problem);

        /** @param record in the order of its partition */
        void put(ConsumerRecord<byte[], byte[]> record);

        /**
         * Called after each poll, without any record too. Whenever the sink keeps what was put, it must keep in the same write the position
         * that came with the last of it.
         */
        void write(Position position);

        /** The sink has what was in the topics when the follower began. */
        default void caughtUp() {}
    }

    /**
     * Where a sink is.
     *
     * @param format of what the sink keeps; another one cannot be continued
     * @param confirmedMs the last time at which everything was known to be read that was in the topics then; before the first such time,
     *        when the read from the beginning began
     */
    public record Position(int format, long confirmedMs, Map<TopicPartition, Place> places) {

        /** A place in a partition. @param topic the id of its topic, which another topic of that name does not have */
        public record Place(Uuid topic, long next) {}

        /** Before anything is read. */
        public static final Position NOTHING = new Position(0, 0, Map.of());

        public Position {
            places = Map.copyOf(places);
        }

        /**
         * Why a sink cannot be continued from here; null if it can.
         *
         * @param beginning the position at the beginning of the topics that are there now
         * @param ends of these topics
         */
        @Nullable
        String problem(Position beginning, Map<TopicPartition, Long> ends, long nowMs) {
            if (format != beginning.format) {
                return "it has the format of another version";
            }
            if (!places.keySet().equals(beginning.places.keySet())) {
                return "it is of other topics or partitions";
            }
            boolean isBehind = false;
            for (var entry : places.entrySet()) {
                TopicPartition partition = entry.getKey();
                Place place = entry.getValue();
                Place first = Objects.requireNonNull(beginning.places.get(partition));
                long end = ends.getOrDefault(partition, 0L);
                if (!place.topic.equals(first.topic)) {
                    return partition + " is of another topic of this name";
                }
                if (place.next > end) {
                    return partition + " ends at offset " + end + ", before offset " + place.next;
                }
                if (place.next < first.next) {
                    return partition + " begins at offset " + first.next + ", after offset " + place.next;
                }
                isBehind |= place.next < end;
            }
            // Without a record since then, there is no deletion either.
            return isBehind && isTooLong(confirmedMs, nowMs) ? lostDeletions() : null;
        }

        private static boolean isTooLong(long sinceMs, long nowMs) {
            return Math.abs(nowMs - sinceMs) > MAX_GAP.toMillis();
        }

        private String lostDeletions() {
            return "there may no longer be all deletions since " + Instant.ofEpochMilli(confirmedMs);
        }

        /**
         * The entries in which a RocksDB keeps a position in one topic: one of each partition, if it differs, and one with the rest. Their
         * keys begin with a byte 0.
         *
         * @param before the position that the database has
         */
        public Map<byte[], byte[]> entries(Position before) {
            var entries = new HashMap<byte[], byte[]>();
            entries.put(
                    new byte[1],
                    ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
                            .putInt(format)
                            .putLong(confirmedMs)
                            .array());
            places.forEach((partition, place) -> {
                if (!place.equals(before.places.get(partition))) {
                    entries.put(
                            key(partition.partition()),
                            ByteBuffer.allocate(3 * Long.BYTES)
                                    .putLong(place.topic.getMostSignificantBits())
                                    .putLong(place.topic.getLeastSignificantBits())
                                    .putLong(place.next)
                                    .array());
                }
            });
            return entries;
        }

        private static byte[] key(int partition) {
            return ByteBuffer.allocate(1 + Integer.BYTES)
                    .put((byte) 0)
                    .putInt(partition)
                    .array();
        }

        /** Reads the entries of a position; null if there is none. */
        public static @Nullable Position read(String topic, Function<byte[], byte @Nullable []> entries) {
            byte[] rest = entries.apply(new byte[1]);
            if (rest == null || rest.length != Integer.BYTES + Long.BYTES) {
                return null;
            }
            var places = new HashMap<TopicPartition, Place>();
            byte[] place;
            while ((place = entries.apply(key(places.size()))) != null) {
                ByteBuffer in = ByteBuffer.wrap(place);
                places.put(
                        new TopicPartition(topic, places.size()),
                        new Place(new Uuid(in.getLong(), in.getLong()), in.getLong()));
            }
            ByteBuffer in = ByteBuffer.wrap(rest);
            return new Position(in.getInt(), in.getLong(), places);
        }
    }

    /**
     * What is read, and how.
     *
     * @param format of the sink, see {@link Position#format}
     * @param isFromEnd whether a read that cannot be continued begins at the end of the topics
     * @param poll the longest time between two writes
     * @param maxRecords of a poll
     * @param confirmEvery how often it is determined whether the sink has everything, and whether the topics are the same
     * @param consumer further settings of the consumer
     */
    public record Reading(
            List<String> topics,
            int format,
            boolean isFromEnd,
            Duration poll,
            int maxRecords,
            Duration confirmEvery,
            Map<String, ?> consumer) {

        /** A read from the beginning that writes at once what it reads. A record ends the wait of a fetch. */
        public static Reading of(List<String> topics, int format, int maxRecords) {
            return new Reading(
                    topics,
                    format,
                    false,
                    Duration.ofSeconds(1),
                    maxRecords,
                    Duration.ofMinutes(1),
                    Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 2_000));
        }
    }

    /** What Kafka says about the topics. @param askedMs a time before which the rest was not asked for */
    private record Answer(long askedMs, Map<String, TopicDescription> topics, Map<TopicPartition, Long> ends) {

        Uuid topicId(TopicPartition partition) {
            return Objects.requireNonNull(topics.get(partition.topic()), "it was asked for")
                    .topicId();
        }
    }

    /** What waits until some offsets have been read. */
    private record Barrier(Map<TopicPartition, Long> ends, List<CompletableFuture<Void>> waiting) {}

    private final String name;
    private final Reading reading;
    private final Sink sink;
    private final Consumer<Throwable> onFault;
    private final InstantSource clock;
    private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
    private final Admin admin;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch settled = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean isBegun = new AtomicBoolean();
    private volatile boolean isCaughtUp;
    private volatile boolean hasEnded;
    private volatile long lag;
    private volatile long read;
    private volatile @Nullable Throwable fault;

    /** Why the follower has not begun yet; null: it has, or has not tried. */
    private volatile @Nullable String obstacle;

    /** Barriers that the thread has not seen yet. One wakeup of the poll suffices for all of them. */
    private final Queue<CompletableFuture<Void>> newBarriers = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean isWoken = new AtomicBoolean();

    // The rest is used by the thread that reads.
    private final List<Barrier> barriers = new ArrayList<>();
    private final Map<TopicPartition, Position.Place> places = new HashMap<>();
    private Position position = Position.NOTHING;

    /** The newest answer that has come, whose ends the sink is to reach, and the one that was asked for last. */
    private Answer target = new Answer(0, Map.of(), Map.of());

    private @Nullable CompletableFuture<Answer> asked;
    private long askedNs;
    private long begunMs;

    /**
     * @param name of what is read, for people and for the thread
     * @param clientConfig settings of the Kafka clients
     * @param onFault receives the failure that ended the follower's own thread, on that thread
     */
    public Follower(String name, Reading reading, Map<String, ?> clientConfig, Sink sink, Consumer<Throwable> onFault) {
        this(
                name,
                reading,
                consumer(clientConfig, reading),
                KafkaClients.admin(new HashMap<>(clientConfig)),
                InstantSource.system(),
                sink,
                onFault);
    }

    /** @param clock gives the time of day */
    Follower(
            String name,
            Reading reading,
            org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
            Admin admin,
            InstantSource clock,
            Sink sink,
            Consumer<Throwable> onFault) {
        this.name = name;
        this.reading = reading;
        this.consumer = consumer;
        this.admin = admin;
        this.clock = clock;
        this.sink = sink;
        this.onFault = onFault;
        this.thread = Thread.ofPlatform().name("follower-" + name).daemon().unstarted(this::follow);
    }

    private static KafkaConsumer<byte[], byte[]> consumer(Map<String, ?> clientConfig, Reading reading) {
        var own = new HashMap<String, Object>(reading.consumer);
        own.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, reading.maxRecords);
        own.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, MAX_FETCH_BYTES);
        return KafkaClients.consumer(clientConfig, own);
    }

    /** Reads on a thread of its own; returns at once. */
    public void start() {
        thread.start();
    }

    private void follow() {
        try {
            run();
        } catch (RuntimeException | Error e) {
            LOG.error("Stopped following {} after a failure", name, e);
            onFault.accept(e);
        }
    }

    /** Reads until the follower is stopped, once. Throws the failure that ends it. */
    public void run() {
        if (isBegun.getAndSet(true)) {
            return; // closed before it began
        }
        try {
            boolean isGoing = begin(null);
            while (isGoing) {
                String problem = readOn();
                isGoing = problem != null && begin(problem);
            }
        } catch (RuntimeException | Error e) {
            if (!isStopped()) {
                fault = e;
                throw e;
            }
        } finally {
            hasEnded = true;
            isCaughtUp = false;
            settled.countDown();
            barriers.forEach(barrier -> newBarriers.addAll(barrier.waiting));
            failBarriers();
            closeClients();
            ended.countDown();
        }
    }

    // Where to begin.

    /**
     * Waits for the topics, and sets the consumer and the sink to where they go on.
     *
     * @param broken why the sink cannot be continued; null: its position decides
     * @return false: the follower was stopped meanwhile
     */
    private boolean begin(@Nullable String broken) {
        Position beginning = null;
        for (long pauseMs = FIRST_PAUSE_MS; beginning == null; pauseMs = Math.min(LAST_PAUSE_MS, 2 * pauseMs)) {
            try {
                target = get(ask()); // ends first: what is deleted from now on is seen
                beginning = beginning();
            } catch (RetriableException e) {
                String reason = String.valueOf(e.getMessage());
                if (!isStopped() && !reason.equals(obstacle)) {
                    LOG.info("Waits for {}: {}", name, reason);
                }
                obstacle = reason;
                if (pause(pauseMs)) {
                    return false;
                }
            }
        }
        obstacle = null;
        asked = null; // its answer may be about topics that are no longer there
        begunMs = clock.millis();
        Position known = sink.position();
        String problem = broken == null && known != null ? known.problem(beginning, target.ends, begunMs) : broken;
        if (problem != null) {
            LOG.warn("Reads {} from the beginning, because what was read cannot be continued: {}", name, problem);
        }
        position = known != null && problem == null ? known : beginning;
        places.clear();
        places.putAll(position.places);
        consumer.assign(places.keySet());
        places.forEach((partition, place) -> consumer.seek(partition, place.next()));
        isCaughtUp = false;
        showProgress();
        sink.begin(known == null && problem == null ? "nothing has been read" : problem);
        return true;
    }

    /** @return whether the follower was stopped */
    private boolean pause(long pauseMs) {
        try {
            return closing.await(pauseMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private Position beginning() {
        Map<TopicPartition, Long> first = reading.isFromEnd
                ? target.ends
                : get(offsets(target.ends.keySet(), OffsetSpec.earliest(), IsolationLevel.READ_COMMITTED));
        return new Position(
                reading.format,
                target.askedMs,
                first.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey,
                                entry -> new Position.Place(target.topicId(entry.getKey()), entry.getValue()))));
    }

    /** Asks for the topics and their ends without open transactions. Not by the consumer, whose fetch may wait for a record. */
    private CompletableFuture<Answer> ask() {
        long nowMs = clock.millis();
        askedNs = System.nanoTime();
        return admin.describeTopics(reading.topics)
                .allTopicNames()
                .toCompletionStage()
                .toCompletableFuture()
                .thenCompose(topics -> offsets(partitionsOf(topics), OffsetSpec.latest(), IsolationLevel.READ_COMMITTED)
                        .thenApply(ends -> new Answer(nowMs, topics, ends)));
    }

    private static List<TopicPartition> partitionsOf(Map<String, TopicDescription> topics) {
        return topics.values().stream()
                .flatMap(topic ->
                        KafkaClients.partitions(topic.name(), topic.partitions().size()).stream())
                .toList();
    }

    private CompletableFuture<Map<TopicPartition, Long>> offsets(
            Collection<TopicPartition> partitions, OffsetSpec which, IsolationLevel isolation) {
        return admin.listOffsets(
                        partitions.stream().collect(Collectors.toMap(Function.identity(), _ -> which)),
                        new ListOffsetsOptions(isolation))
                .all()
                .toCompletionStage()
                .toCompletableFuture()
                .thenApply(found -> found.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> entry.getValue().offset())));
    }

    private static <T> T get(CompletableFuture<T> answer) {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException refusal
                    ? refusal
                    : new KafkaException("Kafka did not answer", e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    // Reading.

    /** @return why the follower must begin anew; null: it was stopped */
    private @Nullable String readOn() {
        while (!isStopped()) {
            if (isOtherTopic()) {
                return "there is another topic of this name";
            }
            confirm(); // before the first poll, too, which would wait for a record of an empty topic
            completeBarriers();
            try {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(reading.poll);
                if (!records.isEmpty() && isTooLate()) {
                    return position.lostDeletions();
                }
                records.forEach(sink::put);
                advance(records);
                sink.write(position);
            } catch (WakeupException _) {
                // The follower is stopped or has a new barrier: the loop checks both.
            } catch (InvalidOffsetException e) {
                return "records that were not read are no longer there: " + e.getMessage();
            }
        }
        return null;
    }

    /** A follower that begins after half of the time for which deletions stay has the other half to catch up. */
    private boolean isTooLate() {
        long nowMs = clock.millis();
        return Position.isTooLong(position.confirmedMs, nowMs) && Position.isTooLong(begunMs, nowMs);
    }

    private void advance(ConsumerRecords<byte[], byte[]> records) {
        var moved = records.nextOffsets();
        if (!moved.isEmpty()) {
            moved.forEach((partition, next) ->
                    places.computeIfPresent(partition, (_, place) -> new Position.Place(place.topic, next.offset())));
            position = new Position(reading.format, position.confirmedMs, places);
        }
        showProgress();
    }

    private void showProgress() {
        long left = 0;
        long sum = 0;
        for (var place : places.entrySet()) {
            long next = place.getValue().next;
            sum += next;
            left += consumer.currentLag(place.getKey())
                    .orElse(Math.max(0, target.ends.getOrDefault(place.getKey(), 0L) - next));
        }
        lag = left;
        read = sum;
    }

    private boolean isReached(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> {
            Position.Place place = places.get(end.getKey());
            return place != null && place.next >= end.getValue();
        });
    }

    /** Asks Kafka when it is time to. The next answer is a target only if the sink has reached the last one. */
    private boolean isOtherTopic() {
        CompletableFuture<Answer> now = asked;
        if (now == null) {
            asked = System.nanoTime() - askedNs < reading.confirmEvery.toNanos() ? null : ask();
            return false;
        }
        if (!now.isDone()) {
            return false;
        }
        asked = null;
        if (now.isCompletedExceptionally()) {
            return false; // Kafka does not answer now, or the topic is being created again: it is asked again
        }
        Answer answer = now.join();
        if (isReached(target.ends)) {
            target = answer;
        }
        return !answer.ends.keySet().equals(places.keySet())
                || places.entrySet().stream()
                        .anyMatch(place -> !place.getValue().topic.equals(answer.topicId(place.getKey())));
    }

    private void confirm() {
        if (isReached(target.ends) && (!isCaughtUp || target.askedMs > position.confirmedMs)) {
            position = new Position(reading.format, target.askedMs, places);
            sink.write(position);
            if (!isCaughtUp) {
                isCaughtUp = true;
                sink.caughtUp();
                settled.countDown();
            }
        }
    }

    // What others ask.

    /** Records that were not read yet, as far as the follower knows. */
    public long lag() {
        return lag;
    }

    /** Offset after the last record that was read, of all partitions together. */
    public long position() {
        return read;
    }

    /** Whether everything has been read that was in the topics when the follower began, or began anew. False once it has ended. */
    public boolean isCaughtUp() {
        return isCaughtUp;
    }

    /**
     * Waits until everything has been read that was in the topics when the follower began.
     *
     * @param timeout how long to wait for a further record, since a first read of much takes its time
     * @throws CommandFailed if nothing was read in time, or the follower has ended
     */
    public void awaitCaughtUp(Duration timeout) throws InterruptedException {
        long before;
        boolean isSettled;
        do {
            before = read;
            isSettled = settled.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } while (!isSettled && read > before);
        Throwable cause = fault;
        if (cause != null) {
            throw new CommandFailed("cannot read " + name + ": " + cause.getMessage(), cause);
        }
        if (hasEnded) {
            throw new CommandFailed(name + " is no longer followed");
        }
        if (!isSettled) {
            throw new CommandFailed(
                    "could not read " + name + " within " + timeout + (obstacle == null ? "" : ": " + obstacle));
        }
    }

    /**
     * Completes when all committed records that were written to the topics before this call have been put and written; fails if the
     * follower has ended, or Kafka does not say where the topics end. Also waits for transactions that are open at the time of the call:
     * Kafka completes a transaction partition by partition, so a transaction whose records are visible in another partition may still
     * appear open here.
     */
    public CompletableFuture<Void> barrier() {
        var barrier = new CompletableFuture<Void>();
        newBarriers.add(barrier);
        if (hasEnded) {
            failBarriers();
        } else if (!isWoken.getAndSet(true)) {
            consumer.wakeup();
        }
        return barrier;
    }

    /** Asks for the ends with open transactions, for the barriers that have come meanwhile, and completes those that are reached. */
    private void completeBarriers() {
        if (isWoken.getAndSet(false)) {
            var waiting = new ArrayList<CompletableFuture<Void>>();
            for (var barrier = newBarriers.poll(); barrier != null; barrier = newBarriers.poll()) {
                waiting.add(barrier);
            }
            try {
                barriers.add(new Barrier(
                        get(offsets(places.keySet(), OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED)), waiting));
            } catch (RetriableException e) {
                waiting.forEach(barrier -> barrier.completeExceptionally(e));
            }
        }
        barriers.removeIf(barrier -> {
            boolean isReached = isReached(barrier.ends);
            if (isReached) {
                barrier.waiting.forEach(one -> one.complete(null));
            }
            return isReached;
        });
    }

    private void failBarriers() {
        var ended = new IllegalStateException(name + " is no longer followed", fault);
        for (var barrier = newBarriers.poll(); barrier != null; barrier = newBarriers.poll()) {
            barrier.completeExceptionally(ended);
        }
    }

    // The end.

    private boolean isStopped() {
        return closing.getCount() == 0;
    }

    /** Ends the read soon. */
    public void stop() {
        closing.countDown();
        consumer.wakeup();
    }

    /** There is nothing to commit, so nothing is waited for, in particular not for a fetch under way. */
    private void closeClients() {
        consumer.close(CloseOptions.timeout(Duration.ZERO));
        admin.close(Duration.ZERO);
    }

    /**
     * Ends the read, and waits until the sink is no longer called. Called by another thread than the one that reads, or after {@link #run}.
     */
    @Override
    public void close() {
        stop();
        if (!isBegun.getAndSet(true)) {
            closeClients();
            return;
        }
        admin.close(Duration.ZERO); // ends the wait for an answer
        try {
            if (!ended.await(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("The reader of {} still works after {} s", name, CLOSE_TIMEOUT.toSeconds());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
