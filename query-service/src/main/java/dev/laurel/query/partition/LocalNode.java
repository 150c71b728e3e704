package dev.laurel.query.partition;

import dev.laurel.processors.core.statistics.StatisticsIndex;
import dev.laurel.processors.store.UserReader;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.BoardPartitions;
import dev.laurel.query.locate.UserPartitions;
import dev.laurel.schemas.key.UserKey;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/**
 * This node with its stores. As {@link Nodes} it is a deployment of one node. Thread-safe.
 *
 * @param clock gives the present time to all reads
 */
public record LocalNode(UserPartitions partitions, BoardPartitions boards, RulesetVersions rulesets,
        InstantSource clock)
        implements
            Nodes {

    @Override
    public <A extends Record> A ask(UserQuery<A> query) {
        LogLayout layout = partitions.layout();
        A answer = query.answer(this, query.partitionsOf(layout).boxed().toList());
        partitions.expectStill(layout);
        return answer;
    }

    @Override
    public <A extends Record> A ask(LeaderboardQuery<A> query) {
        return boards.readOwner(query.tenant(), query.board(), query::answer);
    }

    PresentUsers users() {
        return new PresentUsers(partitions, rulesets, clock);
    }

    <T> List<T> readEach(List<Integer> asked, Function<UserReader, T> read) {
        return asked.stream().map(partition -> partitions.read(partition, read)).toList();
    }

    List<StatisticsIndex> accounts(List<Integer> asked) {
        return asked.stream().map(partitions::account).toList();
    }

    /** Whether a user belongs to one of these partitions. @param user the bytes of the key */
    boolean isAmong(List<Integer> asked, byte[] user) {
        return asked.contains(partitions.layout().partitionOf(user));
    }

    boolean isAmong(List<Integer> asked, UserKey user) {
        return isAmong(asked, user.bytes());
    }
}
