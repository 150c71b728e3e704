package dev.laurel.deploy.tools.imports;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.deploy.tools.imports.ImportSource.Entry;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.command.Command.TimersReleased;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.RulesetHeader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Writes records of tools to the log: in order per user, acknowledged by all replicas, never twice. Batches do not
 * expire while the process lives, because an expired one would leave a gap before its successors; the caller that
 * waits for acknowledgements decides when to stop. Thread-safe.
 */
final class CommandLogWriter implements AutoCloseable {

    private static final String REFUSED = "cannot write to Kafka";
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final CommandLog log;
    private final Producer<byte[], byte[]> producer;
    private @Nullable RulesetTable rulesets;

    CommandLogWriter(CommandLog log) {
        this.log = log;
        this.producer = KafkaClients.producer(
                log.kafka().clientProperties(),
                Map.of(
                        ProducerConfig.CLIENT_ID_CONFIG,
                        "laurel-import",
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        Integer.MAX_VALUE,
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        1024 * 1024,
                        ProducerConfig.LINGER_MS_CONFIG,
                        20,
                        ProducerConfig.BATCH_SIZE_CONFIG,
                        256 * 1024,
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        64L * 1024 * 1024,
                        ProducerConfig.COMPRESSION_TYPE_CONFIG,
                        "lz4"));
    }

    /** Returns the partition of a user, as the default partitioner of producers computes it. */
    int partitionOf(byte[] key) {
        return Utils.toPositive(Utils.murmur2(key)) % log.partitions();
    }

    /** Returns when the record is in the buffer; {@code whenDone} runs on the producer's thread. */
    void send(Entry.Ready entry, int partition, CommandLog.ImportMark mark, Callback whenDone)
            throws InterruptedException {
        var record = new ProducerRecord<>(log.topic(), partition, entry.timeMs(), entry.key(), entry.value());
        mark.writeTo(record.headers());
        stamp(record);
        send(record, whenDone);
    }

    private Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, @Nullable Callback whenDone) {
        try {
            return producer.send(record, whenDone);
        } catch (KafkaException e) {
            throw new CommandFailed(REFUSED + ": " + e.getMessage(), e);
        }
    }

    /** Names the present version of a tenant's ruleset: the partition of the user may have no user of the tenant, and thus no ruleset. */
    private void stamp(ProducerRecord<byte[], byte[]> record) throws InterruptedException {
        TenantId tenant = UserKey.parse(record.key()).tenant();
        if (!tenant.equals(TenantId.NONE)) {
            RulesetHeader.write(record.headers(), rulesets().newestVersion(tenant));
        }
    }

    /** Followed from the first command of a tenant on. */
    private synchronized RulesetTable rulesets() throws InterruptedException {
        RulesetTable known = rulesets;
        if (known == null) {
            known = new RulesetTable(log.kafka().clientProperties(), _ -> {
                // The wait below fails. Later, the versions that are known suffice.
            });
            rulesets = known;
            known.start();
            known.awaitCaughtUp(TIMEOUT);
        }
        return known;
    }

    /** Holds the timers of all partitions until {@link #release}; returns when all markers are written. */
    void hold(String name, long nowMs) {
        sendToAll(new TimersHeld(name), nowMs);
    }

    void release(String name, long nowMs) {
        sendToAll(new TimersReleased(name), nowMs);
    }

    private void sendToAll(LogCommand marker, long nowMs) {
        byte[] value = CommandJson.write(marker);
        var sent = new ArrayList<Future<RecordMetadata>>();
        for (int partition = 0; partition < log.partitions(); partition++) {
            sent.add(send(new ProducerRecord<>(log.topic(), partition, nowMs, null, value), null));
        }
        sent.forEach(each -> KafkaClients.get(each, TIMEOUT, REFUSED));
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
        RulesetTable known = rulesets;
        if (known != null) {
            known.close();
        }
    }
}
