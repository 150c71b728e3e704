package dev.laurel.core.leaderboard;

import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The rules of one leaderboard, made with the compiled ruleset. Immutable. */
public final class LeaderboardRules {

    private final Leaderboard board;
    private final Runs runs;
    private final boolean isSum;
    private final boolean isSpread;
    private final List<String> keys;

    public LeaderboardRules(Leaderboard board) {
        this.board = board;
        this.runs = new Runs(board);
        this.isSum = !isOfStreaks() && (board.runs() != null || hasWindow());
        this.isSpread = board.hasSpreadGroups();
        this.keys = keysOf(board);
    }

    private static List<String> keysOf(Leaderboard board) {
        return board.teams() == null
                ? board.breakdownAttributes()
                : Stream.concat(
                                board.breakdownAttributes().stream(),
                                Stream.of(board.teams().attribute()))
                        .toList();
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

    /** Whether a user's value is the sum of the changes that count, not the whole total or length. */
    public boolean isSum() {
        return isSum;
    }

    /** Whether it takes scores now or from its start on. */
    public boolean isOpen() {
        return board.status() == LeaderboardStatus.ACTIVE || board.status() == LeaderboardStatus.SCHEDULED;
    }

    /** Whether an inactive leaderboard misses lost streaks or changes of groups, which are corrected at the activation. */
    public boolean missesChangesWhileInactive() {
        return isBrokenDown() || isOfStreaks();
    }

    /** Whether it compares streaks. */
    boolean isOfStreaks() {
        return board.rankBy() instanceof RankBy.StreakLength;
    }

    private boolean hasWindow() {
        return board.startTime() != null || board.endTime() != null;
    }

    /** Whether changes at this moment count, by the time of day in the user's zone. */
    public boolean countsAt(long atMs, ZoneId zone) {
        if (!hasWindow()) {
            return true;
        }
        LocalTime time = Instant.ofEpochMilli(atMs).atZone(zone).toLocalTime();
        return (board.startTime() == null || !time.isBefore(board.startTime()))
                && (board.endTime() == null || time.isBefore(board.endTime()));
    }

    /** The user attributes whose values are the groups: those of the breakdown, and last that of the teams, if there are any. */
    public List<String> keys() {
        return keys;
    }

    /** Whether each group has its own ranking. */
    public boolean isBrokenDown() {
        return !keys.isEmpty();
    }

    /** Whether each group is a ranking for itself, see {@link Leaderboard#hasSpreadGroups}. */
    public boolean isSpread() {
        return isSpread;
    }

    /**
     * The group of a user with these attributes: the values of the {@link #keys}, in their order. Null: no group, since
     * an attribute is missing.
     */
    public @Nullable List<String> groupOf(Map<String, String> attributes) {
        if (keys.isEmpty()) {
            return List.of();
        }
        var values = new ArrayList<String>(keys.size());
        for (String key : keys) {
            String value = attributes.get(key);
            if (value == null) {
                return null;
            }
            values.add(value);
        }
        return values;
    }
}
