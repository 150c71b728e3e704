package dev.laurel.gateway;

import java.util.concurrent.atomic.LongAdder;
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

    /** The counts by the ordinal of the constant. */
    private final LongAdder[] ended = adders(Ending.values().length);
    private final LongAdder[] turnedAway = adders(Reason.values().length);

    private static LongAdder[] adders(int number) {
        return Stream.generate(LongAdder::new).limit(number).toArray(LongAdder[]::new);
    }

    void countEnded(RequestResult result) {
        Ending how = switch (result) {
            case RequestResult.Replied replied -> replied.parts().missing().isEmpty() ? Ending.REPLIED : Ending.PARTIAL;
            case RequestResult.Pending _ -> Ending.PENDING;
            case RequestResult.TooLarge _,RequestResult.Unavailable _ -> Ending.NOT_STORED;
        };
        ended[how.ordinal()].increment();
    }

    void countTurnedAway(Reason reason) {
        turnedAway[reason.ordinal()].increment();
    }

    long ended(Ending how) {
        return ended[how.ordinal()].sum();
    }

    long turnedAway(Reason reason) {
        return turnedAway[reason.ordinal()].sum();
    }
}
