package dev.laurel.processors.core.leaderboard;

/**
 * A participant as the leaderboard keeps it.
 *
 * @param offset where in the user's partition of the log its last change stands
 * @param previousRank before that change, in the group of that time; 0 if it took no part then
 */
public record Participant(Standing standing, long offset, int previousRank) {}
