package dev.laurel.processors.core.throttle;

import dev.laurel.processors.core.throttle.RankBaseline.RankMove;
import dev.laurel.processors.core.throttle.RankDiff.NotifiedRank;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of notifications about a group in a run of a leaderboard. Immutable.
 *
 * @param rulesVersion the version in force at the newest event received
 * @param runStart first date of the run
 * @param runEnd last date of the run; null: no end
 * @param isOver whether the run is final for the group
 * @param isChanged whether there is a change of which webhooks have not been notified
 * @param notifiedMs when webhooks were last notified of a change, or {@link NotifiedRank#NEVER}
 * @param dueMs when the next notification is due, or {@link #NOT_DUE}
 */
public record GroupNotificationState(long rulesVersion, LocalDate runStart, @Nullable LocalDate runEnd, boolean isOver,
        boolean isChanged,
        long notifiedMs, Ranks ranks, long dueMs) {

    public static final long NOT_DUE = Long.MAX_VALUE;

    /**
     * The state of notifications about ranks.
     *
     * @param hasBaseline whether the last notified rank of each user is known
     * @param haveChanged whether ranks may have changed since the last comparison
     * @param nextMs when the next rank may be notified, or {@link RankDiff#NOTHING}
     * @param moves the moves received while there is no baseline, at most {@link RankBaseline#MAX_MOVES}
     */
    public record Ranks(boolean hasBaseline, boolean haveChanged, long nextMs, List<RankMove> moves) {

        public static final Ranks UNKNOWN = new Ranks(false, false, RankDiff.NOTHING, List.of());

        /** The state with an empty baseline: all participants are new. */
        public static final Ranks EMPTY = new Ranks(true, false, RankDiff.NOTHING, List.of());

        public Ranks {
            moves = List.copyOf(moves);
        }

        /** The state after a move. */
        public Ranks after(RankMove move) {
            if (hasBaseline || moves.size() >= RankBaseline.MAX_MOVES || moves.contains(move)) {
                return new Ranks(hasBaseline, true, nextMs, moves);
            }
            var more = new ArrayList<>(moves);
            more.add(move);
            return new Ranks(false, true, nextMs, more);
        }

        /** The state after a comparison. @param isMoreDue whether more ranks may be notified now */
        public Ranks compared(boolean isMoreDue, long next) {
            return new Ranks(true, isMoreDue, next, List.of());
        }

        private long dueMs(long nowMs) {
            return haveChanged ? nowMs : nextMs;
        }
    }

    public static GroupNotificationState begun(long rulesVersion, LocalDate runStart, @Nullable LocalDate runEnd) {
        return new GroupNotificationState(rulesVersion, runStart, runEnd, false, false, NotifiedRank.NEVER,
                Ranks.UNKNOWN, NOT_DUE);
    }

    public GroupNotificationState under(long version, LocalDate start, @Nullable LocalDate end) {
        return new GroupNotificationState(Math.max(version, rulesVersion), start, end, isOver, isChanged, notifiedMs,
                ranks,
                dueMs);
    }

    public GroupNotificationState changed() {
        return new GroupNotificationState(rulesVersion, runStart, runEnd, isOver, true, notifiedMs, ranks, dueMs);
    }

    /** The state without the change, of which webhooks are not notified. */
    public GroupNotificationState unchanged() {
        return new GroupNotificationState(rulesVersion, runStart, runEnd, isOver, false, notifiedMs, ranks, dueMs);
    }

    public GroupNotificationState changeNotified(long atMs) {
        return new GroupNotificationState(rulesVersion, runStart, runEnd, isOver, false, atMs, ranks, dueMs);
    }

    public GroupNotificationState over() {
        return new GroupNotificationState(rulesVersion, runStart, runEnd, true, isChanged, notifiedMs, ranks, dueMs);
    }

    public GroupNotificationState with(Ranks known) {
        return new GroupNotificationState(rulesVersion, runStart, runEnd, isOver, isChanged, notifiedMs, known, dueMs);
    }

    /** Whether webhooks may be notified of a change. */
    public boolean isChangeDue(long nowMs, long windowMs) {
        return isChanged && (notifiedMs == NotifiedRank.NEVER || notifiedMs + windowMs <= nowMs);
    }

    /** Whether ranks are due to be compared. */
    public boolean areRanksDue(long nowMs) {
        return ranks.dueMs(nowMs) <= nowMs;
    }

    /** The state with its next due time. */
    public GroupNotificationState timed(long nowMs, long windowMs) {
        long changeMs = !isChanged
                ? NOT_DUE
                : notifiedMs == NotifiedRank.NEVER ? nowMs : Math.max(nowMs, notifiedMs + windowMs);
        long nextMs = Math.min(changeMs, ranks.dueMs(nowMs));
        if (nextMs == NOT_DUE && !ranks.hasBaseline() && notifiedMs != NotifiedRank.NEVER) {
            // The state can be deleted then.
            nextMs = notifiedMs + windowMs;
        }
        // A group that is already due keeps its due time, so that one pass does not find it twice.
        return dueAt(nextMs <= nowMs ? Math.min(nextMs, dueMs) : nextMs);
    }

    public GroupNotificationState dueAt(long atMs) {
        return new GroupNotificationState(rulesVersion, runStart, runEnd, isOver, isChanged, notifiedMs, ranks, atMs);
    }

    /** Whether nothing is left to notify or to remember. */
    public boolean isDone(long nowMs, long windowMs) {
        boolean isQuiet = !isChanged && ranks.dueMs(nowMs) == NOT_DUE;
        return isQuiet
                && (isOver || !ranks.hasBaseline()
                        && (notifiedMs == NotifiedRank.NEVER || notifiedMs + windowMs <= nowMs));
    }
}
