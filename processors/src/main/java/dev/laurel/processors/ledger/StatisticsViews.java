package dev.laurel.processors.ledger;

import dev.laurel.platform.kafka.PollWakeup;
import dev.laurel.processors.core.statistics.StatisticsIndex;
import dev.laurel.schemas.key.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of tenants in each partition here, for reads concurrent to the tasks that update them. A task builds those of a tenant
 * when a read asks for them, and keeps them as long as they are asked for. Thread-safe.
 */
public final class StatisticsViews {

    /** The maximum of users in the statistics of all partitions here, and the number that stands for the fixed part of one. */
    private static final long MAX_USERS = 2_000_000;
    private static final int FIXED_PART = 100;

    /** The maximum of tenants of a partition whose statistics are awaited. */
    private static final int MAX_AWAITED = 1_000;

    private final Map<Integer, View> partitions = new ConcurrentHashMap<>();

    /** The users in the statistics, as of the last check of each task. */
    private final AtomicLong users = new AtomicLong();

    /** The statistics of one partition. Only its task changes them. */
    final class View {

        private final Map<TenantId, Shown> shown = new ConcurrentHashMap<>();
        private final Map<TenantId, CompletableFuture<@Nullable StatisticsIndex>> awaited = new ConcurrentHashMap<>();
        private final Queue<TenantId> asked = new ConcurrentLinkedQueue<>();
        private final PollWakeup task = PollWakeup.ofThisThread();
        private final IntSupplier today;

        private View(IntSupplier today) {
            this.today = today;
        }

        private CompletableFuture<@Nullable StatisticsIndex> request(TenantId tenant) {
            Shown known = shown.get(tenant);
            if (known != null) {
                known.isAsked = true;
            }
            if (known != null && known.index.knows(today.getAsInt())) {
                return CompletableFuture.completedFuture(known.index);
            }
            if (awaited.size() >= MAX_AWAITED) {
                return CompletableFuture.completedFuture(null);
            }
            return awaited.computeIfAbsent(tenant, _ -> {
                asked.add(tenant);
                task.now();
                return new CompletableFuture<>();
            });
        }

        /** The next tenant whose statistics are awaited; null: there is none. Each is returned once. */
        @Nullable
        TenantId nextAsked() {
            return asked.poll();
        }

        boolean isAnyAsked() {
            return !asked.isEmpty();
        }

        /** Null: those of this tenant are not shown. */
        @Nullable
        StatisticsIndex find(TenantId tenant) {
            Shown known = shown.get(tenant);
            return known == null ? null : known.index;
        }

        /** Shows a complete index. @return the one that it replaces; null: there was none */
        @Nullable
        StatisticsIndex show(TenantId tenant, StatisticsIndex index) {
            var next = new Shown(index);
            next.count();
            Shown former = shown.put(tenant, next);
            if (former != null) {
                former.uncount();
            }
            CompletableFuture<@Nullable StatisticsIndex> awaiting = awaited.remove(tenant);
            if (awaiting != null) {
                awaiting.complete(index);
            }
            trim(tenant);
            return former == null ? null : former.index;
        }

        /** Drops the statistics that were not asked for longest while all partitions here have too many. @param kept not dropped */
        private void trim(TenantId kept) {
            while (users.get() > MAX_USERS) {
                TenantId longest = null;
                int mostChecks = -1;
                for (Map.Entry<TenantId, Shown> entry : shown.entrySet()) {
                    if (entry.getValue().idleChecks > mostChecks && !entry.getKey().equals(kept)) {
                        longest = entry.getKey();
                        mostChecks = entry.getValue().idleChecks;
                    }
                }
                if (longest == null) {
                    return;
                }
                drop(longest);
            }
        }

        private void drop(TenantId tenant) {
            Shown former = shown.remove(tenant);
            if (former != null) {
                former.uncount();
                former.index.detach();
            }
        }

        /**
         * Drops what nobody has asked for during some of these calls, which are equally far apart.
         *
         * @param maxIdle the number of calls
         */
        void check(int maxIdle) {
            shown.forEach((tenant, known) -> {
                known.uncount();
                known.count();
                known.idleChecks = known.isAsked ? 0 : known.idleChecks + 1;
                known.isAsked = false;
                if (known.idleChecks > maxIdle) {
                    drop(tenant);
                }
            });
        }

        /** The tenants whose statistics are outdated. @param now the date in UTC */
        List<TenantId> outdated(int now) {
            var outdated = new ArrayList<TenantId>();
            shown.forEach((tenant, known) -> {
                if (known.index.isOutdated(now)) {
                    outdated.add(tenant);
                }
            });
            return outdated;
        }

        private void stop() {
            shown.keySet().forEach(this::drop);
            awaited.values().forEach(awaiting -> awaiting.complete(null));
        }
    }

    /** A complete index. */
    private final class Shown {

        private final StatisticsIndex index;

        /** Whether a read has asked for it since the last check. */
        private volatile boolean isAsked = true;
        private int idleChecks;
        private long counted;

        Shown(StatisticsIndex index) {
            this.index = index;
        }

        private void count() {
            counted = index.users() + FIXED_PART;
            users.addAndGet(counted);
        }

        private void uncount() {
            users.addAndGet(-counted);
            counted = 0;
        }
    }

    /**
     * The index of a tenant's users in a partition of the log. The future is completed by the thread of the task when the index is
     * built, or is built anew because time has left its days behind, with null if the partition is not here.
     */
    public CompletableFuture<@Nullable StatisticsIndex> request(int partition, TenantId tenant) {
        View view = partitions.get(partition);
        return view == null ? CompletableFuture.completedFuture(null) : view.request(tenant);
    }

    /**
     * Begins to show a partition, without statistics at first. Called by the thread of its task.
     *
     * @param today the date in UTC by the clock of reads
     */
    View open(int partition, IntSupplier today) {
        var view = new View(today);
        View former = partitions.put(partition, view);
        if (former != null) {
            former.stop();
        }
        return view;
    }

    void close(int partition, View view) {
        if (partitions.remove(partition, view)) {
            view.stop();
        }
    }
}
