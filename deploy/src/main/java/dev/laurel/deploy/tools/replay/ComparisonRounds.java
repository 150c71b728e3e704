package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.Progress;
import dev.laurel.processors.generation.GenerationProgress;
import dev.laurel.processors.generation.GroupProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.utils.Bytes;

/**
 * Compares the two states in rounds while events continue to arrive. In each round it copies the live state, lets the
 * replayed state follow to the same offsets and pause, and compares them. Users with records in between are compared
 * again in the next round.
 */
final class ComparisonRounds {

    /**
     * Maximum number of rounds. Each round after the first concerns users with records within about a second; users
     * active in all rounds are not compared.
     */
    static final int MAX_ROUNDS = 6;

    /** Leaderboards commit every five seconds. */
    private static final Duration BOARDS_TIMEOUT = Duration.ofSeconds(15);

    /** A comparison of the two states. */
    interface Comparison {

        /** Returns whether anything must be compared again. */
        boolean compare(Round round) throws InterruptedException;
    }

    private final CopiedState live;
    private final GenerationProgress progressOfLive;
    private final ComparedState.Replayed replayed;
    private final Progress progress;
    private final BooleanSupplier isStopped;

    ComparisonRounds(CopiedState live, GenerationProgress progressOfLive, ComparedState.Replayed replayed,
            Progress progress, BooleanSupplier isStopped) {
        this.live = live;
        this.progressOfLive = progressOfLive;
        this.replayed = replayed;
        this.progress = progress;
        this.isStopped = isStopped;
    }

    /** Returns the last round. */
    Round run(Comparison comparison) throws InterruptedException {
        for (int number = 1;; number++) {
            Round round = pauseBoth(number);
            boolean isMoreLeft = comparison.compare(round);
            replayed.resume();
            if (!isMoreLeft || round.isLast() || isStopped.getAsBoolean()) {
                return round;
            }
        }
    }

    private Round pauseBoth(int number) throws InterruptedException {
        if (number == 1) {
            // The first catch-up takes long; afterwards both states stay close to each other.
            replayed.pauseAfter(progressOfLive.ledger().committed(), progress);
            replayed.resume();
            live.follow(progress);
        }
        boolean boardsAtRest = progressOfLive.boards().await(BOARDS_TIMEOUT);
        List<Long> before = progressOfLive.ledger().committed();
        live.follow(progress);
        List<Long> after = progressOfLive.ledger().committed();
        List<Long> positions = replayed.pauseAfter(after, progress);
        List<GroupProgress.RecordKeys> between = new ArrayList<>();
        for (int partition = 0; partition < positions.size(); partition++) {
            between.add(progressOfLive.ledger().between(partition, before.get(partition),
                    Math.max(positions.get(partition), after.get(partition))));
        }
        return new Round(number, number == MAX_ROUNDS, between, boardsAtRest);
    }

    /**
     * A comparison while both states are paused, at slightly different offsets.
     *
     * @param number number from 1
     * @param isLast whether there is no further round
     * @param between keys of the records between the two states, by partition of the log
     * @param boardsAtRest whether the live leaderboards have processed everything
     */
    record Round(int number, boolean isLast, List<GroupProgress.RecordKeys> between, boolean boardsAtRest) {

        Round {
            between = List.copyOf(between);
        }

        /** Returns whether the two states may differ in this user only because one of them is ahead. */
        boolean isMoving(int partition, byte[] user) {
            GroupProgress.RecordKeys records = between.get(partition);
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
            return boardsAtRest && between.stream().allMatch(GroupProgress.RecordKeys::isEmpty);
        }
    }
}
