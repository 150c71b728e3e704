package dev.laurel.deploy.tools.replay;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.compare.ComparedUser;
import dev.laurel.core.compare.ComparedUser.Kind;
import dev.laurel.core.compare.ComparisonTotals;
import dev.laurel.core.compare.UserComparison;
import dev.laurel.deploy.tools.replay.ComparisonRounds.Round;
import dev.laurel.deploy.tools.replay.ReplayLog.Entry;
import dev.laurel.deploy.tools.replay.ReplayReport.Mismatch;
import dev.laurel.deploy.tools.replay.ReplayReport.Verdict;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Compares one partition of the replayed log: what users see, one user after the other, of whom those with new records are deferred to the
 * next round and each is counted once; and for a proof the stores of the ledger entry by entry, byte by byte. If there are records between
 * the two states, differences of the users of these records, or of all users in case of ticks, are inconclusive, and all stores are
 * compared again. Used by one thread.
 */
final class PartitionComparison {

    /** Maximum number of deferred users of all partitions; further ones are not compared and reported as such. */
    private static final int MAX_DEFERRED = 100_000;

    private final ReplayMember member;
    private final ComparedState live;
    private final ComparedState replayed;
    private final int partition;
    private final int maxDeferred;
    private final Runnable hasSeen;
    private final ReportParts.Writer writer;
    private final ComparisonTotals totals;
    private SortedSet<Bytes> deferred = new TreeSet<>();
    private long dropped;

    /** Null before the first comparison. */
    private @Nullable Long position;

    /** Null: no conclusive comparison yet. */
    private @Nullable Verdict verdict;

    /**
     * @param partitions number of partitions that are compared together
     * @param hasSeen called for each user or entry
     */
    PartitionComparison(
            ReplayMember member,
            ComparedState live,
            ComparedState replayed,
            int partition,
            int partitions,
            Runnable hasSeen) {
        this.member = member;
        this.live = live;
        this.replayed = replayed;
        this.partition = partition;
        this.maxDeferred = MAX_DEFERRED / partitions;
        this.hasSeen = hasSeen;
        this.writer =
                new ReportParts.Writer(member.log().producer(), member.log().topic(), partition);
        this.totals = new ComparisonTotals(member.plan().top());
    }

    /** Returns whether anything must be compared again. */
    boolean isMoreLeft() {
        return !deferred.isEmpty() || member.plan().isProof() && verdict == null;
    }

    /** Publishes what was found. Returns the entry that makes it a part of the report. */
    Entry.Part end(Round last) {
        Verdict found = verdict == null ? new Verdict(0, 0, List.of(), 1) : verdict;
        return writer.end(new ReportParts.Summary(
                requireNonNull(position, "compared"),
                member.readMs().get(),
                last.boardsAtRest(),
                totals.sums(),
                deferred.size() + dropped,
                deferred.stream()
                        .limit(ReplayReport.EXAMPLES)
                        .map(key -> UserKey.parse(key.get()).text())
                        .toList(),
                member.plan().isProof() ? found : null));
    }

    /** Compares all stores, unless an earlier round has been conclusive. */
    void compareStores(Round round) {
        if (verdict == null) {
            var found = new Found(round);
            UserStores.NAMES.forEach(found::compare);
            verdict = found.isInconclusive
                    ? null
                    : new Verdict(found.entries, found.mismatches, List.copyOf(found.first), 0);
        }
    }

    /** Differences of the stores in one round. */
    private final class Found {

        private final Round round;
        private final List<Mismatch> first = new ArrayList<>();
        private long entries;
        private long mismatches;
        private boolean isInconclusive;

        Found(Round round) {
            this.round = round;
        }

        void compare(String store) {
            ComparedState.forEachPair(live, replayed, store, partition, pair -> {
                hasSeen.run();
                if (store.equals(StoreNames.PARTITION_STATE) && StoreKeys.areUnsentScores(pair.key())) {
                    return; // When they are sent depends on time.
                }
                entries++;
                if (!Arrays.equals(pair.live(), pair.replayed())) {
                    differs(store, pair);
                }
            });
        }

        private void differs(String store, ComparedState.Pair pair) {
            byte @Nullable [] user = UserStores.userOf(store, pair.key());
            boolean mayBeAhead = user == null
                    ? !round.isAtRest(partition)
                    : round.concernsAllUsers(partition) || round.isMoving(partition, user);
            if (mayBeAhead) {
                isInconclusive = true;
                return;
            }
            mismatches++;
            if (first.size() < ReplayReport.MAX_MISMATCHES) {
                first.add(new Mismatch(
                        store,
                        partition,
                        user == null ? null : UserKey.parse(user),
                        pair.key().get(),
                        pair.live(),
                        pair.replayed()));
            }
        }
    }

    /** Compares all users in the first round, and those who were deferred in the others. */
    void compareUsers(Round round, ComparedUserReader before, ComparedUserReader after) {
        if (position == null) {
            position = round.positions().get(partition);
            ComparedState.forEachPair(
                    live,
                    replayed,
                    StoreNames.USERS,
                    partition,
                    pair -> compare(round, pair.key().get(), before, after));
        } else {
            SortedSet<Bytes> again = deferred;
            deferred = new TreeSet<>();
            again.forEach(key -> compare(round, key.get(), before, after));
        }
    }

    private void compare(Round round, byte[] key, ComparedUserReader before, ComparedUserReader after) {
        UserKey user = UserKey.parse(key);
        hasSeen.run();
        if (member.isStopped() || !member.plan().selection().includes(user)) {
            return;
        }
        if (round.isMoving(partition, key)) {
            defer(key);
            return;
        }
        ComparedUser was = before.read(partition, key);
        ComparedUser is = after.read(partition, key);
        if (was == null && is == null) {
            return; // The user was erased since the previous round.
        }
        // Users with new records change the ranks of others. Ticks have no effect here, because both states are shown
        // at the same moment.
        boolean mayDefer = !round.isLast() && !round.isAtRest() && deferred.size() < maxDeferred;
        if (mayDefer && differsInPlacesOnly(UserComparison.of(user, was, is))) {
            defer(key);
            return;
        }
        UserComparison comparison = totals.add(user, was, is);
        if (!comparison.isSame() && member.plan().hasFiles()) {
            writer.add(comparison);
        }
    }

    private static boolean differsInPlacesOnly(UserComparison comparison) {
        return !comparison.isSame() && comparison.differences().stream().allMatch(it -> it.kind() == Kind.PLACE);
    }

    private void defer(byte[] key) {
        if (deferred.size() < maxDeferred) {
            deferred.add(Bytes.wrap(key));
        } else {
            dropped++;
        }
    }
}
