package dev.laurel.gateway.publish;

import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationTable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a {@link WrittenLog} follow the generation in force, on a thread of its own: when that has a wider log, commands are
 * held back until what this gateway has put into the former one is copied. What Kafka cannot say now is asked again.
 */
public final class LogFollower implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LogFollower.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long CHECK_MS = 20;

    private final WrittenLog log;
    private final GenerationTable table;
    private final Admin admin;
    private final Consumer<Throwable> onFault;
    private final Semaphore changes = new Semaphore(0);
    private final Thread thread;

    /**
     * @param table followed; it stays the caller's to close
     * @param onFault told on the thread of this what ended it
     */
    public LogFollower(WrittenLog log, GenerationTable table, Map<String, Object> clientConfig,
            Consumer<Throwable> onFault) {
        this.log = log;
        this.table = table;
        this.admin = Admin.create(clientConfig);
        this.onFault = onFault;
        this.thread = Thread.ofPlatform().name("written-log").daemon().unstarted(this::run);
        table.onChange(changes::release);
        changes.release(); // it may have changed since the log was named
    }

    public LogFollower start() {
        thread.start();
        return this;
    }

    private void run() {
        try {
            while (true) {
                changes.acquire();
                changes.drainPermits();
                String wanted = table.inForce().log();
                if (!wanted.equals(log.name())) {
                    turnTo(wanted);
                }
            }
        } catch (InterruptedException _) {
            // Somebody wants the thread to end.
        } catch (RuntimeException | Error e) {
            LOG.error("the log that is written to is no longer followed", e);
            onFault.accept(e);
        }
    }

    private void turnTo(String wanted) throws InterruptedException {
        long begunNs = System.nanoTime();
        log.hold();
        log.awaitNoneUnderWay();
        Map<Integer, Long> written = log.acknowledged();
        while (!isCopied(wanted, written)) {
            TimeUnit.MILLISECONDS.sleep(CHECK_MS);
        }
        String former = log.name();
        log.open(wanted);
        LOG.info("commands go to {} instead of {}; they were held back for {} ms", wanted, former,
                Duration.ofNanos(System.nanoTime() - begunNs).toMillis());
    }

    /** Whether everything is in the wider log that was written to the former one. */
    private boolean isCopied(String wanted, Map<Integer, Long> written) throws InterruptedException {
        GenerationRecord brought = table.find(Generation.numberOf(wanted));
        if (written.isEmpty() || brought == null || !log.name().equals(brought.copiedFrom())) {
            return true;
        }
        try {
            Map<TopicPartition, OffsetAndMetadata> done = admin
                    .listConsumerGroupOffsets(brought.generation().copier()).partitionsToOffsetAndMetadata()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return written.entrySet().stream().allMatch(last -> {
                OffsetAndMetadata next = done.get(new TopicPartition(log.name(), last.getKey()));
                return next != null && next.offset() > last.getValue();
            });
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("how far {} is copied is not known at the moment, commands are held back: {}", log.name(),
                    e.getMessage());
            return false;
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        admin.close(TIMEOUT);
    }
}
