package dev.laurel.deploy.tools.doctor.facts;

/**
 * How far another clock was ahead of this machine's, between two bounds, in milliseconds: the answer was on its way for some time,
 * and may show no parts of a second.
 */
public record ClockFacts(long leastMs, long mostMs) {

    /**
     * @param shownMs what it showed
     * @param unitMs how exact that is: it showed that time or up to this much later
     * @param askedMs this machine's time when it was asked
     * @param answeredMs and when its answer was here
     */
    public static ClockFacts of(long shownMs, long unitMs, long askedMs, long answeredMs) {
        return new ClockFacts(shownMs - answeredMs, shownMs + unitMs - askedMs);
    }

    /** How far it is off at least, ahead or behind: 0 if it may be right. */
    public long offMs() {
        return leastMs > 0 ? leastMs : mostMs < 0 ? -mostMs : 0;
    }

    public boolean isAhead() {
        return leastMs > 0;
    }
}
