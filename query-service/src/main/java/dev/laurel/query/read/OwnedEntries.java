package dev.laurel.query.read;

import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.processors.store.OwnedReader.Kind;
import dev.laurel.query.locate.Partitions;
import dev.laurel.schemas.key.TenantId;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/**
 * What the users of all partitions own, oldest first: read as one goes on, some at a time from each partition. One thread.
 */
final class OwnedEntries implements Iterator<Entry> {

    static final Comparator<Entry> BY_AGE = Comparator.comparingLong(Entry::createdMs).thenComparing(Entry::id);

    private static final int CHUNK = 128;

    private final Partitions partitions;
    private final Kind kind;
    private final TenantId tenant;
    private final int group;
    private final PriorityQueue<Part> parts = new PriorityQueue<>(
            Comparator.comparing((Part part) -> part.next.getFirst(), BY_AGE));

    /** One partition: what has been read of it and not been handed over. */
    private static final class Part {
        private final int partition;
        private final Deque<Entry> next = new ArrayDeque<>();
        private Entry last;

        Part(int partition) {
            this.partition = partition;
        }
    }

    /** @param group see {@link Entry} */
    OwnedEntries(Partitions partitions, Kind kind, TenantId tenant, int group) {
        this.partitions = partitions;
        this.kind = kind;
        this.tenant = tenant;
        this.group = group;
        for (int i = 0; i < partitions.count(); i++) {
            offer(new Part(i));
        }
    }

    private void offer(Part part) {
        if (part.next.isEmpty()) {
            part.next.addAll(partitions.read(part.partition,
                    reader -> reader.owned().next(kind, tenant, group, part.last, CHUNK)));
        }
        if (!part.next.isEmpty()) {
            parts.add(part);
        }
    }

    @Override
    public boolean hasNext() {
        return !parts.isEmpty();
    }

    @Override
    public Entry next() {
        Part part = parts.poll();
        if (part == null) {
            throw new NoSuchElementException();
        }
        part.last = part.next.poll();
        Entry entry = part.last;
        offer(part);
        return entry;
    }
}
