package dev.laurel.processors.boardsim;

import dev.laurel.processors.boardsim.LeaderboardModel.BoardRun;
import java.math.BigDecimal;
import java.util.List;

/**
 * The effect of one record of the log on one user in one run of a leaderboard, in absolute values; on a spread leaderboard, in one
 * group.
 *
 * @param partition of the log
 * @param isCurrent whether it is the run of the user's newest date, in which the user moves to this group
 * @param group null: the user is in no group
 * @param isRename whether only the name has changed
 */
record Op(
        int partition,
        long offset,
        BoardRun place,
        boolean isCurrent,
        String user,
        String name,
        List<String> group,
        BigDecimal value,
        long changedMs,
        boolean isRename) {

    /** The identity of the statement, independent of its values. */
    record Key(int partition, long offset, BoardRun place, String user) {}

    /** The same change, stated at a later offset with the name of that time. */
    Op at(long later, String named) {
        return new Op(partition, later, place, isCurrent, user, named, group, value, changedMs, isRename);
    }

    int board() {
        return place.board();
    }

    int run() {
        return place.run();
    }

    Key key() {
        return new Key(partition, offset, place, user);
    }
}
