package dev.laurel.processors.store.counters;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.CounterBlock;
import dev.laurel.core.analytics.CounterUpdater.Counts;
import dev.laurel.core.analytics.Segment;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.processors.store.BinaryFields;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.TenantId;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The counters of a partition. Changes are collected in memory and written before each commit, see {@link PreCommitStore}: a counter
 * that hundreds of events change between two commits is written once, except those that {@link Counter#isWrittenAtOnce} names. One
 * task, one thread.
 */
public final class CounterStore {

    /** Memory is released at a commit that finds more. Between two commits there may be more. */
    private static final int MAX_KEPT_BLOCKS = 2_048;

    private static final int RECENT_BITS = 8;

    private final KeyValueStore<Bytes, byte[]> store;
    private final Map<Place, Blocks> places = new HashMap<>();
    private final Map<AttributeOf, Set<String>> values = new HashMap<>();

    /** The newest runs of leaderboards whose users are counted. */
    private final Map<Board, Integer> newestRuns = new HashMap<>();

    /** The counters that were found last: mostly, the next ones are the same. */
    private @Nullable Blocks last;

    private record Place(TenantId tenant, Segment segment) {}

    private record Board(TenantId tenant, int number) {}

    private record AttributeOf(TenantId tenant, int attribute) {}

    /** A builder of a store of counters for an application without record caches. */
    public static StoreBuilder<?> builder(String name) {
        return PreCommitStore.builder(name, true, false);
    }

    public CounterStore(KeyValueStore<Bytes, byte[]> store) {
        this.store = store;
    }

    /**
     * The counters of these segments of a user, which change together. Valid until the next {@link #write}.
     *
     * @param retentionDays when a block begins, those that are so many days older are deleted
     */
    public Counts of(TenantId tenant, int retentionDays, List<Segment> segments) {
        Counts first = blocks(tenant, retentionDays, segments.getFirst());
        if (segments.size() == 1) {
            return first;
        }
        var all = new ArrayList<Counts>(segments.size());
        all.add(first);
        for (Segment segment : segments.subList(1, segments.size())) {
            all.add(blocks(tenant, retentionDays, known(tenant, segment)));
        }
        return new Together(all);
    }

    /** Works like the other method, for kinds of which no block is ever deleted. */
    public Counts ofKept(TenantId tenant, List<Segment> segments) {
        return of(tenant, 0, segments);
    }

    private Counts blocks(TenantId tenant, int retentionDays, Segment segment) {
        Blocks blocks = last;
        if (blocks == null || !blocks.place.segment.equals(segment) || !blocks.place.tenant.equals(tenant)) {
            blocks = places.computeIfAbsent(new Place(tenant, segment), Blocks::new);
            last = blocks;
        }
        blocks.retentionDays = retentionDays;
        return blocks;
    }

    /** The segment, or that of other values if the attribute has too many already. */
    private Segment known(TenantId tenant, Segment segment) {
        Set<String> seen = values.computeIfAbsent(new AttributeOf(tenant, segment.attribute()), this::readValues);
        if (seen.contains(segment.value())) {
            return segment;
        }
        if (seen.size() >= Segment.MAX_VALUES) {
            return segment.ofOtherValues();
        }
        seen.add(segment.value());
        CounterCodecs.VALUES.put(store, CounterKeys.values(tenant, segment.attribute()), List.copyOf(seen));
        return segment;
    }

    private Set<String> readValues(AttributeOf of) {
        return new LinkedHashSet<>(
                CounterCodecs.VALUES.get(store, CounterKeys.values(of.tenant, of.attribute), List.of()));
    }

    private boolean countsRun(Board board, int run, IntUnaryOperator oldestOf) {
        int newest = newestRuns.computeIfAbsent(board, this::newestStored);
        if (run > newest) {
            newestRuns.put(board, run);
            if (newest != Runs.NONE && oldestOf.applyAsInt(run) > oldestOf.applyAsInt(newest)) {
                deleteRunsBefore(board, oldestOf.applyAsInt(run));
            }
            return true;
        }
        return run == newest || run >= oldestOf.applyAsInt(newest);
    }

    private int newestStored(Board board) {
        Bytes first = CounterKeys.firstOf(board.tenant, Counter.SCORES, board.number, Integer.MIN_VALUE);
        Bytes last = CounterKeys.afterObject(board.tenant, Counter.SCORES, board.number);
        try (KeyValueIterator<Bytes, byte[]> newest = store.reverseRange(first, last)) {
            return newest.hasNext() ? CounterKeys.attributeOf(newest.next().key) : Runs.NONE;
        }
    }

    /**
     * Deletes the counters of runs that begin before another one. That this depends on nothing but the runs makes it the same in a replay.
     */
    private void deleteRunsBefore(Board board, int run) {
        List<Bytes> old = StoreScans.keys(
                store,
                CounterKeys.firstOf(board.tenant, Counter.SCORES, board.number, Integer.MIN_VALUE),
                CounterKeys.firstOf(board.tenant, Counter.SCORES, board.number, run),
                StoreScans.ALL);
        old.forEach(store::delete);
        for (Blocks blocks : places.values()) {
            if (blocks.place.tenant.equals(board.tenant) && blocks.place.segment.attribute() < run) {
                blocks.forget(Counter.SCORES, board.number);
            }
        }
    }

    /** Writes what has changed since the last call. Called before each commit. */
    public void write() {
        int kept = 0;
        for (Blocks blocks : places.values()) {
            kept += blocks.write();
        }
        if (kept > MAX_KEPT_BLOCKS) {
            places.clear();
            newestRuns.clear();
            last = null;
        }
    }

    private static final class Entry {

        private final long name;
        private final Bytes key;
        private final Counter counter;
        private final int object;
        private final CounterBlock block;
        private boolean isChanged;

        Entry(long name, Bytes key, Counter counter, int object, CounterBlock block) {
            this.name = name;
            this.key = key;
            this.counter = counter;
            this.object = object;
            this.block = block;
        }

        /** @param keepsZeros whether a block without users is kept */
        void write(KeyValueStore<Bytes, byte[]> store, boolean keepsZeros) {
            store.put(key, keepsZeros || !block.isZero() ? CounterCodecs.BLOCK.encode(block) : null);
            isChanged = false;
        }
    }

    /** The counters of one segment. */
    private final class Blocks implements Counts {

        private final Place place;

        /** By name. */
        private final Map<Long, Entry> entries = new HashMap<>();

        /** The entries used last, by the highest bits of their names: most events need the same few. */
        private @Nullable Entry[] recent = new Entry[0];

        private int retentionDays;

        Blocks(Place place) {
            this.place = place;
        }

        @Override
        public boolean countsRun(int board, int run, IntUnaryOperator oldestOf) {
            return CounterStore.this.countsRun(new Board(place.tenant, board), run, oldestOf);
        }

        /** Whether these are the users with the same attributes: of such segments nothing stays when no user has them any more. */
        private boolean isOfAttributes() {
            return place.segment.attribute() == Segment.ALL_ATTRIBUTES;
        }

        /** Forgets the blocks of an object, which are deleted. */
        void forget(Counter counter, int object) {
            if (entries.values().removeIf(entry -> entry.counter == counter && entry.object == object)) {
                Arrays.fill(recent, null);
            }
        }

        @Override
        public void add(Counter counter, int object, int cell, long change) {
            Entry entry = changed(counter, object, cell);
            entry.block.add(CounterBlock.indexOf(counter, cell), change);
            if (counter.isWrittenAtOnce()) {
                entry.write(store, !isOfAttributes());
            }
        }

        @Override
        public void add(Counter counter, int object, int cell, BigDecimal change) {
            changed(counter, object, cell).block.add(CounterBlock.indexOf(counter, cell), change);
        }

        private Entry changed(Counter counter, int object, int cell) {
            int number = CounterBlock.blockOf(counter, cell);
            long name = nameOf(counter, object, number);
            if (counter == Counter.SCORES
                    || isOfAttributes()) { // There may be very many segments, with few counters each.
                Entry score = find(name, counter, object, cell);
                score.isChanged = true;
                return score;
            }
            if (recent.length == 0) {
                recent = new Entry[1 << RECENT_BITS];
            }
            int place = (int) (name >>> Long.SIZE - RECENT_BITS);
            Entry entry = recent[place];
            if (entry == null || entry.name != name) {
                entry = find(name, counter, object, cell);
                recent[place] = entry;
            }
            entry.isChanged = true;
            return entry;
        }

        private Entry find(long name, Counter counter, int object, int cell) {
            Entry entry = entries.get(name);
            if (entry == null) {
                Bytes key = keyOf(counter, object, CounterBlock.blockOf(counter, cell));
                CounterBlock stored = CounterCodecs.BLOCK.get(store, key);
                if (stored == null && counter.expires()) {
                    deleteBefore(counter, object, cell - retentionDays * counter.cellsOfDay());
                }
                entry = new Entry(name, key, counter, object, stored == null ? CounterBlock.of(counter) : stored);
                entries.put(name, entry);
            }
            return entry;
        }

        private Bytes keyOf(Counter counter, int object, int number) {
            return CounterKeys.block(new CounterBlock.Key(place.tenant, counter, object, place.segment, number));
        }

        /** Deletes the blocks that end before a cell. That this depends on nothing but the cells makes it the same in a replay. */
        private void deleteBefore(Counter counter, int object, int cell) {
            int last = CounterBlock.blockOf(counter, cell) - 1;
            List<Bytes> old = StoreScans.keys(
                    store,
                    keyOf(counter, object, Integer.MIN_VALUE),
                    StoreKeys.after(keyOf(counter, object, last)),
                    StoreScans.ALL);
            for (Bytes key : old) {
                store.delete(key);
                entries.remove(nameOf(counter, object, CounterKeys.numberOf(key)));
            }
            Arrays.fill(recent, null);
        }

        /**
         * The kind, the object and the number of a block in one number. The product spreads them over all bits, also the hash of a {@link
         * Long}.
         */
        private static long nameOf(Counter counter, int object, int number) {
            return ((long) counter.ordinal() << 56 | (long) object << 32 | number & 0xFFFF_FFFFL)
                    * 0x9E37_79B9_7F4A_7C15L;
        }

        /** @return the number of blocks in memory */
        int write() {
            for (Entry entry : entries.values()) {
                if (entry.isChanged) {
                    entry.write(store, !isOfAttributes());
                }
            }
            return entries.size();
        }
    }

    /** The counters of several segments. */
    private record Together(List<Counts> segments) implements Counts {

        @Override
        public void add(Counter counter, int object, int cell, long change) {
            for (Counts segment : segments) {
                segment.add(counter, object, cell, change);
            }
        }

        @Override
        public boolean countsRun(int board, int run, IntUnaryOperator oldestOf) {
            return segments.getFirst().countsRun(board, run, oldestOf);
        }

        @Override
        public void add(Counter counter, int object, int cell, BigDecimal change) {
            for (Counts segment : segments) {
                segment.add(counter, object, cell, change);
            }
        }
    }

    /** The codecs of the values in the store of counters. */
    public static final class CounterCodecs {

        public static final Codec<CounterBlock> BLOCK =
                new Codec<>("block of counters", 2, CounterCodecs::write, CounterCodecs::read);
        static final Codec<List<String>> VALUES = Codec.ofList("list of attribute values", 1, String.class);

        private CounterCodecs() {}

        /**
         * Writes {@code size × 2 + decimal}, then the cells up to the last that is not zero: the number of zeros before each other number,
         * and the number. Most cells of most blocks are zero.
         */
        private static void write(CounterBlock block, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag(block.size() * 2 + (block.isDecimal() ? 1 : 0));
            int zeros = 0;
            for (int i = 0; i < block.size(); i++) {
                if (block.isZero(i)) {
                    zeros++;
                } else {
                    out.writeUInt32NoTag(zeros);
                    zeros = 0;
                    if (block.isDecimal()) {
                        BinaryFields.writeDecimal(block.decimal(i), out);
                    } else {
                        out.writeSInt64NoTag(block.number(i));
                    }
                }
            }
        }

        private static CounterBlock read(CodedInputStream in) throws IOException {
            int head = in.readUInt32();
            int size = head >>> 1;
            if (size > CounterBlock.MAX_SIZE) {
                throw new IOException("a block of " + size + " counters");
            }
            CounterBlock block = CounterBlock.ofSize(size, (head & 1) != 0);
            for (int at = 0; !in.isAtEnd(); at++) {
                at += in.readUInt32();
                if (at < 0 || at >= size) {
                    throw new IOException("counter " + at + " of a block of " + size);
                }
                if (block.isDecimal()) {
                    block.add(at, BinaryFields.readDecimal(in));
                } else {
                    block.add(at, in.readSInt64());
                }
            }
            return block;
        }
    }
}
