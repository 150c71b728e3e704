package dev.laurel.warehouse.sync;

import com.sun.net.httpserver.HttpServer;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.platform.metrics.Metrics;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of a sync, at {@code /metrics} of an address of its own, where {@code /readyz} says whether the tables have been loaded.
 * Written by the thread of the sync.
 */
public final class SyncFigures implements AutoCloseable {

    private static final MeterName LAG = MeterName.ofSeconds(
            "laurel.sync.lag",
            "How long ago the tables had everything that was in Kafka; -1 before they have been loaded.");

    private final Metrics metrics = new Metrics();
    private final AtomicLong left = new AtomicLong();
    private final AtomicLong confirmedMs = new AtomicLong();
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final @Nullable HttpServer server;

    /** @param address null: they are not shown */
    public SyncFigures(@Nullable InetSocketAddress address) throws IOException {
        var scope = metrics.scope();
        scope.gauge(LAG, Tags.empty(), this::lagSeconds);
        scope.gauge(
                "laurel.sync.records.left",
                "Records that were in Kafka when the sync last looked, and that the tables do not have yet.",
                left::get);
        scope.counter("laurel.sync.rows", "Rows sent to the database; most of them are as they were.", rows::get);
        scope.counter(
                "laurel.sync.failures",
                "Failures of the database after which the sync has tried again.",
                failures::get);
        server = address == null ? null : HttpServer.create(address, 0);
        if (server != null) {
            server.createContext("/metrics", exchange -> {
                exchange.getResponseHeaders().add("Content-Type", Metrics.CONTENT_TYPE);
                exchange.sendResponseHeaders(200, 0);
                try (var out = exchange.getResponseBody()) {
                    metrics.scrape(out);
                }
            });
            server.createContext("/readyz", exchange -> {
                exchange.sendResponseHeaders(confirmedMs.get() == 0 ? 503 : 200, -1);
                exchange.close();
            });
            server.start();
        }
    }

    private double lagSeconds() {
        long confirmed = confirmedMs.get();
        return confirmed == 0 ? -1 : Math.max(0, System.currentTimeMillis() - confirmed) / 1_000.0;
    }

    /** @param confirmed when the tables had everything; 0: not yet */
    void show(long recordsLeft, long confirmed) {
        left.set(recordsLeft);
        confirmedMs.set(confirmed);
    }

    void wrote(int count) {
        rows.addAndGet(count);
    }

    void failed() {
        failures.incrementAndGet();
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
        }
    }
}
