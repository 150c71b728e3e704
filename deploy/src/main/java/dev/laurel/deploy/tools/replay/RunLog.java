package dev.laurel.deploy.tools.replay;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.platform.kafka.TopicTable;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The record of a replay that several processes share: what its members have agreed on and completed, in one topic of one
 * partition. Of entries that exclude each other, the first one counts, so all members agree without a lock. Thread-safe.
 */
final class RunLog extends TopicTable<byte[], byte[]> {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int LINGER_MS = 20;

    private final String topic;
    private final Producer<byte[], byte[]> producer;
    private final NavigableMap<Integer, Entry.Part> parts = new ConcurrentSkipListMap<>();
    private volatile Entry.@Nullable Begun begun;
    private volatile Entry.@Nullable Claimed claimed;
    private volatile Entry.@Nullable Reported reported;
    private volatile Entry.@Nullable Ended ended;
    private volatile boolean isHandedOver;

    /** @param run names the topic, which exists */
    RunLog(Map<String, Object> clientConfig, Generation run, Consumer<Throwable> onFault) {
        super(Topics.SCORES.named(run.runTopic()), clientConfig, onFault);
        this.topic = run.runTopic();
        var config = new HashMap<>(clientConfig);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.LINGER_MS_CONFIG, LINGER_MS);
        config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "zstd");
        config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Topics.MAX_RECORD_BYTES);
        this.producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** An entry of the log. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({@JsonSubTypes.Type(value = Entry.Begun.class, name = "begun"),
            @JsonSubTypes.Type(value = Entry.Claimed.class, name = "claimed"),
            @JsonSubTypes.Type(value = Entry.Part.class, name = "part"),
            @JsonSubTypes.Type(value = Entry.Reported.class, name = "reported"),
            @JsonSubTypes.Type(value = Entry.HandedOver.class, name = "handed-over"),
            @JsonSubTypes.Type(value = Entry.Ended.class, name = "ended")})
    sealed interface Entry {

        /**
         * The first member has begun the run; the others take these inputs.
         *
         * @param inForce number of the generation that is compared with
         * @param baseVersion version of the ruleset on which the draft is based
         * @param at moment at which both states are shown
         * @param targets offsets of its log that the generation in force had reached, by partition
         */
        record Begun(String id, Options options, int inForce, long baseVersion, Instant at,
                List<Long> targets) implements Entry {}

        /** A number was claimed for the generation that is to be promoted. */
        record Claimed(int generation) implements Entry {}

        /**
         * A partition of the replayed log is compared. Its users and sums are in the partition of that number of the other topic of the
         * run, in the records with this attempt between these offsets.
         *
         * @param summary offset from which on the sums are
         * @param end offset after the last record
         */
        record Part(int partition, String attempt, long first, long summary, long end) implements Entry {}

        /**
         * All parts are added up.
         *
         * @param by the host that has written the files
         * @param text the report for people
         * @param failure why the exit code is 1; null: it is 0
         */
        record Reported(String by, String text, @Nullable String failure) implements Entry {}

        /** Members must close their part of the shadow, because nodes are about to continue it. */
        record HandedOver() implements Entry {}

        /** Nothing is left to do: the generation is in force if that was requested and the report has no failure. */
        record Ended() implements Entry {}
    }

    /**
     * Options in which all members must agree.
     *
     * @param ruleset the draft as JSON
     * @param rulesetName what people call it
     * @param at null: not given
     */
    record Options(@Nullable String ruleset, @Nullable String rulesetName, String tenant, boolean allTenants,
            boolean fromScratch, boolean promote, int partitions, List<String> users, @Nullable Instant at, int top,
            @Nullable String json, @Nullable String csv) {

        /** Returns these options with a draft. */
        Options with(String document, String name) {
            return new Options(document, name, tenant, allTenants, fromScratch, promote, partitions, users, at, top,
                    json, csv);
        }

        private record Checked(String name, Function<Options, @Nullable Object> value) {}

        private static final List<Checked> CHECKED = List.of(new Checked("--ruleset", Options::ruleset),
                new Checked("--tenant", Options::tenant), new Checked("--tenant", Options::allTenants),
                new Checked("--from-scratch", Options::fromScratch), new Checked("--promote", Options::promote),
                new Checked("--partitions", Options::partitions), new Checked("--user", Options::users),
                new Checked("--top", Options::top), new Checked("--json", Options::json),
                new Checked("--csv", Options::csv));

        /** @throws CommandFailed naming the option in which a member differs from the run */
        void expectSame(Options member, Entry.Begun run) {
            CHECKED.stream().filter(
                    option -> !Objects.equals(option.value().apply(this), option.value().apply(member)))
                    .map(Checked::name)
                    .findFirst()
                    .or(() -> Stream.of("--at").filter(_ -> member.at != null && !member.at.equals(run.at()))
                            .findFirst())
                    .ifPresent(option -> {
                        throw new CommandFailed(option + " differs from what the replay '" + run.id()
                                + "' was begun with: give all its processes the same options, or this one another --id");
                    });
        }
    }

    @Override
    protected void put(byte[] key, byte @Nullable [] value, long offset) {
        switch (Json.read(Objects.requireNonNull(value, "entries are not deleted"), Entry.class)) {
            case Entry.Begun it -> begun = begun == null ? it : begun;
            case Entry.Claimed it -> claimed = claimed == null ? it : claimed;
            case Entry.Part it -> parts.putIfAbsent(it.partition(), it);
            case Entry.Reported it -> reported = reported == null ? it : reported;
            case Entry.HandedOver _ -> isHandedOver = true;
            case Entry.Ended it -> ended = ended == null ? it : ended;
        }
    }

    /** Adds an entry. Returns when it, and all entries before it, are known here. */
    void append(Entry entry) throws InterruptedException {
        try {
            producer.send(record(entry)).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            throw new CommandFailed("Kafka did not store an entry of " + topic + ": " + cause, e);
        }
        if (!awaitNewest(TIMEOUT)) {
            throw new CommandFailed("could not read " + topic + " within " + TIMEOUT.toSeconds() + " s");
        }
    }

    /** Returns the record of an entry, for a producer of a transaction. */
    ProducerRecord<byte[], byte[]> record(Entry entry) {
        return new ProducerRecord<>(topic, Json.write(entry));
    }

    /** Begins the run unless another member has. Returns what has begun it. */
    Entry.Begun begin(Entry.Begun own) throws InterruptedException {
        if (begun == null) {
            append(own);
        }
        return Objects.requireNonNull(begun, "begun by somebody");
    }

    /** Returns null if no member has begun the run. */
    Entry.@Nullable Begun begun() {
        return begun;
    }

    Entry.@Nullable Claimed claimed() {
        return claimed;
    }

    /** Returns the compared partitions by number. */
    NavigableMap<Integer, Entry.Part> parts() {
        return parts;
    }

    Entry.@Nullable Reported reported() {
        return reported;
    }

    boolean isHandedOver() {
        return isHandedOver;
    }

    Entry.@Nullable Ended ended() {
        return ended;
    }

    /** Returns the producer, for the other topic of the run. */
    Producer<byte[], byte[]> producer() {
        return producer;
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        super.close();
    }
}
