package dev.laurel.processors.core.notice;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * What is to be told of a group of a run of a leaderboard. Immutable.
 *
 * @param rulesVersion in force at the newest thing heard
 * @param runStart first date of the run
 * @param runEnd last one, null if it has none
 * @param isOver whether the run is final for the group
 * @param isChanged whether there is a change that webhooks were not told of
 * @param toldMs when they were last told of one, {@link ToldRank#NEVER} if they were not
 * @param ranks what is known of ranks
 * @param dueMs when it is to be looked at, {@link #NOT_DUE} if nothing is left to do
 */
public record BoardWatch(long rulesVersion, LocalDate runStart, LocalDate runEnd, boolean isOver, boolean isChanged,
        long toldMs, Ranks ranks, long dueMs) {

    public static final long NOT_DUE = Long.MAX_VALUE;

    /**
     * @param hasBaseline whether it is known how each user stood as far as webhooks were told
     * @param haveChanged whether ranks may differ from that since the last look
     * @param nextMs when some that do can be told, {@link RankDiff#NOTHING} if there are none
     * @param moves what was heard while there is no baseline, at most {@link RankBaseline#MAX_MOVES}
     */
    public record Ranks(boolean hasBaseline, boolean haveChanged, long nextMs, List<RankMove> moves) {

        public static final Ranks UNKNOWN = new Ranks(false, false, RankDiff.NOTHING, List.of());

        /** From nothing: all who are on it have come since. */
        public static final Ranks EMPTY = new Ranks(true, false, RankDiff.NOTHING, List.of());

        public Ranks {
            moves = List.copyOf(moves);
        }

        /** Somebody has moved. */
        public Ranks after(RankMove move) {
            if (hasBaseline || moves.size() >= RankBaseline.MAX_MOVES || moves.contains(move)) {
                return new Ranks(hasBaseline, true, nextMs, moves);
            }
            var more = new ArrayList<>(moves);
            more.add(move);
            return new Ranks(false, true, nextMs, more);
        }

        /** All that can be told now is. */
        public Ranks lookedAt(boolean isMoreDue, long next) {
            return new Ranks(true, isMoreDue, next, List.of());
        }

        private long dueMs(long nowMs) {
            return haveChanged ? nowMs : nextMs;
        }
    }

    public static BoardWatch begun(long rulesVersion, LocalDate runStart, LocalDate runEnd) {
        return new BoardWatch(rulesVersion, runStart, runEnd, false, false, ToldRank.NEVER, Ranks.UNKNOWN, NOT_DUE);
    }

    public BoardWatch under(long version, LocalDate start, LocalDate end) {
        return new BoardWatch(Math.max(version, rulesVersion), start, end, isOver, isChanged, toldMs, ranks, dueMs);
    }

    public BoardWatch changed() {
        return new BoardWatch(rulesVersion, runStart, runEnd, isOver, true, toldMs, ranks, dueMs);
    }

    /** Nothing of changes is to be told. */
    public BoardWatch unchanged() {
        return new BoardWatch(rulesVersion, runStart, runEnd, isOver, false, toldMs, ranks, dueMs);
    }

    public BoardWatch toldOfChange(long atMs) {
        return new BoardWatch(rulesVersion, runStart, runEnd, isOver, false, atMs, ranks, dueMs);
    }

    public BoardWatch over() {
        return new BoardWatch(rulesVersion, runStart, runEnd, true, isChanged, toldMs, ranks, dueMs);
    }

    public BoardWatch with(Ranks known) {
        return new BoardWatch(rulesVersion, runStart, runEnd, isOver, isChanged, toldMs, known, dueMs);
    }

    /** Whether webhooks may be told of a change. */
    public boolean isChangeDue(long nowMs, long windowMs) {
        return isChanged && (toldMs == ToldRank.NEVER || toldMs + windowMs <= nowMs);
    }

    /** Whether ranks are to be compared. */
    public boolean areRanksDue(long nowMs) {
        return ranks.dueMs(nowMs) <= nowMs;
    }

    /** With the time of the next look. */
    public BoardWatch timed(long nowMs, long windowMs) {
        long changeMs = !isChanged ? NOT_DUE : toldMs == ToldRank.NEVER ? nowMs : Math.max(nowMs, toldMs + windowMs);
        long nextMs = Math.min(changeMs, ranks.dueMs(nowMs));
        if (nextMs == NOT_DUE && !ranks.hasBaseline() && toldMs != ToldRank.NEVER) {
            // Then it can be forgotten.
            nextMs = toldMs + windowMs;
        }
        // What is due already keeps its place, so that one look does not come upon it twice.
        return dueAt(nextMs <= nowMs ? Math.min(nextMs, dueMs) : nextMs);
    }

    public BoardWatch dueAt(long atMs) {
        return new BoardWatch(rulesVersion, runStart, runEnd, isOver, isChanged, toldMs, ranks, atMs);
    }

    /** Whether nothing is left to be told, nor to be known for what may come. */
    public boolean isDone(long nowMs, long windowMs) {
        boolean isQuiet = !isChanged && ranks.dueMs(nowMs) == NOT_DUE;
        return isQuiet && (isOver || !ranks.hasBaseline() && (toldMs == ToldRank.NEVER || toldMs + windowMs <= nowMs));
    }
}
