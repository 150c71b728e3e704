package dev.laurel.schemas.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The meters of one process, made once by whoever puts it together and handed to its parts. What is counted is read when
 * it is scraped, on the thread that scrapes: those that count never wait for that. Thread-safe.
 */
public final class Metrics {

    /** Of what {@link #scrape} writes. */
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** The registry itself holds what it reads by weak references only. */
    private final Set<MeterScope> scopes = ConcurrentHashMap.newKeySet();

    /** One scrape at a time: each fills lines that another one may be writing out. */
    private final ReentrantLock scraping = new ReentrantLock();

    /** For libraries that register meters themselves. */
    public MeterRegistry registry() {
        return registry;
    }

    /** For the meters of a part, which may end before the process does. */
    public MeterScope scope() {
        var scope = new MeterScope(registry, scopes::remove);
        scopes.add(scope);
        return scope;
    }

    /** Writes everything in the text format of Prometheus. */
    public void scrape(OutputStream out) throws IOException {
        scraping.lock();
        try {
            scopes.forEach(MeterScope::look);
            registry.scrape(out, CONTENT_TYPE);
        } finally {
            scraping.unlock();
        }
    }
}
