package dev.laurel.processors.core.leaderboard;

import dev.laurel.processors.core.leaderboard.Ranking.Standing;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides how a user's value changes the ranking of a group (docs/semantics.md §7). Pure. */
public final class RankingRules {

    /**
     * The result of a decision.
     *
     * @param ranking after it; the same object if nothing has changed
     * @param before null if the user took no part
     * @param previousRank 0 if the user took no part
     * @param after null if the user takes no part now
     * @param rank 0 if the user takes no part now
     * @param evicted the participant that had to leave, from the last rank; null if none
     */
    public record Placement(Ranking ranking, @Nullable Standing before, int previousRank, @Nullable Standing after,
            int rank,
            @Nullable Standing evicted) {

        /** Whether the user's own rank or value differs, not just the name. */
        public boolean isMove() {
            return previousRank != rank
                    || before != null && after != null && before.value().compareTo(after.value()) != 0;
        }
    }

    private RankingRules() {}

    /**
     * Gives a participant another value or name.
     *
     * @param present its standing in the ranking
     */
    public static Placement move(Ranking ranking, Standing present, Standing next) {
        int rank = ranking.rankOf(present);
        if (isSame(present, next)) {
            return new Placement(ranking, present, rank, present, rank, null);
        }
        Ranking moved = ranking.moved(rank, next);
        return new Placement(moved, present, rank, next, moved.rankOf(next), null);
    }

    private static boolean isSame(Standing one, Standing other) {
        return one.value().compareTo(other.value()) == 0 && one.changedMs() == other.changedMs()
                && Objects.equals(one.name(), other.name());
    }

    /** Removes a participant. No other user takes the place. */
    public static Placement leave(Ranking ranking, Standing present) {
        int rank = ranking.rankOf(present);
        return new Placement(ranking.without(rank), present, rank, null, 0, null);
    }

    /**
     * Enters a user who takes no part, if the value is above 0 and there is a free place or a participant with a lower value.
     */
    public static Placement enter(Ranking ranking, Standing newcomer, int maxParticipants) {
        if (!mayEnter(ranking, newcomer.value(), maxParticipants)) {
            return new Placement(ranking, null, 0, null, 0, null);
        }
        boolean isFull = ranking.size() >= maxParticipants;
        Standing evicted = isFull ? ranking.at(ranking.size()) : null;
        Ranking room = isFull ? ranking.without(ranking.size()) : ranking;
        Ranking entered = room.with(newcomer);
        return new Placement(entered, null, 0, newcomer, entered.rankOf(newcomer), evicted);
    }

    /** Whether a newcomer of this value would enter. */
    public static boolean mayEnter(Ranking ranking, BigDecimal value, int maxParticipants) {
        return value.signum() > 0
                && (ranking.size() < maxParticipants || value.compareTo(ranking.lowest()) > 0);
    }

    /** What a newcomer must exceed: the lowest value of a full group, else 0. */
    public static BigDecimal threshold(Ranking ranking, int maxParticipants) {
        BigDecimal floor = floor(ranking, maxParticipants);
        return floor == null ? BigDecimal.ZERO : floor;
    }

    /** The lowest value of a full group, null while there is room. */
    public static @Nullable BigDecimal floor(Ranking ranking, int maxParticipants) {
        return ranking.size() >= maxParticipants ? ranking.lowest() : null;
    }
}
