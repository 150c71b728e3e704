package dev.laurel.query.partition;

/** The nodes of a deployment, which together answer queries. Blocks for as long as a read takes; thread-safe. */
public interface Nodes {

    /** @throws dev.laurel.query.locate.NotReadyException if part of the result cannot be read anywhere now */
    <R extends Record> R ask(UserQuery<R> query);

    /** @throws dev.laurel.query.locate.NotReadyException if part of the leaderboard cannot be read anywhere now */
    <R extends Record> R ask(LeaderboardQuery<R> query);
}
