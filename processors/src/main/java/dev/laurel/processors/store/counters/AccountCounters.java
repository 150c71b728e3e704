package dev.laurel.processors.store.counters;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.CounterBlock;
import dev.laurel.core.analytics.ScoreRanges;
import dev.laurel.core.analytics.Segment;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.rules.AttributeFilters;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.counters.CounterStore.CounterCodecs;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Reads counters from a store with the layout of {@link CounterKeys}. A cell that was never counted is 0. What a read costs depends on
 * the blocks in its range. For one thread; closed by the reader.
 *
 * @param parts of the sums in {@code store}, by partition
 * @param onClose called when the reader has finished
 */
public record AccountCounters(
        ReadOnlyKeyValueStore<Bytes, byte[]> store,
        IntFunction<? extends ReadOnlyKeyValueStore<Bytes, byte[]>> parts,
        Runnable onClose)
        implements AutoCloseable {

    /** Takes the whole numbers of cells that are not 0. */
    public interface Cells {

        void accept(int cell, long number);
    }

    private interface Visitor {

        void visit(int cell, CounterBlock block, int index);
    }

    /** Reads the counters of one partition. */
    public AccountCounters(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
        this(store, _ -> store);
    }

    /** Reads sums from a store, and what each partition has added to them from others. */
    public AccountCounters(
            ReadOnlyKeyValueStore<Bytes, byte[]> sums,
            IntFunction<? extends ReadOnlyKeyValueStore<Bytes, byte[]>> parts) {
        this(sums, parts, () -> {});
    }

    /** What a partition has added to these sums. Valid until these counters are closed. */
    public AccountCounters part(int partition) {
        return new AccountCounters(parts.apply(partition), parts, () -> {});
    }

    /** The values of an attribute that are counted on their own, in the order of texts. @param attribute its number */
    public List<String> values(TenantId tenant, int attribute) {
        List<String> values = CounterCodecs.VALUES.get(store, CounterKeys.values(tenant, attribute), List.of());
        return List.copyOf(new TreeSet<>(values));
    }

    /** The whole numbers in the cells from {@code first} to {@code last}. */
    public long[] numbers(TenantId tenant, Counter counter, int object, SegmentGroup group, int first, int last) {
        var numbers = new long[last - first + 1];
        group.forEach((segment, sign) -> visit(
                tenant,
                counter,
                object,
                segment,
                first,
                last,
                (cell, block, index) -> numbers[cell - first] += sign * block.number(index)));
        return numbers;
    }

    /** The decimal numbers in the cells from {@code first} to {@code last}. */
    public BigDecimal[] decimals(
            TenantId tenant, Counter counter, int object, SegmentGroup group, int first, int last) {
        var decimals = new BigDecimal[last - first + 1];
        Arrays.fill(decimals, BigDecimal.ZERO);
        group.forEach((segment, sign) -> visit(
                tenant,
                counter,
                object,
                segment,
                first,
                last,
                (cell, block, index) -> decimals[cell - first] = sign > 0
                        ? decimals[cell - first].add(block.decimal(index))
                        : decimals[cell - first].subtract(block.decimal(index))));
        return decimals;
    }

    /** Passes on the whole numbers that are not 0 in all cells from 0 on, in the order of the cells. */
    public void forEach(TenantId tenant, Counter counter, int object, SegmentGroup group, Cells cells) {
        var numbers = new TreeMap<Integer, Long>();
        group.forEach((segment, sign) ->
                visit(tenant, counter, object, segment, 0, Integer.MAX_VALUE, (cell, block, index) -> {
                    if (!block.isZero(index)) {
                        numbers.merge(cell, sign * block.number(index), Long::sum);
                    }
                }));
        numbers.forEach(cells::accept);
    }

    /** The sum of the whole numbers in the cells from {@code first} to {@code last}, which may be far apart. */
    public long sum(TenantId tenant, Counter counter, int object, SegmentGroup group, int first, int last) {
        var sum = new long[1];
        group.forEach((segment, sign) -> visit(
                tenant,
                counter,
                object,
                segment,
                first,
                last,
                (_, block, index) -> sum[0] += sign * block.number(index)));
        return sum[0];
    }

    /** Passes on the cells of all users whose attributes match, in no order: a cell comes once for each combination of attributes. */
    public void forEachOf(TenantId tenant, Counter counter, int object, List<AttributeFilter> filters, Cells cells) {
        try (KeyValueIterator<Bytes, byte[]> blocks = store.range(
                CounterKeys.firstOf(tenant, counter, object, Segment.ALL_ATTRIBUTES),
                CounterKeys.firstOf(tenant, counter, object, Segment.ALL_ATTRIBUTES + 1))) {
            while (blocks.hasNext()) {
                var entry = blocks.next();
                if (AttributeFilters.match(filters, Segment.attributesOf(CounterKeys.valueOf(entry.key)))) {
                    visit(
                            counter,
                            entry.key,
                            entry.value,
                            0,
                            Integer.MAX_VALUE,
                            (cell, block, index) -> cells.accept(cell, block.number(index)));
                }
            }
        }
    }

    /** How many users of a group in a run of a leaderboard are above and below a value. */
    public ScoreRanges.Counts scores(TenantId tenant, int board, int run, List<String> group, BigDecimal value) {
        Segment segment = ScoreRanges.segmentOf(run, group);
        int own = ScoreRanges.cell(value);
        var counts = new long[3];
        visit(
                tenant,
                Counter.SCORES,
                board,
                segment,
                0,
                Integer.MAX_VALUE,
                (cell, block, index) -> counts[1 + Integer.signum(cell - own)] += block.number(index));
        return new ScoreRanges.Counts(counts[2], counts[1], counts[0]);
    }

    /** The first cell from 0 on whose counter is not 0 in some segment; -1 if there is none. */
    public int firstCell(TenantId tenant, Counter counter, int object, SegmentGroup group) {
        var first = new int[] {-1};
        forEachUsed(tenant, counter, object, group, cell -> first[0] = first[0] < 0 ? cell : Math.min(first[0], cell));
        return first[0];
    }

    /** The last cell from 0 on whose counter is not 0 in some segment; -1 if there is none. */
    public int lastCell(TenantId tenant, Counter counter, int object, SegmentGroup group) {
        var last = new int[] {-1};
        forEachUsed(tenant, counter, object, group, cell -> last[0] = Math.max(last[0], cell));
        return last[0];
    }

    private void forEachUsed(TenantId tenant, Counter counter, int object, SegmentGroup group, IntConsumer cells) {
        group.forEach((segment, _) ->
                visit(tenant, counter, object, segment, 0, Integer.MAX_VALUE, (cell, block, index) -> {
                    if (!block.isZero(index)) {
                        cells.accept(cell);
                    }
                }));
    }

    private void visit(
            TenantId tenant, Counter counter, int object, Segment segment, int first, int last, Visitor visitor) {
        Bytes from = keyOf(tenant, counter, object, segment, first);
        Bytes to = keyOf(tenant, counter, object, segment, last);
        if (from.equals(to)) {
            byte[] block = store.get(from);
            if (block != null) {
                visit(counter, from, block, first, last, visitor);
            }
            return;
        }
        try (KeyValueIterator<Bytes, byte[]> blocks = store.range(from, to)) {
            while (blocks.hasNext()) {
                var entry = blocks.next();
                visit(counter, entry.key, entry.value, first, last, visitor);
            }
        }
    }

    private static Bytes keyOf(TenantId tenant, Counter counter, int object, Segment segment, int cell) {
        return CounterKeys.block(
                new CounterBlock.Key(tenant, counter, object, segment, CounterBlock.blockOf(counter, cell)));
    }

    private static void visit(Counter counter, Bytes key, byte[] value, int first, int last, Visitor visitor) {
        CounterBlock block = CounterCodecs.BLOCK.decode(value);
        int start = CounterKeys.numberOf(key) * counter.cells();
        int to = (int) Math.min(last, (long) start + counter.cells() - 1);
        for (int cell = Math.max(first, start); cell <= to; cell++) {
            visitor.visit(cell, block, cell - start);
        }
    }

    /** The objects of a kind that have counters, in the order of their numbers. */
    public List<Integer> objects(TenantId tenant, Counter counter) {
        var objects = new ArrayList<Integer>();
        StoreScans.groups(
                store,
                CounterKeys.firstOf(tenant, counter),
                CounterKeys.afterObject(tenant, counter, Integer.MAX_VALUE),
                CounterKeys::objectOf,
                object -> CounterKeys.afterObject(tenant, counter, object),
                objects::add);
        return objects;
    }

    @Override
    public void close() {
        onClose.run();
    }
}
