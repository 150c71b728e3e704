package dev.laurel.processors.stream;

/**
 * What a generation tells of: of each partition of its log one stretch, from the marker with which it came into force to
 * the one with which the next did. Outside of it the generation is silent: it comes to the same state and says nothing, as
 * another one does that. Thread-safe.
 */
public interface Telling {

    /** An offset that no record has. */
    long NEVER = Long.MAX_VALUE;

    /**
     * A stretch of a partition of the log.
     *
     * @param from offset of the marker it begins with, 0 for the first generation's, {@link #NEVER} if it has not begun
     * @param until offset of the marker it ends with, {@link #NEVER} if it has not ended
     */
    record Stretch(long from, long until) {

        static final Stretch ALL = new Stretch(0, NEVER);
        static final Stretch NONE = new Stretch(NEVER, NEVER);
    }

    /** Waits until {@link #stretch} knows all that was decided before this call. Fails if that takes too long: a fault. */
    void refresh();

    Stretch stretch(int partition);

    /** A task of this process goes by this from here on. */
    default void goesBy(int partition, Stretch told) {
        // Where there is one generation only, all of it is told.
    }

    /**
     * Whether a task of this partition, if one is here and has caught up, shows all that was answered: by this generation, or by the
     * one before up to where this one begins. Never waits.
     */
    default boolean isCurrent(int partition) {
        return true;
    }

    /** Whether another one is in force by now, so that this one shows a past. Never waits. */
    default boolean isOver() {
        return false;
    }

    /** Whether there is or was another one that tells of the beginning of the log. */
    boolean isSilentAtFirst();

    /** What a marker means for the generation that reads it. */
    enum Handover {
        /** Nobody promoted this generation there: a stranger's marker. */
        UNKNOWN,
        /** It is another one's matter. */
        OTHER,
        /** This one tells from here on. The one before it has come to here and told its last, in this partition. */
        BEGIN,
        /** This one has told its last. */
        END
    }

    /**
     * Reads a marker. Waits for what is on its way; fails if that takes too long: a fault.
     *
     * @param generation that is in force from here on
     */
    Handover read(int generation, int partition, long offset);

    /** The only generation there is. */
    Telling EVERYTHING = new Constant(Stretch.ALL, false, Handover.UNKNOWN);

    /** A shadow: it folds the log, and tells nobody. */
    Telling NOTHING = new Constant(Stretch.NONE, true, Handover.OTHER);

    /** What does not change. */
    record Constant(Stretch stretch, boolean isSilentAtFirst, Handover handover) implements Telling {

        @Override
        public void refresh() {
            // all is known
        }

        @Override
        public Stretch stretch(int partition) {
            return stretch;
        }

        @Override
        public Handover read(int generation, int partition, long offset) {
            return handover;
        }
    }
}
