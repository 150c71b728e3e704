package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.replay.GenerationPlace;
import dev.laurel.processors.replay.GroupPlace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Brings the two states to the same place of the log, again and again while events go on to arrive: the live state is copied, the
 * other one follows up to there and holds still, they are compared; who has moved in between is compared again in the next round.
 */
final class Rounds {

    /** After the first one, each looks at what moved within about a second; who moves in all of them never stands still. */
    static final int MOST = 6;

    /** The live boards commit every five seconds. */
    private static final Duration BOARDS_PATIENCE = Duration.ofSeconds(15);

    /** What is done with the two states in each round. */
    interface Look {

        /** @return whether there is anything left to be looked at again */
        boolean at(Round round) throws InterruptedException;
    }

    private final LiveState live;
    private final GenerationPlace place;
    private final Replayed replayed;
    private final ReplayProgress progress;
    private final BooleanSupplier isStopped;

    Rounds(LiveState live, GenerationPlace place, Replayed replayed, ReplayProgress progress,
            BooleanSupplier isStopped) {
        this.live = live;
        this.place = place;
        this.replayed = replayed;
        this.progress = progress;
        this.isStopped = isStopped;
    }

    /** @return the last round there was */
    Round go(Look look) throws InterruptedException {
        for (int number = 1;; number++) {
            Round round = holdStill(number);
            boolean isMoreLeft = look.at(round);
            replayed.goOn();
            if (!isMoreLeft || round.isLast() || isStopped.getAsBoolean()) {
                return round;
            }
        }
    }

    private Round holdStill(int number) throws InterruptedException {
        if (number == 1) {
            // The long way: afterwards the two are never far apart.
            replayed.holdBehind(place.ledger().committed(), progress);
            replayed.goOn();
            live.follow(progress);
        }
        boolean boardsAtRest = place.boards().await(BOARDS_PATIENCE);
        List<Long> before = place.ledger().committed();
        live.follow(progress);
        List<Long> after = place.ledger().committed();
        List<Long> stands = replayed.holdBehind(after, progress);
        List<GroupPlace.Stretch> apart = new ArrayList<>();
        for (int partition = 0; partition < stands.size(); partition++) {
            apart.add(place.ledger().between(partition, before.get(partition),
                    Math.max(stands.get(partition), after.get(partition))));
        }
        return new Round(number, number == MOST, apart, boardsAtRest);
    }
}
