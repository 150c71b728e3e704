package dev.laurel.platform.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The meters of one process, created once and passed to its components. Values are read on the scraping thread, which
 * never blocks the threads that count. Thread-safe.
 */
public final class Metrics {

    /** The content type of what {@link #scrape} writes. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** Strong references to the scopes; the registry has only weak references to their sources. */
    private final Set<MeterScope> scopes = ConcurrentHashMap.newKeySet();

    /** Serializes scrapes, because each one updates the rows of gauges. */
    private final ReentrantLock scraping = new ReentrantLock();

    /** The registry, for libraries that register meters themselves. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Creates a scope for the meters of a component, which may end before the process. */
    public MeterScope scope() {
        var scope = new MeterScope(registry, scopes::remove);
        scopes.add(scope);
        return scope;
    }

    /** Writes all meters in the text format of Prometheus. */
    public void scrape(OutputStream out) throws IOException {
        scraping.lock();
        try {
            scopes.forEach(MeterScope::refresh);
            registry.scrape(out, CONTENT_TYPE);
        } finally {
            scraping.unlock();
        }
    }
}
