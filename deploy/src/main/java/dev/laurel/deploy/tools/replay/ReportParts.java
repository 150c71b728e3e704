package dev.laurel.deploy.tools.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.laurel.core.compare.ComparedUser.Value;
import dev.laurel.core.compare.ComparisonTotals.Sums;
import dev.laurel.core.compare.UserComparison;
import dev.laurel.deploy.tools.replay.ReplayLog.Entry;
import dev.laurel.deploy.tools.replay.ReplayReport.Verdict;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.RangeReader;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The parts of the report of a replay in the topic of its {@link ReplayLog}, one of each partition: the differing users, as they are found,
 * then the sums. Records have the attempt that they belong to as their key: a member may die in the middle of a part, which
 * another one begins anew. Nothing of a part is read before the log has its entry.
 */
final class ReportParts {

    /** Sums are cut into pieces of this size. */
    private static final int RECORD_BYTES = 512 * 1024;

    /** Writes decimals as texts: numbers of JSON lose the zeros at their end. */
    private static final JsonMapper JSON = JsonMapper.builder()
            .addMixIn(Value.class, ValueForm.class)
            .withConfigOverride(
                    BigDecimal.class,
                    decimals -> decimals.setFormat(JsonFormat.Value.forShape(JsonFormat.Shape.STRING)))
            .changeDefaultVisibility(fields -> fields.withIsGetterVisibility(Visibility.NONE))
            .build();

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME, property = "type")
    private interface ValueForm {}

    private ReportParts() {}

    /**
     * The sums of a partition.
     *
     * @param position offset of the first record that was not read when the partition was compared first
     * @param elapsedMs time that its owner took to read the log
     * @param boardsAtRest whether the live leaderboards had processed everything
     * @param examples some of the users who are not compared
     * @param verdict null: none was requested
     */
    record Summary(
            long position,
            long elapsedMs,
            boolean boardsAtRest,
            Sums totals,
            long notCompared,
            List<String> examples,
            @Nullable Verdict verdict) {

        byte[] toBytes() {
            return JSON.writeValueAsBytes(this);
        }

        static Summary of(byte[] bytes) {
            return JSON.readValue(bytes, Summary.class);
        }
    }

    static byte[] usersToBytes(List<UserComparison> users) {
        return JSON.writeValueAsBytes(users);
    }

    static List<UserComparison> usersOf(byte[] bytes) {
        return Arrays.asList(JSON.readValue(bytes, UserComparison[].class));
    }

    /** Writes one part. Used by one thread. */
    static final class Writer {

        /** A difference takes some hundred bytes at most. */
        private static final int DIFFERENCES_PER_RECORD = 2_000;

        private final Producer<byte[], byte[]> producer;
        private final String topic;
        private final int partition;
        private final String attempt = UUID.randomUUID().toString();
        private final List<UserComparison> users = new ArrayList<>();
        private int differences;
        private @Nullable Future<RecordMetadata> first;
        private @Nullable Future<RecordMetadata> last;

        Writer(Producer<byte[], byte[]> producer, String topic, int partition) {
            this.producer = producer;
            this.topic = topic;
            this.partition = partition;
        }

        void add(UserComparison user) {
            users.add(user);
            differences += user.differences().size();
            if (differences >= DIFFERENCES_PER_RECORD) {
                sendUsers();
            }
        }

        private void sendUsers() {
            if (users.isEmpty()) {
                return;
            }
            if (last != null && last.isDone()) {
                offset(last); // reports a failure early
            }
            send(attempt, usersToBytes(users));
            users.clear();
            differences = 0;
        }

        private void send(String key, byte[] value) {
            last = producer.send(new ProducerRecord<>(topic, bytes(key), value));
            first = first == null ? last : first;
        }

        /** Ends the part. Returns when all of it is stored. */
        Entry.Part end(Summary sums) {
            sendUsers();
            byte[] bytes = sums.toBytes();
            for (int from = 0; from < bytes.length; from += RECORD_BYTES) {
                send(sumsOf(attempt), Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + RECORD_BYTES)));
            }
            producer.flush();
            return new Entry.Part(
                    partition,
                    attempt,
                    offset(requireNonNull(first, "sums are not empty")),
                    offset(requireNonNull(last, "likewise")) + 1);
        }

        private long offset(Future<RecordMetadata> sent) {
            return KafkaClients.get(sent, ReplayPlan.TIMEOUT, "Kafka did not store a part of the report")
                    .offset();
        }
    }

    private static byte[] bytes(String key) {
        return key.getBytes(US_ASCII);
    }

    /** Returns the key of the sums of an attempt. */
    private static String sumsOf(String attempt) {
        return attempt + "-sums";
    }

    /** Reads parts. Used by one thread. */
    static final class Reader implements AutoCloseable {
        private final RangeReader reader;
        private final TopicPartition partition;
        private final BooleanSupplier isStopped;

        Reader(Map<String, Object> clientConfig, String topic, BooleanSupplier isStopped) {
            this.reader = new RangeReader(clientConfig, Map.of());
            this.partition = new TopicPartition(topic, 0);
            this.isStopped = isStopped;
        }

        /** @param users receives the users in the order in which they were found */
        Summary read(Entry.Part part, Consumer<UserComparison> users) {
            byte[] ofUsers = bytes(part.attempt());
            byte[] ofSums = bytes(sumsOf(part.attempt()));
            var sums = new ByteArrayOutputStream();
            reader.seek(partition, part.first(), part.end());
            try {
                reader.read(
                        ReplayPlan.TIMEOUT,
                        record -> {
                            if (Arrays.equals(ofSums, record.key())) {
                                sums.writeBytes(record.value());
                            } else if (Arrays.equals(ofUsers, record.key())) {
                                usersOf(record.value()).forEach(users);
                            }
                            return !isStopped.getAsBoolean();
                        },
                        () -> {});
            } catch (TimeoutException e) {
                throw new CommandFailed(String.valueOf(e.getMessage()), e);
            }
            if (isStopped.getAsBoolean()) {
                throw new ReplayPlan.Stopped();
            }
            return Summary.of(sums.toByteArray());
        }

        @Override
        public void close() {
            reader.close();
        }
    }
}
