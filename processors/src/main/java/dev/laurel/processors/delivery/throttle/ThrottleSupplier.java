package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.delivery.Lookups;
import dev.laurel.processors.store.ThrottleStores;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.outbox.Outgoing;
import java.time.InstantSource;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Makes the step that throttles, of each task, with the store it owns. It takes points.changed and news of leaderboards, and
 * hands on events for webhooks. An event about a user of a leaderboard has the leaderboard's key, as all that comes of news
 * of a leaderboard, so that it stays in its partition; {@code about} is the user then.
 */
public final class ThrottleSupplier implements ProcessorSupplier<byte[], Outgoing, byte[], Outgoing> {

    private final RulesetVersions rulesets;
    private final Lookups lookups;
    private final InstantSource clock;

    /** @param clock of the instance: windows and hours of the day go by it */
    public ThrottleSupplier(RulesetVersions rulesets, Lookups lookups, InstantSource clock) {
        this.rulesets = rulesets;
        this.lookups = lookups;
        this.clock = clock;
    }

    @Override
    public Processor<byte[], Outgoing, byte[], Outgoing> get() {
        return new ThrottleStep(rulesets, lookups, clock);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
        return ThrottleStores.builders();
    }
}
