package dev.laurel.query.peer;

import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.Metrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Meters of the calls of this process to others, by outcome and duration. One instance per process; thread-safe. */
public final class PeerMeters implements AutoCloseable {

    private static final MeterName CALLS = MeterName.of("laurel.peer.calls",
            "Calls of this process to others of the deployment, by outcome.");
    private static final MeterName DURATION = MeterName.ofSeconds("laurel.peer.call.duration",
            "Duration of these calls until the answer or the timeout. Calls that were not made do not count.");

    /** A call takes one or two milliseconds. It times out after 2 s, or after 20 s if it reads every user. */
    private static final Duration[] BUCKETS = Stream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 20_000)
            .map(Duration::ofMillis).toArray(Duration[]::new);

    private final MeterScope meters;
    private final Map<Outcome, Counter> calls = new EnumMap<>(Outcome.class);
    private final Timer duration;

    /** The outcome of a call. */
    enum Outcome {
        /** The peer sent any response, such as 404 for an unknown user. */
        ANSWERED,
        /** The peer cannot answer now: 503. */
        NOT_READY,
        /** The peer was started with another admin key. */
        REFUSED,
        /** No connection, or no response in time. */
        AWAY,
        /** No call was made, because the peer was away a moment ago or too many calls to it are under way. */
        NOT_MADE
    }

    public PeerMeters(Metrics metrics) {
        this.meters = metrics.scope();
        for (Outcome outcome : Outcome.values()) {
            calls.put(outcome, meters.counter(CALLS, Tags.of("outcome", outcome.name().toLowerCase(Locale.ROOT))));
        }
        this.duration = meters.timer(DURATION, Tags.empty(), BUCKETS);
    }

    void ended(Outcome outcome, long startedNs) {
        counter(outcome).increment();
        duration.record(Duration.ofNanos(System.nanoTime() - startedNs));
    }

    void notMade() {
        counter(Outcome.NOT_MADE).increment();
    }

    private Counter counter(Outcome outcome) {
        return Objects.requireNonNull(calls.get(outcome));
    }

    @Override
    public void close() {
        meters.close();
    }
}
