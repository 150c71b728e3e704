package dev.laurel.processors.core.leaderboard;

/**
 * A group at one moment. Immutable.
 *
 * @param changedRank the number of participants who have changed rank, see {@link Ranking.Participant#hasChangedRank}
 */
public record GroupView(Ranking ranking, int changedRank) {}
