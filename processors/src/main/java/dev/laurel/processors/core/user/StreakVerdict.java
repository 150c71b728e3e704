package dev.laurel.processors.core.user;

/** What became of a period of a streak (semantics.md §5). The order is durable data. */
enum StreakVerdict {

    /** Not met, so far; missed once it is over. */
    NONE, MET,
    /** Missed, covered by a freeze. */
    FROZEN,
    /** Missed, covered by a restore. */
    RESTORED,
    /** A change of zone took it away. */
    EXCUSED,
    /** Covered by a pause that is no longer remembered; one that is remembered speaks for itself. */
    PAUSED;

    private static final StreakVerdict[] VALUES = values();

    static StreakVerdict of(int ordinal) {
        return VALUES[ordinal];
    }
}
