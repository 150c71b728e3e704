package dev.laurel.gateway.reply;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What became of requests that were to go through the log, counted since the start of the process. Thread-safe. */
public final class ExchangeCounts {

    /** How a wait ended. */
    public enum Ending {
        /** With the whole answer. */
        REPLIED,
        /** With the answer, but not all leaderboards in it. */
        PARTIAL,
        /** Without an answer in time: it is in the log, or may be. */
        PENDING,
        /** It is not in the log, which would not take it. */
        NOT_STORED
    }

    /** Why a request was turned away before anything was stored. */
    public enum Reason {
        /** As many requests are in flight as may be. */
        FULL,
        /** The log does not acknowledge. */
        SILENT,
        /** The gateway stops, or cannot go on. */
        CLOSED
    }

    private final Map<Ending, LongAdder> ended = adders(Ending.class);
    private final Map<Reason, LongAdder> turnedAway = adders(Reason.class);

    private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> type) {
        var adders = new EnumMap<E, LongAdder>(type);
        for (E value : type.getEnumConstants()) {
            adders.put(value, new LongAdder());
        }
        return adders;
    }

    void countEnded(Answer answer) {
        ended.get(switch (answer) {
            case Answer.Replied replied -> replied.parts().missing().isEmpty() ? Ending.REPLIED : Ending.PARTIAL;
            case Answer.Pending _ -> Ending.PENDING;
            case Answer.TooLarge _,Answer.Unavailable _ -> Ending.NOT_STORED;
        }).increment();
    }

    void countTurnedAway(Reason reason) {
        turnedAway.get(reason).increment();
    }

    public long ended(Ending how) {
        return ended.get(how).sum();
    }

    public long turnedAway(Reason reason) {
        return turnedAway.get(reason).sum();
    }
}
