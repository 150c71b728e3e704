package dev.laurel.deploy.tools.imports;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.RangeReader;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Topics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The log of a cluster, {@code laurel.commands} or the wider log that has replaced it: its name, its partitions,
 * their offsets, and the entries of an import that it already contains.
 *
 * @param topic name of the topic
 * @param topicId id of the topic, unique among all clusters
 */
public record CommandLog(KafkaAccess kafka, String topic, Uuid topicId, int partitions) {

    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    /** @throws CommandFailed if the cluster does not answer or has no such topic */
    public static CommandLog find(KafkaAccess kafka) {
        String name = Topics.COMMANDS.name();
        try (Admin admin = KafkaClients.admin(kafka)) {
            if (KafkaClients.topics(admin).contains(Topics.GENERATIONS.name())) {
                // Records written to an earlier log are copied into this one until an operator ends the copying.
                name = GenerationTable.read(
                        kafka, generations -> generations.inForce().log());
            }
            TopicDescription topic = KafkaClients.describe(admin, name);
            return new CommandLog(
                    kafka, name, topic.topicId(), topic.partitions().size());
        } catch (CommandFailed e) {
            if (e.getCause() != null && e.getCause().getCause() instanceof UnknownTopicOrPartitionException) {
                throw new CommandFailed(
                        "Kafka at " + kafka.bootstrapServers() + " has no topic " + name
                                + "; start Laurel once, or run 'laurel topics create'",
                        e);
            }
            throw e;
        }
    }

    /**
     * Returns the tenant of the users of an import.
     *
     * @param customerId customer id of the tenant; null: not given
     * @throws CommandFailed if none was given and there are tenants, or the reverse, or there is no such tenant
     */
    public TenantId tenant(@Nullable String customerId) {
        return tenantIn(AccessTable.read(kafka, AccessTable::index), customerId);
    }

    static TenantId tenantIn(AccessIndex index, @Nullable String customerId) {
        if (!index.isMultiTenant()) {
            if (customerId != null) {
                throw new CommandFailed("--tenant: this instance has no tenants");
            }
            return TenantId.NONE;
        }
        if (customerId == null) {
            throw new CommandFailed("this instance has several tenants: name one with --tenant");
        }
        TenantId tenant = index.activeTenant(customerId);
        if (tenant == null) {
            throw new CommandFailed("--tenant: there is no active tenant " + customerId);
        }
        return tenant;
    }

    /** Returns the unique id of the log. */
    String id() {
        return topicId.toString();
    }

    long[] beginningOffsets() {
        return offsets(OffsetSpec.earliest());
    }

    long[] endOffsets() {
        return offsets(OffsetSpec.latest());
    }

    private long[] offsets(OffsetSpec which) {
        List<TopicPartition> all = KafkaClients.partitions(topic, partitions);
        try (Admin admin = KafkaClients.admin(kafka)) {
            return all.stream()
                    .mapToLong(KafkaClients.offsets(admin, all, which, IsolationLevel.READ_UNCOMMITTED)::get)
                    .toArray();
        }
    }

    /**
     * Reads the log from {@code offsets} to its present end and returns the entries of an import after {@code base}:
     * bit n stands for entry {@code base} + n.
     */
    BitSet writtenSince(long importId, long base, long[] offsets) {
        var written = new BitSet();
        // Uncommitted records, too: imports do not write in transactions, and open transactions of others must not hide
        // their records.
        try (var reader = new RangeReader(
                kafka.clientProperties(),
                Map.of(
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest",
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_uncommitted"))) {
            reader.seek(byPartition(offsets), byPartition(endOffsets()));
            reader.read(
                    TIMEOUT,
                    record -> {
                        ImportMark mark = ImportMark.read(record.headers());
                        if (mark != null && mark.importId() == importId && mark.number() > base) {
                            written.set(Math.toIntExact(mark.number() - base));
                        }
                        return true;
                    },
                    () -> {});
            return written;
        } catch (KafkaException e) {
            throw new CommandFailed(
                    "cannot read " + topic + " at " + kafka.bootstrapServers() + ": " + e.getMessage(), e);
        }
    }

    private Map<TopicPartition, Long> byPartition(long[] offsets) {
        return KafkaClients.partitions(topic, partitions).stream()
                .collect(Collectors.toMap(Function.identity(), partition -> offsets[partition.partition()]));
    }

    /**
     * The header of each imported record, with the import and the number of the entry. The log itself thereby records
     * what is imported.
     */
    record ImportMark(long importId, long number) {

        private static final String NAME = "laurel-import";
        private static final int LENGTH = 2 * Long.BYTES;

        void writeTo(Headers headers) {
            headers.add(
                    NAME,
                    ByteBuffer.allocate(LENGTH)
                            .putLong(importId)
                            .putLong(number)
                            .array());
        }

        /** Returns null if there is none, or one of another format. */
        static @Nullable ImportMark read(Headers headers) {
            Header header = headers.lastHeader(NAME);
            if (header == null || header.value() == null || header.value().length != LENGTH) {
                return null;
            }
            var bytes = ByteBuffer.wrap(header.value());
            return new ImportMark(bytes.getLong(), bytes.getLong());
        }

        static String idText(long importId) {
            return HexFormat.of().toHexDigits(importId);
        }

        /** The name under which an import holds timers. */
        static String holdName(long importId) {
            return "import-" + idText(importId);
        }

        static long parseId(String text) {
            return HexFormat.fromHexDigitsToLong(text);
        }
    }
}
