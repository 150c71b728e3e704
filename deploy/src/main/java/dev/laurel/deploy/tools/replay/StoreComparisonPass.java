package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.Progress;
import dev.laurel.processors.store.LedgerStores;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the stores of the ledger entry by entry, byte by byte. If a partition has records between the two states,
 * differences of the users of these records, or of all users in case of ticks, are inconclusive; the partition is then
 * compared again in the next round. Used by one thread.
 */
final class StoreComparisonPass implements ComparisonRounds.Comparison {

    /** Maximum number of reported differences; all are counted. */
    private static final int MAX_MISMATCHES_KEPT = 100;

    /**
     * A differing entry.
     *
     * @param user null: the entry belongs to no user
     * @param live null: missing
     * @param replayed null: missing
     */
    record Mismatch(String store, int partition, @Nullable UserKey user, byte[] key, byte @Nullable [] live,
            byte @Nullable [] replayed) {}

    /** @param partitions partitions without a conclusive comparison */
    record Verdict(long entries, long mismatches, List<Mismatch> first, int partitions) {

        static final Verdict NONE = new Verdict(0, 0, List.of(), 0);

        /** Adds the verdict of other partitions. */
        Verdict plus(Verdict other) {
            return new Verdict(entries + other.entries, mismatches + other.mismatches,
                    Stream.concat(first.stream(), other.first.stream()).limit(MAX_MISMATCHES_KEPT).toList(),
                    partitions + other.partitions);
        }
    }

    private final ComparedState live;
    private final ComparedState replayed;
    private final Progress progress;
    private final BooleanSupplier isStopped;
    private final BitSet open = new BitSet();
    private final List<Mismatch> first = new ArrayList<>();
    private long entries;
    private long mismatches;
    private long seen;

    StoreComparisonPass(ComparedState live, ComparedState replayed, List<Integer> partitions, Progress progress,
            BooleanSupplier isStopped) {
        this.live = live;
        this.replayed = replayed;
        this.progress = progress;
        this.isStopped = isStopped;
        partitions.forEach(open::set);
    }

    @Override
    public boolean compare(ComparisonRounds.Round round) {
        progress.begin("compare byte by byte", "entries", count());
        seen = 0;
        for (int partition = open.nextSetBit(0); partition >= 0
                && !isStopped.getAsBoolean(); partition = open.nextSetBit(partition + 1)) {
            var found = new Found(round, partition);
            CopiedState.LEDGER_STORES.forEach(found::compare);
            if (!found.isInconclusive) {
                open.clear(partition);
                entries += found.entries;
                mismatches += found.mismatches;
                found.first.stream().limit(MAX_MISMATCHES_KEPT - first.size()).forEach(first::add);
            }
        }
        progress.end();
        return !open.isEmpty();
    }

    private long count() {
        return open.stream().mapToLong(partition -> CopiedState.LEDGER_STORES.stream()
                .mapToLong(store -> replayed.count(store, partition)).sum()).sum();
    }

    Verdict verdict() {
        return new Verdict(entries, mismatches, List.copyOf(first), open.cardinality());
    }

    /** Differences of one partition in one round. */
    private final class Found {

        private final ComparisonRounds.Round round;
        private final int partition;
        private final List<Mismatch> first = new ArrayList<>();
        private long entries;
        private long mismatches;
        private boolean isInconclusive;

        Found(ComparisonRounds.Round round, int partition) {
            this.round = round;
            this.partition = partition;
        }

        void compare(String store) {
            ComparedState.forEachPair(live, replayed, store, partition, pair -> {
                progress.stepTo(++seen);
                entries++;
                if (!Arrays.equals(pair.live(), pair.replayed())) {
                    differs(store, pair);
                }
            });
        }

        private void differs(String store, ComparedState.Pair pair) {
            byte @Nullable [] user = LedgerStores.userOf(store, pair.key());
            boolean mayBeAhead = user == null
                    ? !round.isAtRest(partition)
                    : round.concernsAllUsers(partition) || round.isMoving(partition, user);
            if (mayBeAhead) {
                isInconclusive = true;
                return;
            }
            mismatches++;
            if (first.size() < MAX_MISMATCHES_KEPT) {
                first.add(new Mismatch(store, partition, user == null ? null : UserKey.parse(user), pair.key().get(),
                        pair.live(), pair.replayed()));
            }
        }
    }
}
