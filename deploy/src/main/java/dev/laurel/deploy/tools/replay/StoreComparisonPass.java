package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.processors.store.LedgerStores;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Compares the stores of the ledger entry by entry, byte by byte. If a partition has records between the two states,
 * differences of the users of these records, or of any user in case of ticks, are inconclusive; the partition is then
 * compared again in the next round. Used by one thread.
 */
final class StoreComparisonPass implements ComparisonRounds.Comparison {

    /** Maximum number of reported differences; all are counted. */
    private static final int MAX_FAULTS_KEPT = 100;

    /**
     * A differing entry.
     *
     * @param user null if the entry belongs to no user
     * @param live null if missing
     * @param replayed null if missing
     */
    record Fault(String store, int partition, UserKey user, byte[] key, byte[] live, byte[] replayed) {}

    /** @param partitions partitions without a conclusive comparison */
    record Verdict(long entries, long faults, List<Fault> first, int partitions) {}

    private final ComparedState live;
    private final ComparedState replayed;
    private final ProgressReporter progress;
    private final BooleanSupplier isStopped;
    private final BitSet open = new BitSet();
    private final List<Fault> first = new ArrayList<>();
    private long entries;
    private long faults;
    private long seen;

    StoreComparisonPass(ComparedState live, ComparedState replayed, int partitions, ProgressReporter progress,
            BooleanSupplier isStopped) {
        this.live = live;
        this.replayed = replayed;
        this.progress = progress;
        this.isStopped = isStopped;
        open.set(0, partitions);
    }

    @Override
    public boolean at(ComparisonRounds.Round round) {
        progress.begin("compare byte by byte", "entries", known());
        seen = 0;
        for (int partition = open.nextSetBit(0); partition >= 0
                && !isStopped.getAsBoolean(); partition = open.nextSetBit(partition + 1)) {
            var found = new Found(round, partition);
            LiveState.LEDGER_STORES.forEach(found::compare);
            if (!found.isUnsure) {
                open.clear(partition);
                entries += found.entries;
                faults += found.faults;
                found.first.stream().limit(MAX_FAULTS_KEPT - first.size()).forEach(first::add);
            }
        }
        progress.end();
        return !open.isEmpty();
    }

    private long known() {
        return open.stream().mapToLong(partition -> LiveState.LEDGER_STORES.stream()
                .mapToLong(store -> replayed.count(store, partition)).sum()).sum();
    }

    Verdict verdict() {
        return new Verdict(entries, faults, List.copyOf(first), open.cardinality());
    }

    /** Differences of one partition in one round. */
    private final class Found {

        private final ComparisonRounds.Round round;
        private final int partition;
        private final List<Fault> first = new ArrayList<>();
        private long entries;
        private long faults;
        private boolean isUnsure;

        Found(ComparisonRounds.Round round, int partition) {
            this.round = round;
            this.partition = partition;
        }

        void compare(String store) {
            PairedEntries.entries(live, replayed, store, partition, pair -> {
                progress.stepTo(++seen);
                entries++;
                if (!Arrays.equals(pair.live(), pair.other())) {
                    differs(store, pair);
                }
            });
        }

        private void differs(String store, PairedEntries.Pair pair) {
            byte[] user = LedgerStores.userOf(store, pair.key());
            boolean mayBeAhead = user == null
                    ? !round.isAtRest(partition)
                    : round.concernsAnybody(partition) || round.isMoving(partition, user);
            if (mayBeAhead) {
                isUnsure = true;
                return;
            }
            faults++;
            if (first.size() < MAX_FAULTS_KEPT) {
                first.add(new Fault(store, partition, user == null ? null : UserKey.parse(user), pair.key().get(),
                        pair.live(), pair.other()));
            }
        }
    }
}
