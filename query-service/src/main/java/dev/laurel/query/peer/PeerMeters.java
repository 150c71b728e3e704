package dev.laurel.query.peer;

import dev.laurel.schemas.metrics.MeterName;
import dev.laurel.schemas.metrics.MeterScope;
import dev.laurel.schemas.metrics.Metrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** How the calls of this process to others end, and how long they take. One for all calls of a process. Thread-safe. */
public final class PeerMeters implements AutoCloseable {

    private static final MeterName CALLS = MeterName.of("laurel.peer.calls",
            "Calls of this process to others of the deployment, by how they ended.");
    private static final MeterName DURATION = MeterName.ofSeconds("laurel.peer.call.duration",
            "From such a call to its answer, or to when it was given up; those not made are not in it.");

    /** A call takes a millisecond or two, and is given up after 2 s; one that goes through all users after 20 s. */
    private static final Duration[] BUCKETS = Stream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 20_000)
            .map(Duration::ofMillis).toArray(Duration[]::new);

    private final MeterScope meters;
    private final Map<Outcome, Counter> calls = new EnumMap<>(Outcome.class);
    private final Timer duration;

    /** How a call ended. */
    enum Outcome {
        /** With an answer, be it that there is no such user. */
        ANSWERED,
        /** The other one cannot answer that now: 503. */
        NOT_READY,
        /** It was started with another admin key. */
        REFUSED,
        /** No connection, or no answer in time. */
        AWAY,
        /** None was made, for it was away a moment ago, or too many calls to it are under way. */
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
        calls.get(outcome).increment();
        duration.record(Duration.ofNanos(System.nanoTime() - startedNs));
    }

    void notMade() {
        calls.get(Outcome.NOT_MADE).increment();
    }

    @Override
    public void close() {
        meters.close();
    }
}
