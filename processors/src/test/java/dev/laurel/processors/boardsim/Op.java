package dev.laurel.processors.boardsim;

import java.math.BigDecimal;
import java.util.List;

/**
 * The effect of one record of the log on one user in one run of a leaderboard, in absolute values.
 *
 * @param partition of the log
 * @param isCurrent whether it is the run of the user's newest date, in which the user moves to this group
 * @param group null: the user is in no group
 * @param isRename whether only the name has changed
 */
record Op(int partition, long offset, int board, int run, boolean isCurrent, String user, String name,
        List<String> group, BigDecimal value, long changedMs, boolean isRename) {

    /** The identity of the statement, independent of its values. */
    record Key(int partition, long offset, int board, int run, String user) {}

    /** The same change, stated at a later offset with the name of that time. */
    Op at(long later, String named) {
        return new Op(partition, later, board, run, isCurrent, user, named, group, value, changedMs, isRename);
    }

    Key key() {
        return new Key(partition, offset, board, run, user);
    }
}
