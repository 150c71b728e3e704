package dev.laurel.processors.core.leaderboard;

import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** The end of UTC days on a leaderboard: who stood differently than at the end before (semantics.md §7). Pure. */
public final class DayClose {

    /** No day was closed yet. */
    public static final int NEVER = Integer.MIN_VALUE;

    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    /** A user's standing at the end of a day that differs from the one before. @param rank null, as is {@code value}, if out */
    public record Change(UserId user, Integer rank, BigDecimal value) {}

    private DayClose() {}

    /** The UTC day of a moment, in days since 1970. */
    public static int dayOf(long atMs) {
        return Math.clamp(Math.floorDiv(atMs, DAY_MS), Integer.MIN_VALUE / 2, Integer.MAX_VALUE / 2);
    }

    /** The moment at which a day begins. */
    public static long beginningMsOf(int day) {
        return day * DAY_MS;
    }

    /**
     * The day at whose end a group first stood as it does now. A group is closed before its next change, so that is the first
     * day not closed yet; where none was (history is read in, and time stands still), the day of the newest value.
     *
     * @param closedDay the last one closed, or {@link #NEVER}
     * @param lastDay the last one that is over
     */
    public static int dayToClose(Ranking ranking, int closedDay, int lastDay) {
        if (closedDay != NEVER) {
            return Math.min(closedDay + 1, lastDay);
        }
        long newestMs = Long.MIN_VALUE;
        for (int rank = 1; rank <= ranking.size(); rank++) {
            newestMs = Math.max(newestMs, ranking.at(rank).changedMs());
        }
        return ranking.size() == 0 ? lastDay : Math.min(dayOf(newestMs), lastDay);
    }

    /** Those who take part with another rank or value than at the last close, by rank, then those who left since. */
    public static List<Change> changes(Ranking last, Ranking now) {
        var lastRanks = new HashMap<UserId, Integer>(last.size() * 2);
        for (int rank = 1; rank <= last.size(); rank++) {
            lastRanks.put(last.at(rank).user(), rank);
        }
        var changes = new ArrayList<Change>();
        for (int rank = 1; rank <= now.size(); rank++) {
            Standing standing = now.at(rank);
            Integer lastRank = lastRanks.remove(standing.user());
            if (lastRank == null || lastRank != rank
                    || last.at(lastRank).value().compareTo(standing.value()) != 0) {
                changes.add(new Change(standing.user(), rank, standing.value()));
            }
        }
        for (int rank = 1; rank <= last.size(); rank++) {
            UserId user = last.at(rank).user();
            if (lastRanks.containsKey(user)) {
                changes.add(new Change(user, null, null));
            }
        }
        return changes;
    }
}
