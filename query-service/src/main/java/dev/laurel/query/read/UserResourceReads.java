package dev.laurel.query.read;

import dev.laurel.processors.store.users.UserResourceReader.Entry;
import dev.laurel.processors.store.users.UserResourceReader.Kind;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserResourceQuery.FindKeys;
import dev.laurel.query.partition.UserResourceQuery.FindOwner;
import dev.laurel.query.partition.UserResourceQuery.FindPauses;
import dev.laurel.query.partition.UserResourceQuery.ListOwned;
import dev.laurel.query.partition.UserResourceQuery.ShowOwned;
import dev.laurel.query.partition.UserResourceQuery.ShowOwned.ShownEntry;
import dev.laurel.schemas.admin.ObjectBodies;
import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.wire.EditBody.AdminBody;
import dev.laurel.schemas.wire.KeyBody.ApplicationKeyBody;
import dev.laurel.schemas.wire.ObjectBody;
import dev.laurel.schemas.wire.StreakBody.PauseBody;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads pauses, boosts and application keys as operators list them: those of all users, and the boosts of the ruleset among them. A
 * skipped entry costs a read of the index, a shown entry a read of its user. Thread-safe.
 */
public record UserResourceReads(Nodes nodes, ConfigReads configuration, InstantSource clock) {

    /** The owner of the boosts of the ruleset. */
    private static final byte[] NOBODY = {};

    /** The pauses of all users, past ones included, oldest first. */
    public List<PauseBody> pauses(TenantId tenant, int skip, int limit) {
        return page(EntryIterator.all(nodes, Kind.PAUSE, tenant, 0), skip, limit, this::showPauses);
    }

    /** Shows a page of a list. Entries that no longer exist are left out and replaced by later ones. */
    private static <E, B> List<B> page(Iterator<E> entries, int skip, int limit, Function<List<E>, List<B>> show) {
        for (int i = 0; i < skip && entries.hasNext(); i++) {
            entries.next();
        }
        var bodies = new ArrayList<B>();
        while (bodies.size() < limit && entries.hasNext()) {
            var next = new ArrayList<E>();
            while (next.size() < limit - bodies.size() && entries.hasNext()) {
                next.add(entries.next());
            }
            bodies.addAll(show.apply(next));
        }
        return bodies;
    }

    /** The pauses of these users, oldest first. */
    public List<PauseBody> pausesOf(List<UserKey> users, int skip, int limit) {
        List<Entry> entries = nodes.ask(new FindPauses(List.copyOf(new LinkedHashSet<>(users))))
                .values();
        return showPauses(entries.stream()
                .sorted(EntryIterator.BY_AGE)
                .skip(skip)
                .limit(limit)
                .toList());
    }

