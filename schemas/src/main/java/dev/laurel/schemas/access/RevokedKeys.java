package dev.laurel.schemas.access;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The ids of revoked application keys, by the day on which the keys expire: 24 to 64 bytes for each. One thread changes it; any thread
 * reads.
 */
final class RevokedKeys {

    /** By day of expiry, see {@link SignedKey#lastDayOf}. */
    private final Map<Integer, IdSet> byDay = new ConcurrentSkipListMap<>();

    void add(UUID id) {
        byDay.computeIfAbsent(SignedKey.lastDayOf(id), _ -> new IdSet()).add(id);
    }

    void remove(UUID id) {
        int day = SignedKey.lastDayOf(id);
        IdSet ofDay = byDay.get(day);
        if (ofDay != null) {
            ofDay.remove(id);
            if (ofDay.size == 0) {
                byDay.remove(day);
            }
        }
    }

    boolean contains(UUID id) {
        IdSet ofDay = byDay.get(SignedKey.lastDayOf(id));
        return ofDay != null && ofDay.contains(id);
    }

    /** Ids whose keys have expired by the beginning of this day (since 1970, UTC), at most {@code limit}. */
    List<UUID> expiredBy(long day, int limit) {
        var expired = new ArrayList<UUID>();
        for (var ofDay : byDay.entrySet()) {
            if (ofDay.getKey() > day || expired.size() >= limit) {
                break;
            }
            if (ofDay.getKey() != SignedKey.NEVER) {
                ofDay.getValue().addTo(expired, limit);
            }
        }
        return expired;
    }

    int size() {
        return byDay.values().stream().mapToInt(ofDay -> ofDay.size).sum();
    }

    /** Ids in an open-addressed table. A reader sees an id that was added before; one that is added meanwhile it may see. */
    private static final class IdSet {

        private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);
        private static final int MIN_SLOTS = 16;

        /** The first half of no id of a key: these have a version. */
        private static final long FREE = 0;

        private static final long REMOVED = 1;

        /** Two numbers for each slot, the second of which is written first. */
        private volatile long[] table = new long[2 * MIN_SLOTS];

        private volatile int size;
        private int used;

        void add(UUID id) {
            if (contains(id)) {
                return;
            }
            if (3 * (used + 1) > table.length) { // two slots of three
                grow();
            }
            put(table, id.getMostSignificantBits(), id.getLeastSignificantBits());
            used++;
            size++;
        }

        private static void put(long[] slots, long high, long low) {
            int at = first(high, low, slots);
            while (slots[at] != FREE) {
                at = next(at, slots);
            }
            slots[at + 1] = low;
            SLOT.setRelease(slots, at, high);
        }

        private void grow() {
            long[] before = table;
            var larger = new long[Math.max(2 * MIN_SLOTS, 2 * Integer.highestOneBit(4 * size))];
            used = 0;
            for (int i = 0; i < before.length; i += 2) {
                if (before[i] != FREE && before[i] != REMOVED) {
                    put(larger, before[i], before[i + 1]);
                    used++;
                }
            }
            table = larger;
        }

        void remove(UUID id) {
            int at = find(table, id);
            if (at >= 0) {
                SLOT.setRelease(table, at, REMOVED);
                size--;
            }
        }

        boolean contains(UUID id) {
            return find(table, id) >= 0;
        }

        private static int find(long[] slots, UUID id) {
            long high = id.getMostSignificantBits();
            long low = id.getLeastSignificantBits();
            int at = first(high, low, slots);
            while (true) {
                long found = (long) SLOT.getAcquire(slots, at);
                if (found == FREE) {
                    return -1;
                }
                if (found == high && slots[at + 1] == low) {
                    return at;
                }
                at = next(at, slots);
            }
        }

        void addTo(List<UUID> ids, int limit) {
            long[] slots = table;
            for (int i = 0; i < slots.length && ids.size() < limit; i += 2) {
                if (slots[i] != FREE && slots[i] != REMOVED) {
                    ids.add(new UUID(slots[i], slots[i + 1]));
                }
            }
        }

        private static int first(long high, long low, long[] slots) {
            long mixed = (high ^ low) * 0x9E37_79B9_7F4A_7C15L;
            return (int) (mixed >>> 33) & slots.length / 2 - 1 << 1;
        }

        private static int next(int at, long[] slots) {
            return at + 2 & slots.length - 1;
        }
    }
}
