package dev.laurel.processors.ledger;

import dev.laurel.processors.core.statistics.StatisticsIndex;
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

/**
 * Builds the {@link StatisticsIndex} of a partition from its users and keeps it up to date. The index is built in steps between
 * commands, on the task's own thread, so that no lock is needed. An index that runs short of streaks, or of users in its sample,
 * serves until a new one has been built. One task, one thread.
 */
final class StatisticsUpdater {

    private static final Duration STEP_INTERVAL = Duration.ofMillis(10);

    /** Commands wait for a step to end: while there are any, it takes a fifth of the time. */
    private static final long BUSY_STEP_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** A task without commands has its steps a tenth of a second apart, so they are longer. */
    private static final long IDLE_STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Users read between two looks at the time. */
    static final int PORTION = 50;

    private final ProcessorContext<?, ?> context;
    private final UserStores users;
    private final StatisticsViews views;
    private final long busyStepNs;
    private final long idleStepNs;
    private final int partition;

    /** Null until all users are in it. */
    private StatisticsIndex shown;

    /** Null if none is being made. */
    private StatisticsIndex made;
    private Cancellable steps;
    private boolean isBusy;

    /** Begins at once: few users are all read before the first command. */
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
        make();
        step();
    }

    private void make() {
        made = new StatisticsIndex();
        steps = context.schedule(STEP_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> step());
    }

    private void step() {
        long startedNs = System.nanoTime();
        long mayTakeNs = isBusy ? busyStepNs : idleStepNs;
        isBusy = false;
        do {
            List<UserStores.Stored> next = users.after(made.reached(), PORTION);
            for (UserStores.Stored user : next) {
                made.add(user.key(), UserKey.parse(user.key()).tenant(), user.state());
            }
            if (next.size() < PORTION) {
                show();
                return;
            }
        } while (System.nanoTime() - startedNs < mayTakeNs);
    }

    private void show() {
        made.complete();
        shown = made;
        made = null;
        steps.cancel();
        views.show(partition, shown);
    }

    /**
     * A user is another one than before.
     *
     * @param before null if there was none
     * @param after null if there is none
     */
    void change(byte[] key, TenantId tenant, UserState before, UserState after) {
        isBusy = true;
        if (made != null) {
            made.change(key, tenant, before, after);
        }
        if (shown != null && shown.change(key, tenant, before, after) && made == null) {
            make();
        }
    }

    /** Neither is anything shown from here on, nor does a step come that would show it. */
    void stop() {
        steps.cancel();
        views.drop(partition);
    }
}
