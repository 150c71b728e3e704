package dev.laurel.core.leaderboard;

import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.ruleset.Leaderboard.Teams;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The teams of one group of a run by rank, from 1 to n without ties (docs/semantics.md §7). Immutable, so that readers share it with the
 * task that replaces it.
 *
 * @param bestFirst empty if there are more than {@link #MAX_TEAMS}
 * @param count of the teams
 */
public record TeamRanking(List<Team> bestFirst, int count) {

    /** Limits the memory, and what a change copies. If there are more teams, none is ranked. */
    public static final int MAX_TEAMS = 10_000;

    public static final TeamRanking EMPTY = new TeamRanking(List.of(), 0);

    /** The digits of an average behind the point. */
    private static final int AVERAGE_DIGITS = 10;

    /** @param teams in any order; those beyond the maximum may be missing */
    public static TeamRanking of(Collection<Team> teams, int count) {
        return new TeamRanking(
                count > MAX_TEAMS ? List.of() : teams.stream().sorted().toList(), count);
    }

    /** Whether no team is ranked, since there are too many. */
    public boolean areTooMany() {
        return count > MAX_TEAMS;
    }

    /** Whether teams are missing, since there were too many before: the ranking must be made of all teams anew. */
    public boolean isIncomplete() {
        return !areTooMany() && bestFirst.size() < count;
    }

    /** The rank of a team as it is in the ranking; 0 if it is not. */
    public int rankOf(@Nullable Team team) {
        return team == null ? 0 : Math.max(0, Collections.binarySearch(bestFirst, team) + 1);
    }

    /** The rank of a team, by a linear search; 0 if it is not ranked. */
    public int rankOf(String name) {
        return IntStream.range(0, bestFirst.size())
                        .filter(index -> bestFirst.get(index).name().equals(name))
                        .findFirst()
                        .orElse(-1)
                + 1;
    }

    /** The ranking after a change of a team. @param before null: it was not ranked @param after null: it is not ranked now */
    public TeamRanking with(@Nullable Team before, @Nullable Team after) {
        int next = count + (after == null ? 0 : 1) - (before == null ? 0 : 1);
        if (next > MAX_TEAMS || bestFirst.size() < count) {
            return new TeamRanking(List.of(), next);
        }
        var teams = new ArrayList<Team>(next + 1);
        teams.addAll(bestFirst);
        if (before != null) {
            teams.remove(rankOf(before) - 1);
        }
        if (after != null) {
            teams.add(-Collections.binarySearch(teams, after) - 1, after);
        }
        return new TeamRanking(Collections.unmodifiableList(teams), next);
    }

    /**
     * A team that is ranked: the best first, by higher score, then earlier time, then name.
     *
     * @param members those with a value above 0
     * @param value the score of the team, above 0
     * @param changedMs time at which the value of a member has changed last, or a member has come or gone
     */
    public record Team(String name, int members, BigDecimal value, long changedMs) implements Comparable<Team> {

        @Override
        public int compareTo(Team other) {
            int byValue = other.value.compareTo(value);
            if (byValue != 0) {
                return byValue;
            }
            int byTime = Long.compare(changedMs, other.changedMs);
            return byTime != 0 ? byTime : UnicodeText.ORDER.compare(name, other.name);
        }
    }

    /**
     * What the users of one partition of the log add to the score of a team. A fold of the log.
     *
     * @param changes the number of changes so far: one command may have several
     * @param members those with a value above 0
     * @param sum of their values
     * @param changedMs see {@link Team}
     */
    public record TeamPart(long changes, int members, BigDecimal sum, long changedMs) {

        public static final TeamPart NONE = new TeamPart(0, 0, BigDecimal.ZERO, 0);

        /**
         * The part after a change of a user. Null: the user is no member with a value above 0.
         *
         * @param atMs time of the change
         */
        public TeamPart changed(@Nullable Standing before, @Nullable Standing after, long atMs) {
            BigDecimal next = sum.add(valueOf(after)).subtract(valueOf(before));
            return new TeamPart(
                    changes + 1,
                    members + (after == null ? 0 : 1) - (before == null ? 0 : 1),
                    Amounts.canonical(next),
                    Math.max(changedMs, atMs));
        }

        private static BigDecimal valueOf(@Nullable Standing standing) {
            return standing == null ? BigDecimal.ZERO : standing.value();
        }
    }

    /**
     * A team as the leaderboard stores it.
     *
     * @param parts by the number of the partition of the log
     * @param ranked null if the team is not ranked
     */
    public record TeamScore(List<TeamPart> parts, @Nullable Team ranked) {

        public static final TeamScore NONE = new TeamScore(List.of(), null);

        public TeamScore {
            parts = List.copyOf(parts);
        }

        /** With a part, unless a newer one is known; the rank does not change yet. */
        public TeamScore with(int partition, TeamPart part) {
            if (partition < parts.size() && parts.get(partition).changes() >= part.changes()) {
                return this;
            }
            var next = new ArrayList<>(parts);
            while (next.size() <= partition) {
                next.add(TeamPart.NONE);
            }
            next.set(partition, part);
            return new TeamScore(next, ranked);
        }

        /** With the score by these parts and this ranking of the members, who are all that count for the greatest values. */
        public TeamScore scored(Teams rules, String name, Ranking ranking) {
            int members = parts.stream().mapToInt(TeamPart::members).sum();
            BigDecimal value = switch (rules.score()) {
                case SUM -> sum();
                case AVERAGE ->
                    members == 0
                            ? BigDecimal.ZERO
                            : sum().divide(BigDecimal.valueOf(members), AVERAGE_DIGITS, RoundingMode.HALF_EVEN);
                case MAX -> best(ranking, 1);
                case TOP -> best(ranking, rules.top() == null ? 1 : rules.top());
            };
            long changedMs = parts.stream().mapToLong(TeamPart::changedMs).max().orElse(0);
            return new TeamScore(
                    parts,
                    members < rules.minMembers() || value.signum() <= 0
                            ? null
                            : new Team(name, members, Amounts.canonical(value), changedMs));
        }

        private BigDecimal sum() {
            return parts.stream().map(TeamPart::sum).reduce(BigDecimal.ZERO, BigDecimal::add);
        }

        private static BigDecimal best(Ranking ranking, int count) {
            return ranking.bestFirst().stream()
                    .limit(count)
                    .map(Standing::value)
                    .reduce(BigDecimal.ZERO, BigDecimal::add);
        }
    }
}
