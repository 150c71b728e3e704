package dev.laurel.deploy.tools.replay;

import static java.util.Objects.requireNonNull;

import dev.laurel.deploy.cli.Progress;
import dev.laurel.processors.core.compare.ComparedUser;
import dev.laurel.processors.core.compare.ComparisonTotals;
import dev.laurel.processors.core.compare.UserComparison.Difference;
import dev.laurel.processors.core.compare.UserComparison;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Compares users one after the other and defers users with new records to the next round. Counts each user once. Used
 * by one thread.
 */
final class UserComparisonPass implements ComparisonRounds.Comparison {

    /** Maximum number of deferred users; further ones are not compared and reported as such. */
    private static final int MAX_DEFERRED = 100_000;

    /**
     * Users to compare.
     *
     * @param tenant null: all tenants
     * @param users empty: all users
     */
    record UserSelection(@Nullable TenantId tenant, Set<UserKey> users) {

        boolean includes(UserKey user) {
            return (tenant == null || tenant.equals(user.tenant())) && (users.isEmpty() || users.contains(user));
        }
    }

    private final ComparedState live;
    private final ComparedState replayed;
    private final long nowMs;
    private final UserSelection selection;
    private final ComparisonTotals totals;
    private final Consumer<UserComparison> onDifference;
    private final Progress progress;
    private final BooleanSupplier isStopped;
    private final SortedMap<Integer, SortedSet<Bytes>> deferred = new TreeMap<>();
    private long deferredCount;
    private long dropped;
    private long done;

    /**
     * @param partitions partitions to compare
     * @param nowMs moment at which both states are shown
     * @param onDifference receives each differing user as soon as the difference is certain
     */
    UserComparisonPass(ComparedState live, ComparedState replayed, List<Integer> partitions, long nowMs,
            UserSelection selection, ComparisonTotals totals, Consumer<UserComparison> onDifference, Progress progress,
            BooleanSupplier isStopped) {
        this.live = live;
        this.replayed = replayed;
        this.nowMs = nowMs;
        this.selection = selection;
        this.totals = totals;
        this.onDifference = onDifference;
        this.progress = progress;
        this.isStopped = isStopped;
        partitions.forEach(partition -> deferred.put(partition, new TreeSet<>()));
    }

    @Override
    public boolean compare(ComparisonRounds.Round round) {
        // Cached leaderboard groups are valid for one round only.
        var before = new ComparedUserReader(live, nowMs);
        var after = new ComparedUserReader(replayed, nowMs);
        progress.begin("compare", "users", round.number() == 1 ? knownUsers() : deferredCount);
        done = 0;
        for (int partition : List.copyOf(deferred.keySet())) {
            if (isStopped.getAsBoolean()) {
                break;
            }
            if (round.number() == 1) {
                ComparedState.forEachPair(live, replayed, StoreNames.USERS, partition,
                        pair -> compare(round, partition, pair.key().get(), before, after));
            } else {
                SortedSet<Bytes> again = requireNonNull(deferred.put(partition, new TreeSet<>()), "compared before");
                deferredCount -= again.size();
                again.forEach(key -> compare(round, partition, key.get(), before, after));
            }
        }
        progress.end();
        return deferredCount > 0;
    }

    private long knownUsers() {
        long users = 0;
        for (int partition : deferred.keySet()) {
            users += replayed.count(StoreNames.USERS, partition);
        }
        return users;
    }

    private void compare(ComparisonRounds.Round round, int partition, byte[] key, ComparedUserReader before,
            ComparedUserReader after) {
        UserKey user = UserKey.parse(key);
        progress.stepTo(++done);
        if (isStopped.getAsBoolean() || !selection.includes(user)) {
            return;
        }
        if (round.isMoving(partition, key)) {
            defer(partition, key);
            return;
        }
        ComparedUser was = before.read(partition, key);
        ComparedUser is = after.read(partition, key);
        if (was == null && is == null) {
            return; // The user was erased since the previous round.
        }
        // Users with new records change the ranks of others. Ticks have no effect here, because both states are shown
        // at the same moment.
        boolean mayDefer = !round.isLast() && !round.isAtRest() && deferredCount < MAX_DEFERRED;
        if (mayDefer && differsInPlacesOnly(UserComparison.of(user, was, is))) {
            defer(partition, key);
            return;
        }
        UserComparison comparison = totals.add(user, was, is);
        if (!comparison.isSame()) {
            onDifference.accept(comparison);
        }
    }

    private static boolean differsInPlacesOnly(UserComparison comparison) {
        return !comparison.isSame()
                && comparison.differences().stream().allMatch(Difference.EntryDiffers.class::isInstance);
    }

    private void defer(int partition, byte[] key) {
        if (deferredCount < MAX_DEFERRED) {
            requireNonNull(deferred.get(partition), "a partition to compare").add(Bytes.wrap(key));
            deferredCount++;
        } else {
            dropped++;
        }
    }

    /** Returns how many users could not be compared. */
    long notCompared() {
        return deferredCount + dropped;
    }

    /** Returns some users who could not be compared. */
    List<String> examplesNotCompared(int limit) {
        return deferred.values().stream().flatMap(Set::stream).limit(limit).map(key -> UserKey.parse(key.get()).text())
                .toList();
    }
}
