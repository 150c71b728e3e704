package dev.laurel.platform.kafka;

import static dev.laurel.platform.kafka.KafkaClients.CLOSE_TIMEOUT;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.HttpSettings.AuditLog;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.topic.Topics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes audit records to {@code laurel.audit}, on the threads of the requests, which wait for the acknowledgement.
 *
 * <p>If a record cannot be written, its change has been made already. The record then goes to the log of the process, at level error,
 * and is counted; and further changes are refused for {@link #PAUSE}, so that few, at best one, are missing from the topic. One after
 * that finds out whether it can be written again. The buffer of the producer limits the records that wait. Connects at the first record:
 * most processes write none. Thread-safe.
 */
public final class AuditWriter implements AuditLog, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AuditWriter.class);

    private static final MeterName WRITTEN =
            MeterName.of("laurel.audit.written", "Audit records that laurel.audit has acknowledged.");
    private static final MeterName FAILED = MeterName.of(
            "laurel.audit.failed",
            "Audit records that could not be written to laurel.audit, or may not have been; they are in the log of the"
                    + " process.");

    private static final Duration PAUSE = Duration.ofSeconds(5);
    private static final int MAX_BLOCK_MS = 5_000;
    private static final int REQUEST_TIMEOUT_MS = 4_000;
    private static final int DELIVERY_TIMEOUT_MS = 8_000;
    private static final long BUFFER_BYTES = 8L * 1024 * 1024;
    private static final Map<String, Object> SETTINGS = Map.of(
            ProducerConfig.ACKS_CONFIG,
            "all",
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            ProducerConfig.LINGER_MS_CONFIG,
            0,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            MAX_BLOCK_MS,
            ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
            REQUEST_TIMEOUT_MS,
            ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
            DELIVERY_TIMEOUT_MS,
            ProducerConfig.BUFFER_MEMORY_CONFIG,
            BUFFER_BYTES);

    private final Supplier<Producer<byte[], byte[]>> connect;
    private final LongSupplier nanoTime;
    private final MeterScope meters;
    private final Counter written;
    private final Counter failed;

    /** When changes are accepted again, by the clock; {@link Long#MIN_VALUE} while records can be written. */
    private final AtomicLong pausedUntilNs = new AtomicLong(Long.MIN_VALUE);

    private @Nullable Producer<byte[], byte[]> producer;
    private boolean isClosed;

    /** @param meters closed with this writer */
    public AuditWriter(Map<String, Object> clientConfig, MeterScope meters) {
        this(() -> KafkaClients.producer(clientConfig, SETTINGS), System::nanoTime, meters);
    }

    AuditWriter(Supplier<Producer<byte[], byte[]>> connect, LongSupplier nanoTime, MeterScope meters) {
        this.connect = connect;
        this.nanoTime = nanoTime;
        this.meters = meters;
        this.written = meters.counter(WRITTEN, Tags.empty());
        this.failed = meters.counter(FAILED, Tags.empty());
    }

    @Override
    public void expectWritable() {
        long untilNs = pausedUntilNs.get();
        if (untilNs == Long.MIN_VALUE) {
            return;
        }
        long nowNs = nanoTime.getAsLong();
        // One request ends the pause, and begins the next one until its own record is written.
        if (nowNs - untilNs < 0 || !pausedUntilNs.compareAndSet(untilNs, nowNs + PAUSE.toNanos())) {
            throw HttpRefusal.busy("The audit log cannot be written now. Nothing was changed; try again.");
        }
    }

    @Override
    public void write(AuditRecord record) {
        var topic = Topics.AUDIT;
        byte[] value = topic.valueBytes(record);
        try {
            producer()
                    .send(new ProducerRecord<>(topic.name(), null, record.time().toEpochMilli(), null, value))
                    .get(MAX_BLOCK_MS + DELIVERY_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            written.increment();
            pausedUntilNs.set(Long.MIN_VALUE);
        } catch (ExecutionException e) {
            failed(value, e.getCause());
        } catch (KafkaException | IllegalStateException | TimeoutException e) {
            failed(value, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed(value, e);
        }
    }

    private void failed(byte[] value, @Nullable Throwable cause) {
        pausedUntilNs.set(nanoTime.getAsLong() + PAUSE.toNanos());
        failed.increment();
        LOG.error(
                "The audit record of a change could not be written to {}; the change has been made: {}",
                Topics.AUDIT.name(),
                new String(value, UTF_8),
                cause);
    }

    private synchronized Producer<byte[], byte[]> producer() {
        if (isClosed) {
            throw new IllegalStateException("the audit log is closed");
        }
        Producer<byte[], byte[]> connected = producer;
        if (connected == null) {
            connected = connect.get();
            producer = connected;
        }
        return connected;
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (producer != null) {
            producer.close(CLOSE_TIMEOUT);
        }
        meters.close();
    }
}
