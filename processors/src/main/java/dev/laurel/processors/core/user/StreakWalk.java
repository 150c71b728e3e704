package dev.laurel.processors.core.user;

/**
 * The length of a streak on its way through the periods. There are two of them: {@link #shown} is what was shown at the
 * time, which a restore does not touch; {@link #kept} runs on through restored periods. They meet again at the pin that the
 * restore has set.
 */
final class StreakWalk {

    int shown;
    int kept;
    int startedDay;

    /** The largest {@link #shown} on the way. */
    int longest;

    /** Passes a pin. */
    void shift(int change) {
        kept = (int) Math.max(0, (long) kept + change);
        shown = kept;
        longest = Math.max(longest, shown);
    }

    void meet(int day) {
        if (kept == 0) {
            startedDay = day;
        }
        kept++;
        shown++;
        longest = Math.max(longest, shown);
    }

    void restore() {
        shown = 0;
    }

    void miss() {
        shown = 0;
        kept = 0;
    }
}
