package dev.laurel.core.leaderboard;

import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides how a user's value changes the ranking of a group (docs/semantics.md §7). Pure. */
public final class RankingRules {

    /**
     * The result of a decision.
     *
     * @param ranking after the decision; the same object if nothing has changed
     * @param before null: the user did not take part
     * @param previousRank 0 if the user did not take part
     * @param after null: the user does not take part now
     * @param rank 0 if the user does not take part now
     * @param evicted the participant of the last rank that had to leave, if any
     */
    public record Placement(
            Ranking ranking,
            @Nullable Standing before,
            int previousRank,
            @Nullable Standing after,
            int rank,
            @Nullable Standing evicted) {

        /** The user, who takes part or took part. */
        public UserId user() {
            return Objects.requireNonNull(after == null ? before : after).user();
        }

        /** Whether the user's rank or value differs, not just the name. */
        public boolean isMove() {
            return previousRank != rank
                    || before != null && after != null && before.value().compareTo(after.value()) != 0;
        }

        /** Whether the user took part and has another rank now. Entering and leaving are no changes of rank. */
        public boolean isRankChange() {
            return previousRank > 0 && rank > 0 && previousRank != rank;
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
        return one.value().compareTo(other.value()) == 0
                && one.changedMs() == other.changedMs()
                && Objects.equals(one.name(), other.name());
    }

    /** Removes a participant. No other user takes its place. */
    public static Placement leave(Ranking ranking, Standing present) {
        int rank = ranking.rankOf(present);
        return new Placement(ranking.without(rank), present, rank, null, 0, null);
    }

    /**
     * Adds a user who does not take part yet, if the value is above 0 and the group has room or a lower value.
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

    /** Whether a newcomer with this value enters. */
    public static boolean mayEnter(Ranking ranking, BigDecimal value, int maxParticipants) {
        return value.signum() > 0 && (ranking.size() < maxParticipants || value.compareTo(ranking.lowest()) > 0);
    }

    /** The value that a newcomer must exceed: the lowest one of a full group, else 0. */
    public static BigDecimal threshold(Ranking ranking, int maxParticipants) {
        BigDecimal floor = floor(ranking, maxParticipants);
        return floor == null ? BigDecimal.ZERO : floor;
    }

    /** The lowest value of a full group; null: there is room. */
    public static @Nullable BigDecimal floor(Ranking ranking, int maxParticipants) {
        return ranking.size() >= maxParticipants ? ranking.lowest() : null;
    }
}
