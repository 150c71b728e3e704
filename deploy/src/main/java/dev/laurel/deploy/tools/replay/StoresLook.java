package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.store.StoreOwners;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Compares the ledger's stores entry by entry and byte by byte. Where a partition moved on in between, what belongs to a user whose
 * commands, or to anybody if ticks, came in between says nothing yet: such a partition is compared once more in the next round.
 * One thread.
 */
final class StoresLook implements Rounds.Look {

    /** What is told of them; all are counted. */
    private static final int MAX_FAULTS_KEPT = 100;

    /**
     * An entry that is not the same.
     *
     * @param user null if it is no user's
     * @param live null if it is missing there, as is {@code replayed}
     */
    record Fault(String store, int partition, UserKey user, byte[] key, byte[] live, byte[] replayed) {}

    /** @param partitions not yet compared for good */
    record Verdict(long entries, long faults, List<Fault> first, int partitions) {}

    private final State live;
    private final State replayed;
    private final ReplayProgress progress;
    private final BooleanSupplier isStopped;
    private final BitSet open = new BitSet();
    private final List<Fault> first = new ArrayList<>();
    private long entries;
    private long faults;
    private long seen;

    StoresLook(State live, State replayed, int partitions, ReplayProgress progress, BooleanSupplier isStopped) {
        this.live = live;
        this.replayed = replayed;
        this.progress = progress;
        this.isStopped = isStopped;
        open.set(0, partitions);
    }

    @Override
    public boolean at(Round round) {
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

    /** Of one partition in one round. */
    private final class Found {

        private final Round round;
        private final int partition;
        private final List<Fault> first = new ArrayList<>();
        private long entries;
        private long faults;
        private boolean isUnsure;

        Found(Round round, int partition) {
            this.round = round;
            this.partition = partition;
        }

        void compare(String store) {
            UserWalk.entries(live, replayed, store, partition, pair -> {
                progress.stepTo(++seen);
                entries++;
                if (!Arrays.equals(pair.live(), pair.other())) {
                    differs(store, pair);
                }
            });
        }

        private void differs(String store, UserWalk.Pair pair) {
            byte[] user = StoreOwners.userOf(store, pair.key());
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
