package dev.laurel.processors.boardsim;

import java.math.BigDecimal;
import java.util.List;

/**
 * What one record of the log means for one user in one run of a leaderboard: absolute values.
 *
 * @param partition of the log
 * @param isCurrent whether it is the run of the user's newest date: then the user moves to this group
 * @param group null if the user is in none
 * @param isRename nothing but the name has changed
 */
record Op(int partition, long offset, int board, int run, boolean isCurrent, String user, String name,
        List<String> group, BigDecimal value, long changedMs, boolean isRename) {

    /** What is stated by the same record of the log, whatever it says. */
    record Key(int partition, long offset, int board, int run, String user) {}

    Key key() {
        return new Key(partition, offset, board, run, user);
    }
}
