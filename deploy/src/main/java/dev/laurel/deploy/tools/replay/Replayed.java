package dev.laurel.deploy.tools.replay;

import java.util.List;

/** The state that the log comes to when it is read again, while that goes on. One thread. */
interface Replayed extends State {

    /**
     * Waits until everything that stands in the log before these offsets is folded and has reached the leaderboards, and holds
     * still there or further on.
     *
     * @param atLeast by partition of the log
     * @return where it stands: the offset of the next record, by partition
     */
    List<Long> holdBehind(List<Long> atLeast, ReplayProgress progress) throws InterruptedException;

    /** Follows the log again. */
    void goOn();
}
