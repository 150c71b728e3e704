package dev.laurel.query.locate;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.streams.LagInfo;
import org.jspecify.annotations.Nullable;

/**
 * The lag of the local stores behind their changelogs. Kafka Streams asks the brokers for the end offsets of all changelogs, so
 * one request serves all callers within a second. Nothing is requested while all owners respond. Thread-safe.
 */
final class CopyLags {

    private static final long KEPT_NS = Duration.ofSeconds(1).toNanos();
    private static final long TIMEOUT_MS = 1_000;

    private final Callable<Map<String, Map<Integer, LagInfo>>> ask;
    private @Nullable Request newest;

    private record Request(long atNs, CompletableFuture<Map<Integer, Long>> lags) {}

    /** @param ask by store and partition; may block */
    CopyLags(Callable<Map<String, Map<Integer, LagInfo>>> ask) {
        this.ask = ask;
    }

    /**
     * The lag of the partition's store that is furthest behind, in records: 0 where the task runs. Where a copy follows the task,
     * the count includes transaction markers. Null if this node has no store of the partition.
     *
     * @throws NotReadyException if the lag is not known in time
     */
    @Nullable
    Long of(int partition) {
        try {
            return current().get(TIMEOUT_MS, TimeUnit.MILLISECONDS).get(partition);
        } catch (ExecutionException | TimeoutException e) {
            throw new NotReadyException("the lag of copies is not known now", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotReadyException("interrupted while waiting for the lag of copies", e);
        }
    }

    private synchronized CompletableFuture<Map<Integer, Long>> current() {
        long nowNs = System.nanoTime();
        if (newest == null || nowNs - newest.atNs() > KEPT_NS) {
            var lags = new CompletableFuture<Map<Integer, Long>>();
            newest = new Request(nowNs, lags);
            Thread.ofVirtual().name("laurel-lags").start(() -> ask(lags));
        }
        return newest.lags();
    }

    private void ask(CompletableFuture<Map<Integer, Long>> lags) {
        try {
            var byPartition = new HashMap<Integer, Long>();
            for (Map<Integer, LagInfo> store : ask.call().values()) {
                store.forEach((partition, lag) -> byPartition.merge(partition, lag.offsetLag(), Math::max));
            }
            lags.complete(byPartition);
        } catch (Exception e) {
            lags.completeExceptionally(e);
        }
    }
}
