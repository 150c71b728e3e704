package dev.laurel.gateway;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts requests by their outcome, since the start of the process. Thread-safe. */
final class RequestCounts {

    /** The outcome of the wait for a reply. */
    enum Ending {
        /** The whole reply arrived. */
        REPLIED,
        /** A reply arrived that lacks some leaderboards. */
        PARTIAL,
        /** No reply arrived in time; the request is or may be in the log. */
        PENDING,
        /** The log did not accept the request. */
        NOT_STORED
    }

    /** The reason why a request was turned away before anything was stored. */
    enum Reason {
        /** The limit of requests in flight is reached. */
        FULL,
        /** The log does not acknowledge records. */
        SILENT,
        /** The gateway stops or has failed. */
        CLOSED
    }

    private final Map<Enum<?>, LongAdder> counts = Stream.of(Ending.values(), Reason.values())
            .flatMap(Stream::of)
            .collect(Collectors.toUnmodifiableMap(Function.identity(), _ -> new LongAdder()));

    void countEnded(RequestResult result) {
        count(
                switch (result) {
                    case RequestResult.Replied replied ->
                        replied.parts().missing().isEmpty() ? Ending.REPLIED : Ending.PARTIAL;
                    case RequestResult.Pending _ -> Ending.PENDING;
                    case RequestResult.TooLarge _, RequestResult.Unavailable _ -> Ending.NOT_STORED;
                });
    }

    /** @param what how a request has ended, or why it was turned away */
    void count(Enum<?> what) {
        adder(what).increment();
    }

    long of(Enum<?> what) {
        return adder(what).sum();
    }

    private LongAdder adder(Enum<?> what) {
        return Objects.requireNonNull(counts.get(what));
    }
}
