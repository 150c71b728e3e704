package dev.laurel.processors.core.user;

/**
 * The newest chain of met days of one user.
 *
 * @param lastDay its last met local day, as an epoch day
 * @param length met days in the chain; 0 if there never was one
 * @param extendedAtMs when the last of them was met
 * @param isLost a day has ended unmet since: the present length is 0
 */
public record StreakState(int lastDay, int length, long extendedAtMs, boolean isLost) {

    public static final StreakState NONE = new StreakState(0, 0, 0, false);

    /** The length that the user has now. */
    public int presentLength() {
        return isLost ? 0 : length;
    }

    public boolean isAlive() {
        return presentLength() > 0;
    }
}
