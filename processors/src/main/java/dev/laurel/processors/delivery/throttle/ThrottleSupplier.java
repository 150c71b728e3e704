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
 * Creates the throttle step of each task, with its store. The step takes points.changed and changes of leaderboards, and forwards
 * events for webhooks. An event about a user of a leaderboard has the leaderboard's key, so that it stays in its partition;
 * {@code about} is then the user.
 *
 * @param clock of the instance, which windows follow
 * @param isTimeVirtual whether the clock is a test clock: windows then end when the log has reached their end
 */
public record ThrottleSupplier(RulesetVersions rulesets, NodeReads reads, InstantSource clock,
        boolean isTimeVirtual) implements ProcessorSupplier<byte[], Outgoing, byte[], Outgoing> {

    @Override
    public Processor<byte[], Outgoing, byte[], Outgoing> get() {
        return new ThrottleProcessor(rulesets, reads, clock, isTimeVirtual);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
        return ThrottleStore.builders();
    }
}
