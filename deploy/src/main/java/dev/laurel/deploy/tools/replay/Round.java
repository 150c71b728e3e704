package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.replay.GroupPlace;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;

/**
 * One look at both states while they hold still. They may stand at slightly different places of the log.
 *
 * @param number from 1
 * @param isLast what cannot be compared now never is
 * @param apart by partition of the log: what stands between the two places
 * @param boardsAtRest the live leaderboards have heard everything
 */
record Round(int number, boolean isLast, List<GroupPlace.Stretch> apart, boolean boardsAtRest) {

    Round {
        apart = List.copyOf(apart);
    }

    /** Whether the two states may differ in this user for no other reason than that one is ahead. */
    boolean isMoving(int partition, byte[] user) {
        GroupPlace.Stretch stretch = apart.get(partition);
        return stretch.isTooLong() || stretch.keys().contains(Bytes.wrap(user));
    }

    /** Ticks or markers, which concern anybody, lie between the two. */
    boolean concernsAnybody(int partition) {
        return apart.get(partition).hasOthers();
    }

    boolean isAtRest(int partition) {
        return apart.get(partition).isEmpty();
    }

    /** Nothing lies between the two anywhere, so ranks are comparable, too. */
    boolean isAtRest() {
        return boardsAtRest && apart.stream().allMatch(GroupPlace.Stretch::isEmpty);
    }
}
