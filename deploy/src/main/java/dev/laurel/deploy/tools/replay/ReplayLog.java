package dev.laurel.deploy.tools.replay;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.TopicTable;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The topic of a replay, of one partition: the inputs of all members, the parts of the report, and how it ended. Entries have no key; the
 * records of {@link ReportParts} have one. Of entries that exclude each other, the first one counts, so all members agree without a
 * lock. Thread-safe.
 */
final class ReplayLog extends TopicTable<byte[], byte[]> {

    private static final int LINGER_MS = 20;

    private final String topic;
    private final Producer<byte[], byte[]> producer;
    private final NavigableMap<Integer, Entry.Part> parts = new ConcurrentSkipListMap<>();
    private volatile Entry.@Nullable Begun begun;
    private volatile Entry.@Nullable Reported reported;
    private volatile long reportedAt;

    /** @param replay names the topic, which exists */
    ReplayLog(Map<String, Object> clientConfig, Generation replay, Consumer<Throwable> onFault) {
        super(Topics.SCORES.named(replay.replayTopic()), clientConfig, onFault);
        this.topic = replay.replayTopic();
        this.producer = KafkaClients.producer(
                clientConfig,
                Map.of(
                        ProducerConfig.LINGER_MS_CONFIG,
                        LINGER_MS,
                        ProducerConfig.COMPRESSION_TYPE_CONFIG,
                        "zstd",
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        Topics.MAX_RECORD_BYTES));
    }

    /** An entry of the log. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Entry.Begun.class, name = "begun"),
        @JsonSubTypes.Type(value = Entry.Part.class, name = "part"),
        @JsonSubTypes.Type(value = Entry.Reported.class, name = "reported")
    })
    sealed interface Entry {

        /**
         * The first member has begun the replay; the others take these inputs.
         *
         * @param id empty: no other process takes part
         * @param options by name, in which all members must agree; {@code --ruleset} is a digest of the draft
         * @param draft the draft as JSON; empty: none
         * @param rules what people call it
         * @param inForce number of the generation that is compared with
         * @param next lowest number of the generation that this replay may promote
         * @param baseVersion version of the ruleset on which the draft is based
         * @param at moment at which both states are shown
         */
        record Begun(
                String id,
                Map<String, String> options,
                String draft,
                String rules,
                int inForce,
                int next,
                long baseVersion,
                Instant at)
                implements Entry {

            /** Returns these inputs without the draft, for those who only compare options with it. */
            Begun withoutDraft() {
                return Records.with(this, "draft", "");
            }

            /**
             * @param own options of another process, which gives {@code --at} only if it was asked for
             * @throws CommandFailed naming the option in which it differs from the replay
             */
            void expectSame(Map<String, String> own) {
                own.forEach((option, value) -> {
                    if (!value.equals(option.equals("--at") ? at.toString() : options.get(option))) {
                        throw new CommandFailed(option + " differs from what the replay '" + id
                                + "' was begun with: give all its processes the same options, or this one"
                                + " another --id");
                    }
                });
            }
        }

        /**
         * A partition of the replayed log is compared. Its users and sums are in the records with this attempt between these offsets.
         *
         * @param end offset after the last record
         */
        record Part(int partition, String attempt, long first, long end) implements Entry {}

        /**
         * All parts are added up. Nothing is left to do, except to put the generation in force if that was requested and the report has
         * no failure. Members close their part of the shadow, because nodes may continue it.
         *
         * @param begun for members that come later
         * @param by the host that has written the files
         * @param text the report for people
         * @param failure why the exit code is 1; null: it is 0
         */
        record Reported(
                Begun begun,
                String by,
                String text,
                @Nullable String failure) implements Entry {}
    }

    @Override
    protected void put(byte @Nullable [] key, byte @Nullable [] value, long offset) {
        if (key != null) {
            return; // of a part
        }
        switch (Json.read(Objects.requireNonNull(value, "entries are not deleted"), Entry.class)) {
            case Entry.Begun it -> begun = begun == null ? it : begun;
            case Entry.Part it -> parts.putIfAbsent(it.partition(), it);
            case Entry.Reported it -> {
                if (reported == null) {
                    begun = begun == null ? it.begun() : begun;
                    reportedAt = offset;
                    reported = it;
                }
            }
        }
    }

    /** Adds an entry. Returns when it, and all entries before it, are known here. */
    void append(Entry entry) throws InterruptedException {
        KafkaClients.get(
                producer.send(new ProducerRecord<>(topic, Json.write(entry))),
                TIMEOUT,
                "Kafka did not store an entry of " + topic);
        if (!awaitNewest(TIMEOUT)) {
            throw new CommandFailed("could not read " + topic + " within " + TIMEOUT.toSeconds() + " s");
        }
    }

    /** Begins the replay unless another member has. Returns what has begun it. */
    Entry.Begun begin(Entry.Begun own) throws InterruptedException {
        if (begun == null) {
            append(own);
        }
        return Objects.requireNonNull(begun, "begun by somebody");
    }

    /** Returns null if no member has begun the replay. */
    Entry.@Nullable Begun begun() {
        return begun;
    }

    /** Returns the compared partitions by number. */
    NavigableMap<Integer, Entry.Part> parts() {
        return parts;
    }

    Entry.@Nullable Reported reported() {
        return reported;
    }

    /** Returns the offset of {@link #reported}. */
    long reportedAt() {
        return reportedAt;
    }

    String topic() {
        return topic;
    }

    /** Returns the producer of the topic, for the records of parts. */
    Producer<byte[], byte[]> producer() {
        return producer;
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
        super.close();
    }
}
