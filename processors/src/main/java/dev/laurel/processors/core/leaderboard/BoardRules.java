package dev.laurel.processors.core.leaderboard;

import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.LeaderboardStatus;
import dev.laurel.schemas.ruleset.RankBy;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A leaderboard arranged for being applied; made with the ruleset it belongs to. Immutable. */
public final class BoardRules {

    private final Leaderboard board;
    private final Runs runs;
    private final boolean isSum;

    public BoardRules(Leaderboard board) {
        this.board = board;
        this.runs = new Runs(board);
        this.isSum = !(board.rankBy() instanceof RankBy.StreakLength) && (board.runs() != null || hasWindow());
    }

    public Leaderboard board() {
        return board;
    }

    public int number() {
        return board.number();
    }

    public Runs runs() {
        return runs;
    }

    /** Whether a user's value is the sum of what counted, as opposed to the user's whole total (or length). */
    public boolean isSum() {
        return isSum;
    }

    /** Whether it takes scores, or will when its start has come. */
    public boolean isOpen() {
        return board.status() == LeaderboardStatus.ACTIVE || board.status() == LeaderboardStatus.SCHEDULED;
    }

    /** Whether users may have to be moved once it is active again: their streaks may be lost by then, or their groups others. */
    public boolean hearsNothingWhileInactive() {
        return isBrokenDown() || board.rankBy() instanceof RankBy.StreakLength;
    }

    private boolean hasWindow() {
        return board.startTime() != null || board.endTime() != null;
    }

    /** Whether something that happens at this moment lies in the time of day that counts. @param zone of the user */
    public boolean countsAt(long atMs, ZoneId zone) {
        if (!hasWindow()) {
            return true;
        }
        LocalTime time = Instant.ofEpochMilli(atMs).atZone(zone).toLocalTime();
        return (board.startTime() == null || !time.isBefore(board.startTime()))
                && (board.endTime() == null || time.isBefore(board.endTime()));
    }

    /** Whether there is a ranking per group. */
    public boolean isBrokenDown() {
        return !board.breakdownAttributes().isEmpty();
    }

    /**
     * The group of a user with these attributes: the values of the breakdown attributes, in their order. Null if one of them
     * is missing: such a user is in none.
     */
    public List<String> groupOf(Map<String, String> attributes) {
        if (board.breakdownAttributes().isEmpty()) {
            return List.of();
        }
        var values = new ArrayList<String>(board.breakdownAttributes().size());
        for (String key : board.breakdownAttributes()) {
            String value = attributes.get(key);
            if (value == null) {
                return null;
            }
            values.add(value);
        }
        return values;
    }
}
