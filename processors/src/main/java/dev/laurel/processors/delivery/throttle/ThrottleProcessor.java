package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.store.ThrottleStore.Due;
import dev.laurel.processors.store.ThrottleStore.Position;
import dev.laurel.processors.store.ThrottleStore.Subject;
import dev.laurel.processors.store.ThrottleStore;
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
 * Merges events that come too often ({@code docs/webhooks.md} §3): the first change passes at once, those within the window
 * after it as one event at its end. Windows follow the instance's clock and are stored; the machine's clock only triggers the
 * check whether one has ended. One task, one thread.
 */
final class ThrottleProcessor implements Processor<byte[], Outgoing, byte[], Outgoing> {

    static final long WINDOW_MS = Duration.ofMinutes(15).toMillis();

    static final Duration CHECK_INTERVAL = Duration.ofMillis(500);

    /** In one check; after a leap of the clock everything may be due at once. */
    private static final int MAX_WORK = 1_000;

    private static final int MAX_AT_ONCE = 100;

    private final RulesetVersions rulesets;
    private final NodeReads reads;
    private final InstantSource clock;
    private ProcessorContext<byte[], Outgoing> context;
    private ThrottleStore store;
    private EventForwarder forwarder;
    private PointsThrottle points;
    private BoardThrottle boards;
    private ObsoleteGroupFinder obsoleteGroups;

    /** How far this round has come. A check goes on where the one before ended, so that nothing that stays due delays others. */
    private Position position;

    ThrottleProcessor(RulesetVersions rulesets, NodeReads reads, InstantSource clock) {
        this.rulesets = rulesets;
        this.reads = reads;
        this.clock = clock;
    }

    @Override
    public void init(ProcessorContext<byte[], Outgoing> processorContext) {
        // A task that is revived starts with the same object: nothing may outlive the store.
        context = processorContext;
        store = new ThrottleStore(context::getStateStore);
        forwarder = new EventForwarder(context, store);
        points = new PointsThrottle(store, rulesets, forwarder);
        boards = new BoardThrottle(store, rulesets, reads, forwarder);
        obsoleteGroups = new ObsoleteGroupFinder(store, rulesets, boards);
        position = null;
        context.schedule(CHECK_INTERVAL, PunctuationType.WALL_CLOCK_TIME, _ -> processDue());
    }

    @Override
    public void process(Record<byte[], Outgoing> record) {
        long nowMs = clock.millis();
        switch (record.value()) {
            case Outgoing.HookEvent event -> points.accept(record.key(), event,
                    context.recordMetadata().orElseThrow().offset(), nowMs);
            case Outgoing.BoardNews news -> {
                obsoleteGroups.addTenant(news.tenant());
                boards.accept(record.key(), news, nowMs);
            }
            case Outgoing.UserErased erased -> points.forget(record.key(), erased);
            case Outgoing.Question question ->
                context.forward(record.withValue(question.and(!store.dueAfter(null, nowMs, 1).isEmpty())));
            case Outgoing.Message _,Outgoing.HookTest _,Outgoing.HookRetry _ ->
                throw new IllegalStateException(record.value().id() + " is not for the throttle");
        }
    }

    private void processDue() {
        long nowMs = clock.millis();
        forwarder.cleanUp();
        obsoleteGroups.check(nowMs);
        int work = 0;
        while (true) {
            List<Due> next = store.dueAfter(position, nowMs, MAX_AT_ONCE);
            for (Due due : next) {
                if (work >= MAX_WORK) {
                    return;
                }
                work += onDue(due, nowMs);
                position = due.position();
            }
            if (next.size() < MAX_AT_ONCE) {
                position = null;
                return;
            }
        }
    }

    private int onDue(Due due, long nowMs) {
        switch (due.subject()) {
            case Subject.Points ended -> points.onDue(due, ended, nowMs);
            case Subject.Group(var group) -> {
                return boards.onDue(due, group, nowMs);
            }
            case Subject.Held(var handed) -> {
                forwarder.forwardFromClock(handed.key(), handed.event());
                store.deleteDue(due);
            }
            case Subject.OldRun(var tenant, int board, int run) -> {
                store.deleteStartedEmpty(tenant, board, run);
                store.deleteDue(due);
            }
        }
        return 1;
    }
}
