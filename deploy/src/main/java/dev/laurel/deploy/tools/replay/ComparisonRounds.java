package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.generation.GenerationProgress.GroupProgress.RecordKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Compares the two states in rounds while events continue to arrive. In each round it copies the live state, lets the shadow follow to the
 * same offsets, pauses the part of it that is in this process, and compares. What has records in between is compared again in the next
 * round. Used by one thread.
 *
 * @param copied what is copied of the state of the shadow; null: all that is compared is in this process
 * @param examined partitions of the live log whose users are compared
 */
record ComparisonRounds(
        ReplayMember member, CopiedState live, @Nullable CopiedState copied, Set<Integer> examined) {

    /**
     * Maximum number of rounds. Each round after the first concerns users with records within about a second; users
     * active in all rounds are not compared.
     */
    private static final int MAX_ROUNDS = 6;

    /** Leaderboards commit every five seconds. */
    private static final Duration BOARDS_TIMEOUT = Duration.ofSeconds(15);

    private static final RecordKeys SOMETHING = new RecordKeys(Set.of(), true, true);

    /** A comparison of the two states. */
    interface Comparison {

        /** Returns whether anything must be compared again. */
        boolean compare(Round round) throws InterruptedException;
    }

    /**
     * Returns false if the shadow did not stop in time.
     *
     * @param awaited the partitions of the replayed log that are to be compared; asked in each round
     */
    boolean run(Supplier<Set<Integer>> awaited, Comparison comparison) throws InterruptedException {
        follow(); // The first copy takes long; afterwards both states stay close to each other.
        for (int number = 1; ; number++) {
            try {
                Round round = pause(number, awaited.get());
                if (round == null) {
                    return false;
                }
                if (!comparison.compare(round) || round.isLast()) {
                    return true;
                }
            } finally {
                member.shadow().resume();
            }
        }
    }

    private void follow() {
        live.follow(member.progress());
        if (copied != null) {
            copied.follow(member.progress());
        }
    }

    private @Nullable Round pause(int number, Set<Integer> awaited) throws InterruptedException {
        boolean boardsAtRest = member.live().boards().await(BOARDS_TIMEOUT);
        List<Long> before = member.live().ledger().committed();
        live.follow(member.progress());
        List<Long> after = member.live().ledger().committed();
        List<Long> ends = member.await(after, "follow the log", awaited);
        if (!member.shadow().pause(ReplayMember.HOLD_TIMEOUT)) {
            return null;
        }
        boolean areOthersThere = member.shadow().progress().ledger().isDone(ends);
        if (!member.shadow().progress().boards().await(ReplayMember.HOLD_TIMEOUT)) {
            return null;
        }
        member.hasRead();
        if (copied != null) {
            copied.follow(member.progress());
        }
        List<Long> positions = member.shadow().progress().ledger().committed();
        List<RecordKeys> between = between(before, after, member.reached(positions));
        var ordered = new ArrayList<RecordKeys>();
        for (int partition = 0; partition < positions.size(); partition++) {
            ordered.add(between.get(member.liveOf(partition)));
        }
        return new Round(number, number == MAX_ROUNDS, ordered, positions, boardsAtRest, areOthersThere);
    }

    /** Returns the keys in partitions that are examined; of others only whether there are records, and only until one has some. */
    private List<RecordKeys> between(List<Long> before, List<Long> after, List<Long> reached) {
        var between = new ArrayList<RecordKeys>();
        boolean isAtRest = true;
        for (int partition = 0; partition < before.size(); partition++) {
            long from = before.get(partition);
            long to = Math.max(reached.get(partition), after.get(partition));
            RecordKeys keys = examined.contains(partition)
                    ? member.live().ledger().between(partition, from, to)
                    : isAtRest && member.live().ledger().isNothingBetween(partition, from, to)
                            ? RecordKeys.EMPTY
                            : SOMETHING;
            isAtRest &= keys.isEmpty();
            between.add(keys);
        }
        return between;
    }

    /**
     * A comparison while both states are paused, at slightly different offsets.
     *
     * @param number number from 1
     * @param isLast whether there is no further round
     * @param between keys of the records between the two states, by partition of the replayed log
     * @param positions offset of the next record of the shadow, by partition of the replayed log
     * @param boardsAtRest whether the live leaderboards have processed everything
     * @param areOthersThere whether those partitions of the shadow that are in other processes are as far, too
     */
    record Round(
            int number,
            boolean isLast,
            List<RecordKeys> between,
            List<Long> positions,
            boolean boardsAtRest,
            boolean areOthersThere) {

        /** Returns whether the two states may differ in this user only because one of them is ahead. */
        boolean isMoving(int partition, byte[] user) {
            RecordKeys records = between.get(partition);
            return records.isTooLong() || records.keys().contains(Bytes.wrap(user));
        }

        /** Returns whether there are records between the two states that concern all users, such as ticks. */
        boolean concernsAllUsers(int partition) {
            return between.get(partition).hasOthers();
        }

        boolean isAtRest(int partition) {
            return between.get(partition).isEmpty();
        }

        /** Returns whether there are no records between the two states, so that ranks are comparable too. */
        boolean isAtRest() {
            return boardsAtRest && areOthersThere && between.stream().allMatch(RecordKeys::isEmpty);
        }
    }
}
