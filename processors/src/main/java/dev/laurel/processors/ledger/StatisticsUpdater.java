package dev.laurel.processors.ledger;

import dev.laurel.platform.kafka.PollWakeup;
import dev.laurel.processors.core.engine.Outcome.CountedEvent;
import dev.laurel.processors.core.statistics.GroupMemory;
import dev.laurel.processors.core.statistics.StatisticsIndex;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.UserStores;
import dev.laurel.schemas.key.TenantId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * Builds the {@link StatisticsIndex} of each tenant for which a read asks, from the tenant's users in a partition, and keeps it up to
 * date. Indexes are built in steps between commands, on the task's own thread, so that no lock is needed. Several are built at a time,
 * which take turns, so that a tenant with few users does not wait for one with many. An index that lacks streaks, or users in its sample,
 * is used until a new one of the same tenant has been built. Each day a new one is built, too, whose windows end with the next days.
 * An index for which nobody asks any more is dropped. One task, one thread.
 */
final class StatisticsUpdater {

    private static final Duration STEP_INTERVAL = Duration.ofMillis(10);

    private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);

    /** An index is dropped after so many checks without a read: an hour. */
    private static final int MAX_IDLE_CHECKS = 60;

    /** Indexes that are built at a time. */
    private static final int MAX_BUILDS = 8;

    /** Commands wait until a step ends, so steps take a fifth of the time while commands arrive. */
    private static final long BUSY_STEP_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Without commands, the steps of a task are a tenth of a second apart, so they are longer. */
    private static final long IDLE_STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Users read between two checks of the time. */
    static final int PORTION = 50;

    private final UserStores users;
    private final StatisticsViews views;
    private final StatisticsViews.View view;
    private final long busyStepNs;
    private final long idleStepNs;
    private final int partition;
    private final GroupMemory memory = new GroupMemory();

    /** The indexes that are being built, the one whose turn is next first. */
    private final LinkedHashMap<TenantId, Build> builds = new LinkedHashMap<>();

    /** The tenants whose indexes are to be built next. */
    private final LinkedHashSet<TenantId> waiting = new LinkedHashSet<>();
    private final Cancellable steps;
    private final Cancellable checks;
    private final LongSupplier nowMs;
    private boolean isBusy;

    /** The date in UTC for which outdated indexes were last looked for. */
    private int checkedDay = Integer.MIN_VALUE;

    /** @param next where the next users begin */
    private record Build(StatisticsIndex index, byte[] next) {}

    /** @param nowMs the clock of reads, which may be a test clock; it decides the dates only */
    StatisticsUpdater(ProcessorContext<?, ?> context, UserStores users, StatisticsViews views, LongSupplier nowMs) {
        this(context, users, views, nowMs, BUSY_STEP_NS, IDLE_STEP_NS);
    }

    StatisticsUpdater(ProcessorContext<?, ?> context, UserStores users, StatisticsViews views, LongSupplier nowMs,
            long busyStepNs, long idleStepNs) {
        this.nowMs = nowMs;
        this.busyStepNs = busyStepNs;
        this.idleStepNs = idleStepNs;
        this.users = users;
        this.views = views;
        this.partition = context.taskId().partition();
        this.view = views.open(partition, this::today);
        this.steps = context.schedule(STEP_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> {
            int today = today();
            if (today != checkedDay) {
                checkedDay = today;
                view.outdated(today).forEach(this::rebuild);
            }
            if (!builds.isEmpty() || !waiting.isEmpty() || view.isAnyAsked()) {
                step();
            }
        });
        this.checks = context.schedule(CHECK_INTERVAL, PunctuationType.WALL_CLOCK_TIME,
                _ -> view.check(MAX_IDLE_CHECKS));
    }

    private int today() {
        return Math.toIntExact(Math.floorDiv(nowMs.getAsLong(), TimeUnit.DAYS.toMillis(1)));
    }

    private void rebuild(TenantId tenant) {
        if (!builds.containsKey(tenant)) {
            waiting.add(tenant);
        }
    }

    private void step() {
        PollWakeup.ofThisThread().soon();
        long startedNs = System.nanoTime();
        long mayTakeNs = isBusy ? busyStepNs : idleStepNs;
        isBusy = false;
        for (TenantId tenant = view.nextAsked(); tenant != null; tenant = view.nextAsked()) {
            rebuild(tenant);
        }
        do {
            while (builds.size() < MAX_BUILDS && !waiting.isEmpty()) {
                begin(waiting.removeFirst());
            }
            Map.Entry<TenantId, Build> first = builds.pollFirstEntry();
            if (first == null) {
                return;
            }
            proceed(first.getKey(), first.getValue());
        } while (System.nanoTime() - startedNs < mayTakeNs);
    }

    private void begin(TenantId tenant) {
        StatisticsIndex former = view.find(tenant);
        if (former != null) {
            former.detach(); // Both take memory until the new one is complete.
        }
        builds.putLast(tenant, new Build(new StatisticsIndex(today(), memory), UserStores.firstOf(tenant)));
    }

    private void proceed(TenantId tenant, Build build) {
        StatisticsIndex index = build.index;
        UserStores.Page page = users.ofTenant(tenant, build.next, PORTION);
        for (UserStores.Stored user : page.users()) {
            index.add(user.key(), user.state(), historyOf(user.key()));
        }
        index.proceedTo(page.next());
        if (page.next() == null) {
            view.show(tenant, index);
            if (index.isOutdated(today())) {
                waiting.add(tenant);
            }
        } else {
            builds.putLast(tenant, new Build(index, page.next()));
        }
    }

    private UserHistory historyOf(byte[] key) {
        return users.historyOf(key, _ -> null);
    }

    /**
     * Applies a change of a user, which is stored.
     *
     * @param before null: the user is new
     * @param after null: the user was erased
     * @param event that made the change; null if none did
     */
    void change(byte[] key, TenantId tenant, @Nullable UserState before, @Nullable UserState after,
            @Nullable CountedEvent event) {
        isBusy = true;
        StatisticsIndex shown = view.find(tenant);
        Build build = builds.get(tenant);
        if (shown == null && build == null) {
            return;
        }
        UserHistory history = historyOf(key);
        if (build != null) {
            build.index.change(key, before, after, event, history);
        }
        if (shown != null && shown.change(key, before, after, event, history)) {
            rebuild(tenant);
        }
    }

    /** Stops building, and withdraws the indexes from reads. */
    void stop() {
        steps.cancel();
        checks.cancel();
        views.close(partition, view);
    }
}
