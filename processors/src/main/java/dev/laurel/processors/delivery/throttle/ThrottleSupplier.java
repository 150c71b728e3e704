package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.store.ThrottleStore;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.outbox.Outgoing;
import java.time.InstantSource;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Makes the throttling step of each task, with its store. The step takes points.changed and changes of leaderboards, and forwards
 * events for webhooks. An event about a user of a leaderboard has the leaderboard's key, so that it stays in its partition;
 * {@code about} is the user then.
 */
public final class ThrottleSupplier implements ProcessorSupplier<byte[], Outgoing, byte[], Outgoing> {

    private final RulesetVersions rulesets;
    private final NodeReads reads;
    private final InstantSource clock;

    /** @param clock of the instance, which windows follow */
    public ThrottleSupplier(RulesetVersions rulesets, NodeReads reads, InstantSource clock) {
        this.rulesets = rulesets;
        this.reads = reads;
        this.clock = clock;
    }

    @Override
    public Processor<byte[], Outgoing, byte[], Outgoing> get() {
        return new ThrottleProcessor(rulesets, reads, clock);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
        return ThrottleStore.builders();
    }
}
