package dev.laurel.processors.core.leaderboard;

import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Closes UTC days of a leaderboard: finds the ranks that differ from the previous close (docs/semantics.md §7). Pure. */
public final class DayClose {

    /** No day was closed yet. */
    public static final int NEVER = Integer.MIN_VALUE;

    private static final long DAY_MS = Duration.ofDays(1).toMillis();

    /** A user's rank at the end of a day. @param rank null, as is {@code value}, if the user took no part */
    public record Place(UserId user, @Nullable Integer rank, @Nullable BigDecimal value) {}

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
     * The day at whose end a group first had its present ranking. A group is closed before its next change, so that is the
     * first day not closed yet; if none was closed (history is imported while the clock does not move), the day of the newest
     * value.
     *
     * @param closedDay the last one closed, or {@link #NEVER}
     * @param lastDay the last one that is over
     */
    public static int dayToClose(Ranking ranking, int closedDay, int lastDay) {
        if (closedDay != NEVER) {
            return Math.min(closedDay + 1, lastDay);
        }
        return ranking.size() == 0 ? lastDay : Math.min(newestDay(ranking), lastDay);
    }

    /** The day of the newest value. @param ranking of at least one */
    public static int newestDay(Ranking ranking) {
        long newestMs = Long.MIN_VALUE;
        for (int rank = 1; rank <= ranking.size(); rank++) {
            newestMs = Math.max(newestMs, ranking.at(rank).changedMs());
        }
        return dayOf(newestMs);
    }

    /** The places of all participants, by rank. */
    public static List<Place> places(Ranking ranking) {
        var places = new ArrayList<Place>(ranking.size());
        for (int rank = 1; rank <= ranking.size(); rank++) {
            places.add(new Place(ranking.at(rank).user(), rank, ranking.at(rank).value()));
        }
        return places;
    }

    /**
     * The places of those who take part with another rank or value than at the last close, by rank, then of those who left.
     *
     * @param last places; ranks are missing where users were forgotten since
     */
    public static List<Place> changes(List<Place> last, Ranking now) {
        var left = new LinkedHashMap<UserId, Place>(last.size() * 2);
        last.forEach(place -> left.put(place.user(), place));
        var changes = new ArrayList<Place>();
        for (Place place : places(now)) {
            Place before = left.remove(place.user());
            if (before == null || !before.rank().equals(place.rank())
                    || before.value().compareTo(place.value()) != 0) {
                changes.add(place);
            }
        }
        for (UserId user : left.keySet()) {
            changes.add(new Place(user, null, null));
        }
        return changes;
    }
}
