package dev.laurel.platform.kafka;

import dev.laurel.platform.kafka.StoredVersion.Snapshot;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.RulesetKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The forms in which earlier versions of rulesets are archived. Versions that follow each other are moved together from
 * {@code laurel.rulesets}, which every process keeps, to one record of {@code laurel.ruleset-archive}, a {@link Chunk}, which is read
 * when one of them is needed. An {@link Index} says where the chunks of a tenant are. Both are durable data. Pure.
 */
public final class ArchivedVersions {

    /** The number under which {@code laurel.rulesets} has the index of a tenant: no version has it, since the first one is 1. */
    static final long INDEX = 0;

    /** The most versions in a chunk. */
    static final int MAX_VERSIONS = 256;

    /** A chunk that is longer has one version. */
    private static final int MAX_CHUNK_BYTES = 1024 * 1024;

    /** Documents that are compressed anew for one chunk: some hundred milliseconds, during which edits wait. */
    private static final int MAX_COMPRESSED_BYTES = 32 * 1024 * 1024;

    /** Of versions that are stored whole, as many in a row are stored as differences to the one before them. */
    private static final int MAX_DIFFERENCES = 64;

    /** A difference is only worthwhile if the document is longer by this factor. */
    private static final int MIN_GAIN = 2;

    /** What the first version of a chunk is a difference to, so that it is compressed. */
    static final Snapshot NOTHING = new Snapshot(INDEX, new byte[0]);

    private ArchivedVersions() {}

    /** The place of a chunk. @param first version in it @param offset in the archive */
    record Place(long first, long offset) {}

    /**
     * Where the archived versions of a tenant are: a byte 2, {@code end} and {@code snapshot} (8 bytes each), the number of chunks (4
     * bytes), and the first version and the offset of each (8 bytes each).
     *
     * @param end the first version that is not archived
     * @param snapshot the archived version that {@code laurel.rulesets} still has, since later ones are differences to it; 0: none
     * @param places of the chunks, in the order of the versions
     */
    record Index(long end, long snapshot, List<Place> places) {

        private static final byte FORM = 2;
        private static final int HEAD_BYTES = 1 + 2 * Long.BYTES + Integer.BYTES;
        private static final int PLACE_BYTES = 2 * Long.BYTES;
        private static final Index EMPTY = new Index(1, 0, List.of());

        Index {
            places = List.copyOf(places);
        }

        /** @param stored null: nothing is archived */
        static Index of(byte @Nullable [] stored) {
            if (stored == null) {
                return EMPTY;
            }
            ByteBuffer in = ByteBuffer.wrap(stored);
            if (stored.length < HEAD_BYTES || in.get() != FORM) {
                throw new IllegalStateException("an index of archived rulesets has an unknown form");
            }
            long end = in.getLong();
            long snapshot = in.getLong();
            int count = in.getInt();
            if (in.remaining() != (long) count * PLACE_BYTES) {
                throw new IllegalStateException("an index of " + count + " archived chunks has a wrong length");
            }
            var places = new ArrayList<Place>(count);
            for (int i = 0; i < count; i++) {
                places.add(new Place(in.getLong(), in.getLong()));
            }
            return new Index(end, snapshot, places);
        }

        byte[] toBytes() {
            ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + places.size() * PLACE_BYTES).put(FORM).putLong(end)
                    .putLong(snapshot).putInt(places.size());
            places.forEach(place -> out.putLong(place.first).putLong(place.offset));
            return out.array();
        }

        /** The chunk that has this version if it was ever published; null: the version is not archived. */
        @Nullable
        Place find(long version) {
            if (version < 1 || version >= end) {
                return null;
            }
            int low = 0;
            int high = places.size() - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                if (places.get(middle).first <= version) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return high < 0 ? null : places.get(high);
        }

