package dev.laurel.query.question;

import dev.laurel.processors.core.account.AccountIndex;
import dev.laurel.processors.store.UserReader;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.BoardPartitions;
import dev.laurel.query.locate.Partitions;
import dev.laurel.schemas.key.UserKey;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/**
 * What questions are answered from: this node, on its own. As {@link Nodes} it is a deployment of one. Thread-safe.
 *
 * @param boards null where nobody asks for leaderboards
 * @param clock what reads take for now
 */
public record Here(Partitions partitions, BoardPartitions boards, RulesetVersions rulesets, InstantSource clock)
        implements
            Nodes {

    @Override
    public <A extends Record> A ask(Question.OfUsers<A> question) {
        LogLayout layout = partitions.layout();
        A answer = question.answer(this, question.partitionsOf(layout).boxed().toList());
        partitions.expectStill(layout);
        return answer;
    }

    @Override
    public <A extends Record> A ask(Question.OfBoard<A> question) {
        return boards.readOwner(question.tenant(), question.board(), question::answer);
    }

    PresentUsers users() {
        return new PresentUsers(partitions, rulesets, clock);
    }

    <T> List<T> readEach(List<Integer> asked, Function<UserReader, T> read) {
        return asked.stream().map(partition -> partitions.read(partition, read)).toList();
    }

    List<AccountIndex> accounts(List<Integer> asked) {
        return asked.stream().map(partitions::account).toList();
    }

    /** Whether a user lives in one of these partitions. @param user the key's bytes */
    boolean isAmong(List<Integer> asked, byte[] user) {
        return asked.contains(partitions.layout().partitionOf(user));
    }

    boolean isAmong(List<Integer> asked, UserKey user) {
        return isAmong(asked, user.bytes());
    }
}
