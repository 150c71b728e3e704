package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.delivery.Lookups;
import dev.laurel.processors.store.ThrottleStores;
import dev.laurel.processors.store.ThrottleStores.Due;
import dev.laurel.processors.store.ThrottleStores.Place;
import dev.laurel.processors.store.ThrottleStores.Subject;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.outbox.Outgoing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Merges what comes too often (webhooks.md §3): the first change passes at once, what comes within the window after it as one
 * event at its end. Windows go by the instance's clock, and are in the store; the machine's clock only says when to look whether
 * one has ended. One task, one thread.
 */
final class ThrottleStep implements Processor<byte[], Outgoing, byte[], Outgoing> {

    static final long WINDOW_MS = Duration.ofMinutes(15).toMillis();

    static final Duration LOOK = Duration.ofMillis(500);

    /** In one look; after a leap of the clock everything may be due at once. */
    private static final int MAX_WORK = 1_000;

    private static final int MAX_AT_ONCE = 100;

    private final RulesetVersions rulesets;
    private final Lookups lookups;
    private final InstantSource clock;
    private ProcessorContext<byte[], Outgoing> context;
    private ThrottleStores stores;
    private Handover handover;
    private PointsThrottle points;
    private BoardThrottle boards;
    private RulesWatch rulesWatch;

    /** Up to which this round has come. A look goes on where the one before ended, so that nothing stands in the way of others. */
    private Place lookedAt;

    ThrottleStep(RulesetVersions rulesets, Lookups lookups, InstantSource clock) {
        this.rulesets = rulesets;
        this.lookups = lookups;
        this.clock = clock;
    }

    @Override
    public void init(ProcessorContext<byte[], Outgoing> processorContext) {
        // A task that is revived starts with the same object: nothing may outlive the stores.
        context = processorContext;
        stores = new ThrottleStores(context::getStateStore);
        handover = new Handover(context, stores);
        points = new PointsThrottle(stores, rulesets, handover);
        boards = new BoardThrottle(stores, rulesets, lookups, handover);
        rulesWatch = new RulesWatch(stores, rulesets, boards);
        lookedAt = null;
        context.schedule(LOOK, PunctuationType.WALL_CLOCK_TIME, _ -> look());
    }

    @Override
    public void process(Record<byte[], Outgoing> record) {
        long nowMs = clock.millis();
        switch (record.value()) {
            case Outgoing.HookEvent event -> points.hear(record.key(), event,
                    context.recordMetadata().orElseThrow().offset(), nowMs);
            case Outgoing.BoardNews news -> {
                rulesWatch.heardOf(news.tenant());
                boards.hear(record.key(), news, nowMs);
            }
            case Outgoing.UserErased erased -> points.forget(record.key(), erased);
            case Outgoing.Question question ->
                context.forward(record.withValue(question.and(!stores.duesAfter(null, nowMs, 1).isEmpty())));
            case Outgoing.Message _,Outgoing.HookTest _,Outgoing.HookRetry _ ->
                throw new IllegalStateException(record.value().id() + " is nothing to be throttled");
        }
    }

    private void look() {
        long nowMs = clock.millis();
        handover.tidy();
        rulesWatch.look(nowMs);
        int work = 0;
        while (true) {
            List<Due> next = stores.duesAfter(lookedAt, nowMs, MAX_AT_ONCE);
            for (Due due : next) {
                if (work >= MAX_WORK) {
                    return;
                }
                work += lookAt(due, nowMs);
                lookedAt = due.place();
            }
            if (next.size() < MAX_AT_ONCE) {
                lookedAt = null;
                return;
            }
        }
    }

    private int lookAt(Due due, long nowMs) {
        switch (due.subject()) {
            case Subject.Points ended -> points.lookAt(due, ended, nowMs);
            case Subject.Group(var group) -> {
                return boards.lookAt(due, group, nowMs);
            }
            case Subject.Held(var handed) -> {
                handover.keep(handed.key(), handed.event());
                stores.deleteDue(due);
            }
            case Subject.OldRun(var tenant, int board, int run) -> {
                stores.deleteFromNothing(tenant, board, run);
                stores.deleteDue(due);
            }
        }
        return 1;
    }
}
