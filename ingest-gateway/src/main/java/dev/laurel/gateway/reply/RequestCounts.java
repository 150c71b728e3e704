package dev.laurel.gateway.reply;

import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** Counts of what became of requests, since the start of the process. Thread-safe. */
public final class RequestCounts {

    /** How the wait for a reply ended. */
    public enum Ending {
        /** With the whole reply. */
        REPLIED,
        /** With a reply that lacks some leaderboards. */
        PARTIAL,
        /** Without a reply in time: the request is in the log, or may be. */
        PENDING,
        /** The log did not accept the request. */
        NOT_STORED
    }

    /** Why a request was turned away before anything was stored. */
    public enum Reason {
        /** The limit of requests in flight is reached. */
        FULL,
        /** The log does not acknowledge. */
        SILENT,
        /** The gateway stops or has failed. */
        CLOSED
    }

    /** By the ordinal number of the constant. */
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

    public long ended(Ending how) {
        return ended[how.ordinal()].sum();
    }

    public long turnedAway(Reason reason) {
        return turnedAway[reason.ordinal()].sum();
    }
}
