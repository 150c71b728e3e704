package dev.laurel.query.partition;

import dev.laurel.core.leaderboard.BoardRules;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.users.UserReader;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.BoardPartitions;
import dev.laurel.query.locate.UserPartitions;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This node with its stores; alone it is a deployment of one node. Thread-safe.
 *
 * @param counters of the account; null while they are not known
 * @param deliveryCounters what became of messages and webhook deliveries; null while that is not known
 * @param clock gives the present time to all reads
 */
public record LocalNode(UserPartitions partitions, BoardPartitions boards, RulesetVersions rulesets,
        Supplier<@Nullable AccountCounters> counters, Supplier<@Nullable AccountCounters> deliveryCounters,
        InstantSource clock)
        implements
            Nodes {

    @Override
    public <R extends Record> R ask(UserQuery<R> query) {
        LogLayout layout = partitions.layout();
        R result = query.answer(this, query.partitionsOf(layout).boxed().toList());
        partitions.expectUnchanged(layout);
        return result;
    }

    @Override
    public <R extends Record> R ask(LeaderboardQuery<R> query) {
        return ask(query, partitionsOf(query));
    }

    /** The partitions of the leaderboards that have part of the result. */
    public List<Integer> partitionsOf(LeaderboardQuery<?> query) {
        BoardRules rules = rulesets.newest(query.tenant()).board(query.board());
        return query.partitionsOf(boards.layout(), rules != null && rules.isSpread());
    }

    /** @throws dev.laurel.query.locate.NotReadyException if one of the partitions cannot be read on this node */
    public <R extends Record> R ask(LeaderboardQuery<R> query, List<Integer> numbers) {
        return numbers.size() == 1
                ? boards.read(numbers.getFirst(), query::answer)
                : query.merge(numbers.stream().map(number -> boards.read(number, query::answer)).toList());
    }

    public PresentUsers users() {
        return new PresentUsers(partitions, rulesets, clock);
    }

    <T> List<T> readEach(List<Integer> numbers, Function<UserReader, T> read) {
        return numbers.stream().map(partition -> partitions.read(partition, read)).toList();
    }

    /** Whether a user belongs to one of these partitions. @param user the bytes of the key */
    boolean isAmong(List<Integer> numbers, byte[] user) {
        return numbers.contains(partitions.layout().partitionOf(user));
    }
}