        private Index plus(Place place, long nextEnd, long nextSnapshot) {
            var more = new ArrayList<>(places);
            more.add(place);
            return new Index(nextEnd, nextSnapshot, more);
        }
    }

    /**
     * Archived versions: a byte 1, their number (4 bytes), and of each the version (8 bytes), the length (4 bytes) and the difference to
     * another version of the chunk, or to an empty document.
     */
    static final class Chunk {

        private static final byte FORM = 1;
        private static final int HEAD_BYTES = 1 + Integer.BYTES;
        private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

        /** In a map. */
        private static final int POSITION_BYTES = 100;

        private final byte[] bytes;

        /** The positions of the lengths. */
        private final Map<Long, Integer> positions = new HashMap<>();

        Chunk(byte[] bytes) {
            this.bytes = bytes;
            ByteBuffer in = ByteBuffer.wrap(bytes);
            if (bytes.length < HEAD_BYTES || in.get() != FORM) {
                throw new IllegalStateException("archived rulesets have an unknown form");
            }
            for (int left = in.getInt(); left > 0; left--) {
                positions.put(in.getLong(), in.position());
                int length = in.getInt();
                in.position(in.position() + length);
            }
        }

        private static byte[] bytesOf(List<Entry> entries) {
            int bytes = entries.stream().mapToInt(entry -> ENTRY_BYTES + entry.stored.length).sum();
            ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + bytes).put(FORM).putInt(entries.size());
            entries.forEach(entry -> out.putLong(entry.version).putInt(entry.stored.length).put(entry.stored));
            return out.array();
        }

        /** What it takes in memory, about. */
        int weight() {
            return bytes.length + positions.size() * POSITION_BYTES;
        }

        /** Null if there is no such version. */
        byte @Nullable [] stored(long version) {
            Integer at = positions.get(version);
            if (at == null) {
                return null;
            }
            int from = at + Integer.BYTES;
            return Arrays.copyOfRange(bytes, from, from + ByteBuffer.wrap(bytes).getInt(at));
        }
    }

    private record Entry(long version, byte[] stored) {}

    /**
     * What moves versions to the archive, in one transaction: the chunk is added to the archive; then {@code laurel.rulesets} gets the
     * index with the offset of the chunk, and the versions are deleted from it.
     *
     * @param deleted the versions to delete, in this order: none before the differences to it
     */
    public record Move(TenantId tenant, long first, long last, byte[] chunk, List<Long> deleted, Index former,
            long snapshot) {

        public Move {
            deleted = List.copyOf(deleted);
        }

        public RulesetKey chunkKey() {
            return new RulesetKey(tenant, first);
        }

        public RulesetKey indexKey() {
            return new RulesetKey(tenant, INDEX);
        }

        /** @param offset of the chunk */
        public byte[] index(long offset) {
            return former.plus(new Place(first, offset), last + 1, snapshot).toBytes();
        }
    }

    /** How many versions a move takes at least, if so many are kept: few, so that at most twice as many are. */
    static int leastMoved(int kept) {
        return Math.min(kept, MAX_VERSIONS);
    }

    /**
     * Plans the move of the earliest versions.
     *
     * @param newest the newest version, of which this and those before it stay: so many as {@code kept}
     * @param stored finds a version as it is stored in {@code laurel.rulesets}; null if that has no such version
     * @param document restores a version that is stored there
     * @return null if there are too few for a move
     */
    static @Nullable Move next(TenantId tenant, Index index, long newest, int kept,
            LongFunction<byte @Nullable []> stored, LongFunction<byte[]> document) {
        long last = newest - kept;
        if (last - index.end + 1 < leastMoved(kept)) {
            return null;
        }
        var collector = new Collector(document);
        for (long version = index.end; version <= last && collector.isOpen(); version++) {
            byte[] found = stored.apply(version);
            if (found != null) {
                collector.add(version, found);
            }
        }
        List<Entry> entries = collector.entries;
        if (entries.isEmpty()) {
            return null;
        }
        last = entries.getLast().version;
        long snapshot = snapshotAfter(last, newest, stored);
        var deleted = new ArrayList<Long>();
        entries.reversed().stream().map(Entry::version).filter(version -> version != snapshot).forEach(deleted::add);
        if (index.snapshot != 0 && index.snapshot != snapshot) {
            deleted.add(index.snapshot);
        }
        return new Move(tenant, entries.getFirst().version, last, Chunk.bytesOf(entries), deleted, index, snapshot);
    }

    /** The archived version to which kept ones are differences; 0: none. A difference is always to the last version that is stored whole. */
    private static long snapshotAfter(long last, long newest, LongFunction<byte @Nullable []> stored) {
        for (long version = last + 1; version <= newest; version++) {
            byte[] found = stored.apply(version);
            if (found != null) {
                long snapshot = StoredVersion.isWhole(found) ? version : StoredVersion.snapshotOf(found);
                return snapshot <= last ? snapshot : 0;
            }
        }
        throw new IllegalStateException("no version after " + last + " is stored, but version " + newest + " was");
    }

    /** Collects the versions of a chunk. Differences stay as they are where they can. */
    private static final class Collector {

        private final List<Entry> entries = new ArrayList<>();
        private final LongFunction<byte[]> document;

        /** The last version that is a difference to nothing. */
        private Snapshot base = NOTHING;

        /** Whether all versions seem to be stored whole. */
        private boolean isLastWhole;
        private long bytes;
        private long compressed;
        private boolean isFull;

        Collector(LongFunction<byte[]> document) {
            this.document = document;
        }

        boolean isOpen() {
            return !isFull && entries.size() < MAX_VERSIONS && compressed < MAX_COMPRESSED_BYTES;
        }

        void add(long version, byte[] found) {
            boolean isWhole = StoredVersion.isWhole(found);
            if (!isWhole && base != NOTHING && StoredVersion.snapshotOf(found) == base.version()) {
                isLastWhole = false;
                add(new Entry(version, found));
                return;
            }
            byte[] whole = isWhole ? found : document.apply(version);
            compressed += whole.length;
            boolean isSnapshot = isWhole && !isLastWhole;
            isLastWhole = isWhole;
            if (base != NOTHING && !isSnapshot && version - base.version() < MAX_DIFFERENCES) {
                byte[] difference = compressed(whole, base);
                if ((long) difference.length * MIN_GAIN <= whole.length) {
                    add(new Entry(version, difference));
                    return;
                }
            }
            if (add(new Entry(version, compressed(whole, NOTHING)))) {
                base = new Snapshot(version, whole);
            }
        }

        private boolean add(Entry entry) {
            bytes += entry.stored.length;
            isFull = bytes > MAX_CHUNK_BYTES;
            if (isFull && !entries.isEmpty()) {
                return false;
            }
            entries.add(entry);
            return true;
        }

        /** Checks what will be the only copy. */
        private static byte[] compressed(byte[] whole, Snapshot snapshot) {
            byte[] difference = StoredVersion.difference(whole, snapshot);
            if (!Arrays.equals(whole, StoredVersion.restore(difference, snapshot))) {
                throw new IllegalStateException("a ruleset of " + whole.length
                        + " bytes cannot be restored from its compressed form, so it is not archived");
            }
            return difference;
        }
    }
}
