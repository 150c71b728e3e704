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
     */
    public record Placement(
            Ranking ranking,
            @Nullable Standing before,
            int previousRank,
            @Nullable Standing after,
            int rank) {

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
            return new Placement(ranking, present, rank, present, rank);
        }
        Ranking moved = ranking.moved(rank, next);
        return new Placement(moved, present, rank, next, moved.rankOf(next));
    }

    private static boolean isSame(Standing one, Standing other) {
        return one.value().compareTo(other.value()) == 0
                && one.changedMs() == other.changedMs()
                && Objects.equals(one.name(), other.name());
    }

    /** Removes a participant. */
    public static Placement leave(Ranking ranking, Standing present) {
        int rank = ranking.rankOf(present);
        return new Placement(ranking.without(rank), present, rank, null, 0);
    }

    /** Adds a user who does not take part yet. */
    public static Placement enter(Ranking ranking, Standing newcomer) {
        Ranking entered = ranking.with(newcomer);
        return new Placement(entered, null, 0, newcomer, entered.rankOf(newcomer));
    }

    /** Whether a user is among the first users of a group: there is room, or a participant stands behind. */
    public static boolean isAmongFirst(Ranking ranking, Standing standing, int maxParticipants) {
        return ranking.size() < maxParticipants || standing.compareTo(ranking.at(ranking.size())) < 0;
    }

    /** The lowest value of a full group, else 0. */
    public static BigDecimal threshold(Ranking ranking, int maxParticipants) {
        return ranking.size() >= maxParticipants ? ranking.lowest() : BigDecimal.ZERO;
    }
}
