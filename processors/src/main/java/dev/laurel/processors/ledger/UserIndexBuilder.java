package dev.laurel.processors.ledger;

import dev.laurel.platform.kafka.PollWakeup;
import dev.laurel.processors.store.users.UserIndex;
import dev.laurel.processors.store.users.UserStores;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * Builds the {@link UserIndex} of a partition whose stores come from a version without one, in steps between commands, each of which is
 * committed with how far it is built. A restart goes on from there. One task, one thread.
 */
final class UserIndexBuilder {

    private static final Duration STEP_INTERVAL = Duration.ofMillis(10);

    /** Commands wait until a step ends, so steps take a fifth of the time. */
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Users read between two checks of the time. */
    private static final int PORTION = 50;

    private final UserStores users;
    private final UserIndex index;
    private @Nullable Cancellable steps;

    private UserIndexBuilder(UserStores users, UserIndex index) {
        this.users = users;
        this.index = index;
    }

    static void startIfIncomplete(ProcessorContext<?, ?> context, UserStores users, UserIndex index) {
        if (index.reached() != null) {
            var builder = new UserIndexBuilder(users, index);
            builder.steps = context.schedule(STEP_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> builder.step());
        }
    }

    private void step() {
        PollWakeup.ofThisThread().soon();
        long startedNs = System.nanoTime();
        byte[] reached = index.reached();
        while (reached != null && System.nanoTime() - startedNs < STEP_NS) {
            List<UserStores.Stored> next = users.after(reached, PORTION);
            index.add(next, next.size() < PORTION);
            reached = index.reached();
        }
        if (reached == null && steps != null) {
            steps.cancel();
        }
    }
}
