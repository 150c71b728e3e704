package dev.laurel.query.partition;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.locate.LeaderboardPartitions;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This node with its stores; alone it is a deployment of one node. Thread-safe.
 *
 * @param counters of the account; null while they are not known
 * @param deliveryCounters what became of messages and webhook deliveries; null while that is not known
 */
public record LocalNode(
        CurrentUsers users,
        LeaderboardPartitions boards,
        Supplier<@Nullable AccountCounters> counters,
        Supplier<@Nullable AccountCounters> deliveryCounters)
        implements Nodes {

    @Override
    public <R extends Record> R ask(UserQuery<R> query) {
        LogLayout layout = users.partitions().layout();
        return ask(query, query.partitionsOf(layout).boxed().toList(), layout);
    }

    /**
     * Runs a query on some partitions of this layout of the log.
     *
     * @throws dev.laurel.query.locate.NotReadyException if one of them cannot be read on this node
     */
    public <R extends Record> R ask(UserQuery<R> query, List<Integer> numbers, LogLayout layout) {
        R result = query.answer(users, numbers);
        users.partitions().expectUnchanged(layout);
        return result;
    }

    @Override
    public <R extends Record> R ask(LeaderboardQuery<R> query) {
        return ask(query, partitionsOf(query));
    }

    /** The partitions of the leaderboards that have part of the result. */
    public List<Integer> partitionsOf(LeaderboardQuery<?> query) {
        LeaderboardRules rules = users.rulesets().newest(query.tenant()).board(query.board());
        return query.partitionsOf(boards.layout(), rules != null && rules.isSpread());
    }

    /** @throws dev.laurel.query.locate.NotReadyException if one of the partitions cannot be read on this node */
    public <R extends Record> R ask(LeaderboardQuery<R> query, List<Integer> numbers) {
        List<R> parts = numbers.stream()
                .map(number -> boards.read(number, query::answer))
                .toList();
        return parts.size() == 1 ? parts.getFirst() : query.merge(parts);
    }
}
