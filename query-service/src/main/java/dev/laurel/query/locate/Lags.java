package dev.laurel.query.locate;

import dev.laurel.query.read.NotReadyException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.streams.LagInfo;

/**
 * How far the stores here are behind their changelogs. Kafka Streams asks the brokers for the ends of all of them, so that is
 * done once for all who ask within a second, and only if somebody does: while all owners are there, nobody. Thread-safe.
 */
final class Lags {

    private static final long KEPT_NS = Duration.ofSeconds(1).toNanos();
    private static final long PATIENCE_MS = 1_000;

    private final Callable<Map<String, Map<Integer, LagInfo>>> ask;
    private Asked newest;

    private record Asked(long atNs, CompletableFuture<Map<Integer, Long>> lags) {}

    /** @param ask by store and partition; may block */
    Lags(Callable<Map<String, Map<Integer, LagInfo>>> ask) {
        this.ask = ask;
    }

    /**
     * Of the store of the partition that is furthest behind, in records: 0 where the task runs, the marks of transactions
     * included where a copy follows it; null if there is no store of the partition here.
     *
     * @throws NotReadyException if it could not be found out in time
     */
    Long of(int partition) {
        try {
            return current().get(PATIENCE_MS, TimeUnit.MILLISECONDS).get(partition);
        } catch (ExecutionException | TimeoutException e) {
            throw new NotReadyException("how far copies are behind cannot be found out now", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotReadyException("interrupted while asking how far copies are behind", e);
        }
    }

    private synchronized CompletableFuture<Map<Integer, Long>> current() {
        long nowNs = System.nanoTime();
        if (newest == null || nowNs - newest.atNs() > KEPT_NS) {
            var lags = new CompletableFuture<Map<Integer, Long>>();
            newest = new Asked(nowNs, lags);
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
