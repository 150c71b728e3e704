package dev.laurel.processors.store.counters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.CounterBlock;
import dev.laurel.core.analytics.Segment;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.platform.kafka.Follower.Position.Place;
import dev.laurel.processors.store.counters.CounterStore.CounterCodecs;
import dev.laurel.schemas.key.TenantId;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterSumsTest {

    private static final TenantId TENANT = new TenantId("acme");
    private static final int METRIC = 3;
    private static final Uuid TOPIC = Uuid.randomUuid();

    @TempDir
    private Path folder;

    @AutoClose
    private CounterSums sums;

    @BeforeEach
    void start() {
        sums = open();
    }

    private CounterSums open() {
        return new CounterSums(folder, Map.of());
    }

    private static byte[] block(Counter counter, int cell, int change) {
        CounterBlock block = CounterBlock.of(counter);
        if (counter.isDecimal()) {
            block.add(CounterBlock.indexOf(counter, cell), BigDecimal.valueOf(change));
        } else {
            block.add(CounterBlock.indexOf(counter, cell), change);
        }
        return CounterCodecs.BLOCK.encode(block);
    }

    private static byte[] key(TenantId tenant, Counter counter, int object, Segment segment, int cell) {
        return CounterKeys.block(
                        new CounterBlock.Key(tenant, counter, object, segment, CounterBlock.blockOf(counter, cell)))
                .get();
    }

    private void put(int partition, Counter counter, Segment segment, int cell, int value) {
        sums.add(partition, key(TENANT, counter, METRIC, segment, cell), block(counter, cell, value));
        sums.write(null);
    }

    private AccountCounters read() {
        return Objects.requireNonNull(sums.read());
    }

    private long[] events(SegmentGroup group, int first, int last) {
        try (AccountCounters counters = read()) {
            return counters.numbers(TENANT, Counter.EVENTS, METRIC, group, first, last);
        }
    }

    @Test
    void shouldAddUpPartitionsAndSegments() {
        put(0, Counter.EVENTS, Segment.OUTSIDE, 5, 2);
        put(1, Counter.EVENTS, Segment.OUTSIDE, 5, 3);
        put(1, Counter.EVENTS, Segment.INSIDE, 6, 7);

        assertArrayEquals(new long[] {0, 5, 7, 0}, events(SegmentGroup.ALL, 4, 7));
        assertArrayEquals(new long[] {0, 5, 0, 0}, events(SegmentGroup.TREATMENT, 4, 7));
    }

    @Test
    void shouldReplaceTheLastBlockOfAPartition() {
        put(0, Counter.EVENTS, Segment.OUTSIDE, 5, 2);
        put(1, Counter.EVENTS, Segment.OUTSIDE, 5, 3);
        put(0, Counter.EVENTS, Segment.OUTSIDE, 5, 10);

        assertArrayEquals(new long[] {13}, events(SegmentGroup.ALL, 5, 5));
    }

    @Test
    void shouldCountTheLastOfSeveralBlocksInOneBatch() {
        byte[] key = key(TENANT, Counter.EVENTS, METRIC, Segment.OUTSIDE, 5);
        sums.add(0, key, block(Counter.EVENTS, 5, 2));
        sums.add(1, key, block(Counter.EVENTS, 5, 4));
        sums.add(0, key, block(Counter.EVENTS, 5, 3));
        sums.write(null);

        assertArrayEquals(new long[] {7}, events(SegmentGroup.ALL, 5, 5));
    }

    @Test
    void shouldFindTheFirstAndTheLastCellOfAllSegments() {
        put(0, Counter.EVENTS, Segment.OUTSIDE, 70, 2);
        put(1, Counter.EVENTS, Segment.INSIDE, 41, 1);
        put(1, Counter.EVENTS, Segment.OUTSIDE, 6, 0);

        try (AccountCounters counters = read()) {
            assertEquals(41, counters.firstCell(TENANT, Counter.EVENTS, METRIC, SegmentGroup.ALL));
            assertEquals(70, counters.lastCell(TENANT, Counter.EVENTS, METRIC, SegmentGroup.ALL));
            assertEquals(70, counters.firstCell(TENANT, Counter.EVENTS, METRIC, SegmentGroup.TREATMENT));
            assertEquals(-1, counters.firstCell(TENANT, Counter.EVENTS, METRIC + 1, SegmentGroup.ALL));
        }
    }

    @Test
    void shouldShowWhatAPartitionHasAdded() {
        put(0, Counter.EVENTS, Segment.OUTSIDE, 5, 2);
        put(0, Counter.EVENTS, Segment.OUTSIDE, 50, 1);
        put(1, Counter.EVENTS, Segment.OUTSIDE, 5, 3);

        try (AccountCounters counters = read()) {
            AccountCounters part = counters.part(0);
            assertArrayEquals(new long[] {2}, part.numbers(TENANT, Counter.EVENTS, METRIC, SegmentGroup.ALL, 5, 5));
            assertEquals(3, part.sum(TENANT, Counter.EVENTS, METRIC, SegmentGroup.ALL, 0, 100));
            assertEquals(0, counters.part(2).sum(TENANT, Counter.EVENTS, METRIC, SegmentGroup.ALL, 0, 100));
        }
    }

    @Test
    void shouldTakeADeletedBlockFromTheSum() {
        put(0, Counter.EVENTS, Segment.OUTSIDE, 5, 2);
        put(1, Counter.EVENTS, Segment.OUTSIDE, 5, 3);
        sums.add(0, key(TENANT, Counter.EVENTS, METRIC, Segment.OUTSIDE, 5), null);
        sums.write(null);

        assertArrayEquals(new long[] {3}, events(SegmentGroup.ALL, 5, 5));
    }

    @Test
    void shouldReadCellsOfSeveralBlocksAlsoBeforeZero() {
        put(0, Counter.EVENTS, Segment.OUTSIDE, -33, 1);
        put(0, Counter.EVENTS, Segment.OUTSIDE, -1, 2);
        put(0, Counter.EVENTS, Segment.OUTSIDE, 0, 3);
        put(0, Counter.EVENTS, Segment.OUTSIDE, 40, 4);

        long[] cells = events(SegmentGroup.ALL, -33, 40);

        assertEquals(1, cells[0]);
        assertEquals(2, cells[32]);
        assertEquals(3, cells[33]);
        assertEquals(4, cells[73]);
        try (AccountCounters counters = read()) {
            assertEquals(
                    10,
                    counters.sum(
                            TENANT, Counter.EVENTS, METRIC, SegmentGroup.ALL, Integer.MIN_VALUE, Integer.MAX_VALUE));
            assertEquals(40, counters.lastCell(TENANT, Counter.EVENTS, METRIC, SegmentGroup.ALL));
        }
    }

    @Test
    void shouldAddUpDecimals() {
        put(0, Counter.VALUE, Segment.OUTSIDE, 5, 2);
        put(1, Counter.VALUE, Segment.OUTSIDE, 5, 3);

        try (AccountCounters counters = read()) {
            assertEquals(
                    BigDecimal.valueOf(5), counters.decimals(TENANT, Counter.VALUE, METRIC, SegmentGroup.ALL, 5, 5)[0]);
        }
    }

    @Test
    void shouldKeepTenantsObjectsAndKindsApart() {
        put(0, Counter.EVENTS, Segment.OUTSIDE, 5, 2);
        var other = new TenantId("acm");
        sums.add(0, key(other, Counter.EVENTS, 9, Segment.OUTSIDE, 5), block(Counter.EVENTS, 5, 50));
        sums.add(0, key(TENANT, Counter.EVENTS, 8, Segment.INSIDE, 5), block(Counter.EVENTS, 5, 60));
        sums.add(0, key(TENANT, Counter.ACTIVE, 1, Segment.INSIDE, 5), block(Counter.ACTIVE, 5, 70));
        sums.write(null);

        assertArrayEquals(new long[] {2}, events(SegmentGroup.ALL, 5, 5));
        try (AccountCounters counters = read()) {
            assertEquals(List.of(METRIC, 8), counters.objects(TENANT, Counter.EVENTS));
            assertEquals(List.of(9), counters.objects(other, Counter.EVENTS));
            assertEquals(List.of(), counters.objects(other, Counter.ACTIVE));
        }
    }

    @Test
    void shouldKnowTheValuesThatAnyPartitionCounts() {
        byte[] key = CounterKeys.values(TENANT, 2).get();
        sums.add(0, key, CounterCodecs.VALUES.encode(List.of("pro", "free")));
        sums.add(1, key, CounterCodecs.VALUES.encode(List.of("team")));
        sums.write(null);

        try (AccountCounters counters = read()) {
            assertEquals(List.of("free", "pro", "team"), counters.values(TENANT, 2));
            assertEquals(List.of(), counters.values(TENANT, 3));
        }
    }

    private static Position at(long confirmedMs, long zero, long one) {
        return new Position(
                1,
                confirmedMs,
                Map.of(
                        new TopicPartition("topic", 0),
                        new Place(TOPIC, zero),
                        new TopicPartition("topic", 1),
                        new Place(TOPIC, one)));
    }

    @Test
    void shouldContinueWhereItStopped() {
        assertNull(sums.position("topic"));
        put(0, Counter.EVENTS, Segment.OUTSIDE, 5, 2);
        sums.write(at(7, 1, 0));
        sums.write(at(7, 1, 3));
        sums.write(at(8, 2, 3));
        sums.close();

        sums = open();

        assertEquals(at(8, 2, 3), sums.position("topic"));
        assertArrayEquals(new long[] {2}, events(SegmentGroup.ALL, 5, 5));
    }

    @Test
    void shouldForgetAllWhenItIsCleared() {
        put(0, Counter.EVENTS, Segment.OUTSIDE, 5, 2);
        sums.write(at(7, 1, 0));

        sums.clear();

        assertNull(sums.position("topic"));
        assertArrayEquals(new long[] {0}, events(SegmentGroup.ALL, 5, 5));
        sums.write(at(7, 1, 0));
        assertEquals(at(7, 1, 0), sums.position("topic"));
    }

    @Test
    void shouldNotChangeUnderAReader() {
        put(0, Counter.EVENTS, Segment.OUTSIDE, 5, 2);
        try (AccountCounters counters = read()) {
            put(0, Counter.EVENTS, Segment.OUTSIDE, 5, 3);

            assertArrayEquals(new long[] {2}, counters.numbers(TENANT, Counter.EVENTS, METRIC, SegmentGroup.ALL, 5, 5));
        }
    }

    @Test
    void shouldNotBeReadOnceClosed() {
        sums.close();

        assertNull(sums.read());
    }
}
