package dev.laurel.processors.ledger;

import dev.laurel.platform.kafka.PollWakeup;
import dev.laurel.processors.core.engine.Outcome.CountedEvent;
import dev.laurel.processors.core.statistics.StatisticsIndex;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.UserStores;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * Builds the {@link StatisticsIndex} of a partition from its users and keeps it up to date. The index is built in steps between
 * commands, on the task's own thread, so that no lock is needed. An index that lacks streaks, or users in its sample,
 * is used until a new one has been built. Each day a new one is built, too, whose windows end with the next days. One task, one thread.
 */
final class StatisticsUpdater {

    private static final Duration STEP_INTERVAL = Duration.ofMillis(10);

    private static final Duration DATE_INTERVAL = Duration.ofMinutes(1);

    /** Commands wait until a step ends, so steps take a fifth of the time while commands arrive. */
    private static final long BUSY_STEP_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Without commands, the steps of a task are a tenth of a second apart, so they are longer. */
    private static final long IDLE_STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Users read between two checks of the time. */
    static final int PORTION = 50;

    private final ProcessorContext<?, ?> context;
    private final UserStores users;
    private final StatisticsViews views;
    private final long busyStepNs;
    private final long idleStepNs;
    private final int partition;

    /** The index that reads use; null until it contains all users. */
    private @Nullable StatisticsIndex shown;

    /** The index that is being built; null if none is. */
    private @Nullable StatisticsIndex built;
    private Cancellable steps;
    private final Cancellable dates;
    private boolean isBusy;

    /** Begins at once: if there are few users, the index is complete before the first command. */
    StatisticsUpdater(ProcessorContext<?, ?> context, UserStores users, StatisticsViews views) {
        this(context, users, views, BUSY_STEP_NS, IDLE_STEP_NS);
    }

    StatisticsUpdater(ProcessorContext<?, ?> context, UserStores users, StatisticsViews views, long busyStepNs,
            long idleStepNs) {
        this.context = context;
        this.busyStepNs = busyStepNs;
        this.idleStepNs = idleStepNs;
        this.users = users;
        this.views = views;
        this.partition = context.taskId().partition();
        this.built = new StatisticsIndex(today());
        this.dates = context.schedule(DATE_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> {
            if (built == null && shown != null && shown.isOutdated(today())) {
                rebuild();
            }
        });
        this.steps = schedule();
        step(built);
    }

    private int today() {
        return Math.toIntExact(Math.floorDiv(context.currentSystemTimeMs(), TimeUnit.DAYS.toMillis(1)));
    }

    private void rebuild() {
        built = new StatisticsIndex(today());
        steps = schedule();
    }

    private Cancellable schedule() {
        return context.schedule(STEP_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> {
            if (built != null) {
                step(built);
            }
        });
    }

    private void step(StatisticsIndex index) {
        PollWakeup.ofThisThread().soon();
        long startedNs = System.nanoTime();
        long mayTakeNs = isBusy ? busyStepNs : idleStepNs;
        isBusy = false;
        do {
            List<UserStores.Stored> next = users.after(requireNonNull(index.reached()), PORTION);
            for (UserStores.Stored user : next) {
                index.add(user.key(), UserKey.parse(user.key()).tenant(), user.state(), historyOf(user.key()));
            }
            if (next.size() < PORTION) {
                show(index);
                return;
            }
        } while (System.nanoTime() - startedNs < mayTakeNs);
    }

    private UserHistory historyOf(byte[] key) {
        return users.historyOf(key, _ -> null);
    }

    private void show(StatisticsIndex complete) {
        complete.complete();
        shown = complete;
        built = null;
        steps.cancel();
        views.show(partition, complete);
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
        UserHistory history = historyOf(key);
        if (built != null) {
            built.change(key, tenant, before, after, event, history);
        }
        if (shown != null && shown.change(key, tenant, before, after, event, history) && built == null) {
            rebuild();
        }
    }

    /** Stops building, and withdraws the index from reads. */
    void stop() {
        steps.cancel();
        dates.cancel();
        views.drop(partition);
    }
}