    private List<PauseBody> showPauses(List<Entry> pauses) {
        return show(Kind.PAUSE, pauses)
                .map(ShownEntry::pause)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Shows these in their order, without those that no longer exist. */
    private Stream<ShownEntry> show(Kind kind, List<Entry> entries) {
        return nodes.ask(new ShowOwned(kind, entries)).values().stream()
                .sorted(Comparator.comparingInt(ShownEntry::index));
    }

    /** @param last the last key of the page; null: none follows */
    public record KeyPage(
            List<ApplicationKeyBody> keys, @Nullable Entry last) {}

    /** The application keys in the lists of a tenant's users, oldest first. @param after null: from the first */
    public KeyPage keys(TenantId tenant, @Nullable Entry after, int skip, int limit) {
        var entries = new EntryIterator(
                nodes,
                new ListOwned(Kind.KEY, tenant, 0, null, after, Math.clamp(skip + limit, 1, EntryIterator.CHUNK)));
        List<ApplicationKeyBody> keys = page(entries, skip, limit, this::showKeys);
        return new KeyPage(keys, entries.hasNext() ? entries.last() : null);
    }

    /** Works like {@link #keys} for the keys in the list of one user. */
    public KeyPage keysOf(UserKey user, @Nullable Entry after, int skip, int limit) {
        List<ApplicationKeyBody> following = nodes.ask(new FindKeys(user)).values().stream()
                .filter(key -> after == null || EntryIterator.BY_AGE.compare(after, entryOf(user, key)) < 0)
                .skip(skip)
                .toList();
        return following.size() <= limit
                ? new KeyPage(following, null)
                : new KeyPage(following.subList(0, limit), entryOf(user, following.get(limit - 1)));
    }

    private static Entry entryOf(UserKey user, ApplicationKeyBody key) {
        return new Entry(0, key.created().toEpochMilli(), key.id(), user.bytes());
    }

    private List<ApplicationKeyBody> showKeys(List<Entry> keys) {
        return show(Kind.KEY, keys)
                .map(ShownEntry::key)
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * The boosts of a points system, oldest first.
     *
     * @return null if there is no such points system
     */
    public @Nullable List<AdminBody> boosts(TenantId tenant, UUID systemId, int skip, int limit) {
        Ruleset ruleset = configuration.newest(tenant);
        PointsSystem system = systemOf(ruleset, systemId);
        if (system == null) {
            return null;
        }
        Map<UUID, AdminBody> shared = sharedBoosts(ruleset, system);
        var entries = EntryIterator.all(nodes, Kind.BOOST, tenant, system.number());
        entries.add(system.boosts().stream()
                .filter(boost -> shared.containsKey(boost.id()))
                .map(boost -> new Entry(system.number(), boost.created().toEpochMilli(), boost.id(), NOBODY)));
        return page(entries, skip, limit, next -> showBoosts(next, shared));
    }

    /** Shows these in their order, without those that no longer exist. */
    private List<AdminBody> showBoosts(List<Entry> boosts, Map<UUID, AdminBody> shared) {
        var bodies = new HashMap<>(shared);
        List<Entry> owned =
                boosts.stream().filter(boost -> !shared.containsKey(boost.id())).toList();
        show(Kind.BOOST, owned).forEach(shown -> {
            if (shown.boost() != null) {
                bodies.put(owned.get(shown.index()).id(), shown.boost());
            }
        });
        return boosts.stream()
                .map(boost -> bodies.get(boost.id()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** The shared boosts of a points system by their ids. */
    private Map<UUID, AdminBody> sharedBoosts(Ruleset ruleset, PointsSystem system) {
        return ObjectBodies.ofExisting(ObjectKind.BOOST, ruleset, system.id(), clock.instant()).stream()
                .collect(Collectors.toMap(ObjectBody::id, body -> body));
    }

    /** A boost of a points system, shared or of a user; null if there is no such system or boost. */
    public @Nullable AdminBody boost(TenantId tenant, UUID systemId, UUID id) {
        Ruleset ruleset = configuration.newest(tenant);
        PointsSystem system = systemOf(ruleset, systemId);
        if (system == null) {
            return null;
        }
        AdminBody shared = sharedBoosts(ruleset, system).get(id);
        if (shared != null) {
            return shared;
        }
        List<Entry> owned = nodes.ask(new FindOwner(Kind.BOOST, tenant, id)).values().stream()
                .map(owner -> new Entry(system.number(), 0, id, owner))
                .limit(1)
                .toList();
        return show(Kind.BOOST, owned)
                .map(ShownEntry::boost)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable PointsSystem systemOf(Ruleset ruleset, UUID id) {
        return ruleset.pointsSystems().stream()
                .filter(system -> system.id().equals(id))
                .findFirst()
                .orElse(null);
    }

    /** Iterates over the entries of all partitions, oldest first. It reads a chunk at a time from each. Not thread-safe. */
    static final class EntryIterator implements Iterator<Entry> {

        /** The order of each partition, so that the entries after one are the same in all of them. */
        static final Comparator<Entry> BY_AGE =
                Comparator.comparingLong(Entry::createdMs).thenComparing(Entry::id, Uuids.BY_BYTES);

        private static final int CHUNK = 128;

        private final Nodes nodes;
        private final ListOwned begin;
        private @Nullable Entry last;
        private final PriorityQueue<Part> parts =
                new PriorityQueue<>(Comparator.comparing((Part part) -> part.next.getFirst(), BY_AGE));

        /** The entries of a partition that have been read and not returned yet, or others if there is no partition. */
        private static final class Part {
            private final @Nullable Integer partition;
            private final Deque<Entry> next = new ArrayDeque<>();
            private @Nullable Entry last;

            Part(@Nullable Integer partition) {
                this.partition = partition;
            }
        }

        /** @param group see {@link Entry} */
        static EntryIterator all(Nodes nodes, Kind kind, TenantId tenant, int group) {
            return new EntryIterator(nodes, new ListOwned(kind, tenant, group, null, null, CHUNK));
        }

        /** @param begin lists the first entries of all partitions; as many are read at a time from each */
        EntryIterator(Nodes nodes, ListOwned begin) {
            this.nodes = nodes;
            this.begin = begin;
            for (ListOwned.PartitionEntries first : nodes.ask(begin).values()) {
                var part = new Part(first.partition());
                part.next.addAll(first.entries());
                offer(part);
            }
        }

        /** Adds entries of none of the partitions. */
        void add(Stream<Entry> entries) {
            var part = new Part(null);
            part.next.addAll(entries.sorted(BY_AGE).toList());
            offer(part);
        }

        private void offer(Part part) {
            if (!part.next.isEmpty()) {
                parts.add(part);
            }
        }

        private void read(Part part) {
            nodes.ask(Records.with(begin, "partition", part.partition, "after", part.last))
                    .values()
                    .forEach(more -> part.next.addAll(more.entries()));
        }

        @Override
        public boolean hasNext() {
            return !parts.isEmpty();
        }

        /** The entry that {@link #next} has returned last; null before the first. */
        @Nullable
        Entry last() {
            return last;
        }

        @Override
        public Entry next() {
            Part part = parts.poll();
            if (part == null) {
                throw new NoSuchElementException();
            }
            part.last = part.next.poll();
            Entry entry = part.last;
            last = entry;
            if (part.next.isEmpty() && part.partition != null) {
                read(part);
            }
            offer(part);
            return entry;
        }
    }
}
