package dev.laurel.platform.http;

import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.platform.metrics.Metrics;
import io.javalin.http.Context;
import io.javalin.router.Endpoint;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Meters of HTTP requests by route template, never by the path that a client sent. Requests that match no route share
 * one route and method, {@value #NONE}, so that clients cannot create time series. The meters of a route are created at
 * its first request. Thread-safe.
 */
final class HttpMeters implements AutoCloseable {

    static final String NONE = "none";
    private static final int FAULT = 500;

    private static final MeterName REQUESTS = MeterName.of("laurel.http.requests", "Requests that were answered.");
    private static final MeterName FAULTS =
            MeterName.of("laurel.http.faults", "Requests of all routes that were answered 500: a fault of Laurel.");
    private static final MeterName DURATION = MeterName.ofSeconds(
            "laurel.http.request.duration", "Time from the head of a request to the end of its answer.");
    private static final MeterName IN_FLIGHT =
            MeterName.of("laurel.http.requests.in.flight", "Requests that are not answered yet.");

    /** Most answers take a few milliseconds; after 30 s a request is answered as pending. */
    private static final Duration[] BUCKETS = Stream.of(
                    1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000)
            .map(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterScope meters;
    private final Metrics metrics;
    private final Map<Endpoint, OfRoute> routes = new ConcurrentHashMap<>();
    private final OfRoute none;

    /** Registered at the start, unlike the meters of routes, so that an alert sees the first increment. */
    private final Counter faults;

    private final LongAdder inFlight = new LongAdder();

    /** The meters of one route. */
    private record OfRoute(Tags tags, Timer duration, Map<Integer, Counter> byStatus) {}

    HttpMeters(Metrics metrics) {
        this.metrics = metrics;
        this.meters = metrics.scope();
        meters.gauge(IN_FLIGHT, Tags.empty(), inFlight::sum);
        this.none = ofRoute(NONE, NONE);
        this.faults = meters.counter(FAULTS, Tags.empty());
    }

    private OfRoute ofRoute(String method, String route) {
        var tags = Tags.of("method", method, "route", route);
        return new OfRoute(tags, meters.timer(DURATION, tags, BUCKETS), new ConcurrentHashMap<>());
    }

    /** Counts requests in progress; installed as the first filter. */
    void countInProgress(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        inFlight.increment();
        try {
            chain.doFilter(request, response);
        } finally {
            inFlight.decrement();
        }
    }

    /** Records a request that has been answered. */
    void answered(Context context, float tookMs) {
        Endpoint endpoint = context.endpoints().matchedHttpEndpoint();
        OfRoute route = endpoint == null ? none : routes.get(endpoint);
        if (route == null) {
            route = routes.computeIfAbsent(endpoint, e -> ofRoute(e.method.name(), e.path));
        }
        route.duration.record((long) (tookMs * 1_000), TimeUnit.MICROSECONDS);
        count(route, context.statusCode());
    }

    /** Counts a request that could not be parsed and was answered with an error. */
    void unreadable(int status) {
        count(none, status);
    }

    private void count(OfRoute route, int status) {
        Counter counter = route.byStatus.get(status);
        if (counter == null) {
            counter = route.byStatus.computeIfAbsent(
                    status, s -> meters.counter(REQUESTS, route.tags.and("status", Integer.toString(s))));
        }
        counter.increment();
        if (status == FAULT) {
            faults.increment();
        }
    }

    /** Writes all metrics of this process in the format of Prometheus. */
    void write(Context context) throws IOException {
        context.res().setCharacterEncoding(null); // the content type contains it
        context.status(200).contentType(Metrics.CONTENT_TYPE);
        metrics.scrape(context.outputStream());
    }

    @Override
    public void close() {
        meters.close();
    }
}
