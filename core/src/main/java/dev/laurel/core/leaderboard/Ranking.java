package dev.laurel.core.leaderboard;

import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The participants of one group by rank, from 1 to n without ties (docs/semantics.md §7). Immutable, so that readers share it
 * with the task that replaces it. A change copies at most {@link dev.laurel.schemas.ruleset.Leaderboard#MAX_PARTICIPANTS}
 * references.
 */
public final class Ranking {

    public static final Ranking EMPTY = new Ranking(new Standing[0]);

    private final Standing[] bestFirst;

    private Ranking(Standing[] bestFirst) {
        this.bestFirst = bestFirst;
    }

    /** @param standings of different users, in any order */
    public static Ranking of(Collection<Standing> standings) {
        Standing[] sorted = standings.toArray(Standing[]::new);
        Arrays.sort(sorted);
        return new Ranking(sorted);
    }

    public int size() {
        return bestFirst.length;
    }

    /** @param rank 1 to {@link #size} */
    public Standing at(int rank) {
        return bestFirst[rank - 1];
    }

    /** The standings in the order of their ranks. */
    public List<Standing> bestFirst() {
        return Collections.unmodifiableList(Arrays.asList(bestFirst));
    }

    /** The rank of a participant with this present standing; 0 if there is none. */
    public int rankOf(Standing standing) {
        int index = Arrays.binarySearch(bestFirst, standing);
        return index < 0 ? 0 : index + 1;
    }

    /** The rank of a user, by a linear search; 0 if the user does not take part. */
    public int rankOf(UserId user) {
        for (int i = 0; i < bestFirst.length; i++) {
            if (bestFirst[i].user().equals(user)) {
                return i + 1;
            }
        }
        return 0;
    }

    /** The lowest value. @throws ArrayIndexOutOfBoundsException if there are no participants */
    BigDecimal lowest() {
        return bestFirst[bestFirst.length - 1].value();
    }

    /** The number of participants with this value or a higher one. */
    int countFrom(BigDecimal value) {
        int count = 0;
        int above = bestFirst.length;
        while (count < above) {
            int middle = (count + above) >>> 1;
            if (bestFirst[middle].value().compareTo(value) >= 0) {
                count = middle + 1;
            } else {
                above = middle;
            }
        }
        return count;
    }

    /** The ranking with one more participant. */
    Ranking with(Standing added) {
        int at = -Arrays.binarySearch(bestFirst, added) - 1;
        var grown = new Standing[bestFirst.length + 1];
        System.arraycopy(bestFirst, 0, grown, 0, at);
        grown[at] = added;
        System.arraycopy(bestFirst, at, grown, at + 1, bestFirst.length - at);
        return new Ranking(grown);
    }

    /** The ranking without the participant of this rank. */
    public Ranking without(int rank) {
        var shrunk = new Standing[bestFirst.length - 1];
        System.arraycopy(bestFirst, 0, shrunk, 0, rank - 1);
        System.arraycopy(bestFirst, rank, shrunk, rank - 1, bestFirst.length - rank);
        return new Ranking(shrunk);
    }

    /** The ranking with another standing of the participant of this rank. */
    public Ranking moved(int rank, Standing standing) {
        int index = rank - 1;
        var next = bestFirst.clone();
        int to = index;
        while (to > 0 && standing.compareTo(bestFirst[to - 1]) < 0) {
            to--;
        }
        while (to < bestFirst.length - 1 && standing.compareTo(bestFirst[to + 1]) > 0) {
            to++;
        }
        if (to < index) {
            System.arraycopy(bestFirst, to, next, to + 1, index - to);
        } else {
            System.arraycopy(bestFirst, index + 1, next, index, to - index);
        }
        next[to] = standing;
        return new Ranking(next);
    }

    /** The participants who are not hidden. */
    public Ranking shown() {
        return new Ranking(Arrays.stream(bestFirst)
                .filter(standing -> standing.visibility() != Visibility.HIDDEN)
                .toArray(Standing[]::new));
    }

    /** The best {@code count} participants. */
    public Ranking best(int count) {
        return count >= bestFirst.length ? this : new Ranking(Arrays.copyOf(bestFirst, count));
    }

    /**
     * A user and the value by which users are ranked: the best first (docs/semantics.md §7), by higher value, then earlier time, then
     * user id. No two users of a group are equal.
     *
     * @param name not compared
     * @param visibility not compared; {@link Visibility#HIDDEN} only in runs that are final
     * @param value above 0
     * @param changedMs time of the last change of the value
     */
    public record Standing(UserId user, @Nullable String name, Visibility visibility, BigDecimal value, long changedMs)
            implements Comparable<Standing> {

        public Standing(UserId user, @Nullable String name, BigDecimal value, long changedMs) {
            this(user, name, Visibility.PUBLIC, value, changedMs);
        }

        @Override
        public int compareTo(Standing other) {
            int byValue = other.value.compareTo(value);
            if (byValue != 0) {
                return byValue;
            }
            int byTime = Long.compare(changedMs, other.changedMs);
            return byTime != 0 ? byTime : user.compareTo(other.user);
        }
    }

    /**
     * A user of a group as the leaderboard stores it: a participant, or one who stands outside and may become one.
     *
     * @param offset in the user's partition of the log, of the last change that a client waited for; -1 if none did
     * @param previousRank rank before that change, in the group of that time; 0 if it did not take part
     * @param hasChangedRank whether a change of its value has changed its rank in a group since it entered the run
     */
    public record Participant(Standing standing, long offset, int previousRank, boolean hasChangedRank) {}
}
