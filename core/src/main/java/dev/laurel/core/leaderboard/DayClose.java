package dev.laurel.core.leaderboard;

import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Finds the ranks that differ from those at the close of an earlier UTC day (docs/semantics.md §7). Pure. */
public final class DayClose {

    /** The state before any day is closed. */
    public static final int NEVER = Integer.MIN_VALUE;

    static final long DAY_MS = Duration.ofDays(1).toMillis();

    /** The rank of a user at the end of a day. @param rank 0, as is {@code value}, if the user does not take part */
    public record RankedUser(UserId user, int rank, BigDecimal value) {}

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
     * The first day at whose end a group had its present ranking. Days are closed before the next change, so this is the day
     * after {@code closedDay}. Without a closed day, as during an import of history, it is the day of the newest value.
     *
     * @param closedDay the last closed day, or {@link #NEVER}
     * @param lastDay the last day that is over
     */
    public static int dayToClose(Ranking ranking, int closedDay, int lastDay) {
        if (closedDay != NEVER) {
            return Math.min(closedDay + 1, lastDay);
        }
        return ranking.size() == 0 ? lastDay : Math.min(newestDay(ranking), lastDay);
    }

    /** The day of the newest value. @param ranking not empty */
    public static int newestDay(Ranking ranking) {
        long newestMs = Long.MIN_VALUE;
        for (int rank = 1; rank <= ranking.size(); rank++) {
            newestMs = Math.max(newestMs, ranking.at(rank).changedMs());
        }
        return dayOf(newestMs);
    }

    /** All participants, by rank. */
    public static List<RankedUser> participants(Ranking ranking) {
        var participants = new ArrayList<RankedUser>(ranking.size());
        for (int rank = 1; rank <= ranking.size(); rank++) {
            participants.add(new RankedUser(
                    ranking.at(rank).user(), rank, ranking.at(rank).value()));
        }
        return participants;
    }

    /**
     * The participants whose rank or value differs from the last close, by rank, then the users who have left since.
     *
     * @param last the participants at the last close, without users who were erased since
     */
    public static List<RankedUser> changes(List<RankedUser> last, Ranking now) {
        var left = new LinkedHashMap<UserId, RankedUser>(last.size() * 2);
        last.forEach(user -> left.put(user.user(), user));
        var changes = new ArrayList<RankedUser>();
        for (RankedUser participant : participants(now)) {
            RankedUser before = left.remove(participant.user());
            if (before == null
                    || before.rank() != participant.rank()
                    || before.value().compareTo(participant.value()) != 0) {
                changes.add(participant);
            }
        }
        for (UserId user : left.keySet()) {
            changes.add(new RankedUser(user, 0, BigDecimal.ZERO));
        }
        return changes;
    }
}
