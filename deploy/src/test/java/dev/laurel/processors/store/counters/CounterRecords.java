package dev.laurel.processors.store.counters;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.CounterBlock;
import dev.laurel.core.analytics.Segment;
import dev.laurel.processors.store.counters.CounterStore.CounterCodecs;
import dev.laurel.schemas.key.TenantId;

/** Keys and values of a changelog of counters, for tests of its readers. */
public final class CounterRecords {

    private CounterRecords() {}

    /** The key of the block with the events of a metric on a day. */
    public static byte[] key(TenantId tenant, int metric, int day) {
        return CounterKeys.block(new CounterBlock.Key(
                        tenant, Counter.EVENTS, metric, Segment.OUTSIDE, CounterBlock.blockOf(Counter.EVENTS, day)))
                .get();
    }

    /** A block in which only this day has events. */
    public static byte[] events(int day, int count) {
        CounterBlock block = CounterBlock.of(Counter.EVENTS);
        block.add(CounterBlock.indexOf(Counter.EVENTS, day), count);
        return CounterCodecs.BLOCK.encode(block);
    }
}
