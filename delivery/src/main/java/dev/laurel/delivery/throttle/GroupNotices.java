package dev.laurel.delivery.throttle;

import static dev.laurel.delivery.throttle.RankDiff.FormerRank.NEVER;

import dev.laurel.delivery.throttle.RankDiff.Move;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Records;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The notices about a group in a run of a leaderboard that wait, and the window after the last one. Immutable.
 *
 * @param rulesVersion the version in force at the newest event received
 * @param runStart first date of the run
 * @param runEnd last date of the run; null: no end
 * @param isChanged whether there is a change of which webhooks have not been notified
 * @param notifiedMs when webhooks were last notified of a change, or {@code NEVER}
 * @param moves the first move of each user since ranks were last compared, at most {@link RankDiff#MAX_MOVES}
 * @param nextMs when ranks are compared again without a move, or {@link RankDiff#NOTHING}
 * @param dueMs when there is something to do, or {@link #NOT_DUE}; the time of the notices that are sent then
 */
record GroupNotices(
        long rulesVersion,
        LocalDate runStart,
        @Nullable LocalDate runEnd,
        boolean isChanged,
        long notifiedMs,
        List<Move> moves,
        long nextMs,
        long dueMs) {

    static final long NOT_DUE = Long.MAX_VALUE;

    GroupNotices {
        moves = List.copyOf(moves);
    }

    static GroupNotices none(long rulesVersion, LocalDate runStart, @Nullable LocalDate runEnd) {
        return new GroupNotices(rulesVersion, runStart, runEnd, false, NEVER, List.of(), RankDiff.NOTHING, NOT_DUE);
    }

    GroupNotices under(long version, LocalDate start, @Nullable LocalDate end) {
        return Records.with(this, "rulesVersion", Math.max(version, rulesVersion), "runStart", start, "runEnd", end);
    }

    /** @param changed whether there is a change of which webhooks have not been notified */
    GroupNotices changed(boolean changed) {
        return Records.with(this, "isChanged", changed);
    }

    GroupNotices changeNotified(long atMs) {
        return Records.with(this, "isChanged", false, "notifiedMs", atMs);
    }

    /** The notices after a move, which changes nothing if a move of the user waits. */
    GroupNotices moved(Move move) {
        if (moves.size() >= RankDiff.MAX_MOVES
                || moves.stream().anyMatch(other -> other.user().equals(move.user()))) {
            return this;
        }
        var more = new ArrayList<>(moves);
        more.add(move);
        return Records.with(this, "moves", more);
    }

    /** The notices after a user went to another group, which has the notice of it. */
    GroupNotices gone(UserId user) {
        List<Move> others = moves.stream()
                .map(move -> move.user().equals(user) ? Records.with(move, "isElsewhere", true) : move)
                .toList();
        return Records.with(this, "moves", others);
    }

    /** The notices after a comparison of ranks. @param next when the next one is due, unless a user moves */
    GroupNotices compared(long next) {
        return Records.with(this, "moves", List.of(), "nextMs", next);
    }

    /** Whether webhooks may be notified of a change. */
    boolean isChangeDue(long nowMs, long windowMs) {
        return isChanged && (notifiedMs == NEVER || notifiedMs + windowMs <= nowMs);
    }

    /** Whether ranks are due to be compared. */
    boolean areRanksDue(long nowMs) {
        return !moves.isEmpty() || nextMs <= nowMs;
    }

    /** The notices with their next due time. @param expiryMs when the next window of a user ends */
    GroupNotices timed(long nowMs, long windowMs, long expiryMs) {
        long windowEndMs = notifiedMs == NEVER ? NEVER : notifiedMs + windowMs;
        long changeMs = isChanged ? Math.max(nowMs, windowEndMs) : windowEndMs > nowMs ? windowEndMs : NOT_DUE;
        long atMs = Math.min(Math.min(moves.isEmpty() ? nextMs : nowMs, changeMs), expiryMs);
        // Notices that are due keep their time, so that one pass does not find them twice.
        return dueAt(atMs <= nowMs ? Math.min(atMs, dueMs) : atMs);
    }

    GroupNotices dueAt(long atMs) {
        return Records.with(this, "dueMs", atMs);
    }
}
