package dev.laurel.gateway;

import dev.laurel.platform.metrics.EnumCounts;

/** Counts requests by their {@link Ending}, or by the {@link Reason} why they were turned away. Thread-safe. */
final class RequestCounts extends EnumCounts {

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

    RequestCounts() {
        super(Ending.values(), Reason.values());
    }

    void countEnded(RequestResult result) {
        count(
                switch (result) {
                    case RequestResult.Replied replied ->
                        replied.parts().missing().isEmpty() ? Ending.REPLIED : Ending.PARTIAL;
                    case RequestResult.Pending _ -> Ending.PENDING;
                    case RequestResult.TooLarge _, RequestResult.Unavailable _ -> Ending.NOT_STORED;
                });
    }
}
