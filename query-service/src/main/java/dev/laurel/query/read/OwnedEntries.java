package dev.laurel.query.read;

import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.processors.store.OwnedReader.Kind;
import dev.laurel.query.question.ListOwned;
import dev.laurel.query.question.Nodes;
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

    private final Nodes nodes;
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
    OwnedEntries(Nodes nodes, Kind kind, TenantId tenant, int group) {
        this.nodes = nodes;
        this.kind = kind;
        this.tenant = tenant;
        this.group = group;
        for (ListOwned.Part first : nodes.ask(new ListOwned(kind, tenant, group, null, null, CHUNK)).parts()) {
            var part = new Part(first.partition());
            part.next.addAll(first.entries());
            offer(part);
        }
    }

    private void offer(Part part) {
        if (!part.next.isEmpty()) {
            parts.add(part);
        }
    }

    private void read(Part part) {
        nodes.ask(new ListOwned(kind, tenant, group, part.partition, part.last, CHUNK)).parts()
                .forEach(more -> part.next.addAll(more.entries()));
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
        if (part.next.isEmpty()) {
            read(part);
        }
        offer(part);
        return entry;
    }
}
