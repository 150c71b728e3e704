package dev.laurel.query.read;

import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.processors.store.OwnedReader.Kind;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.OwnedQuery.FindOwner;
import dev.laurel.query.partition.OwnedQuery.FindPauses;
import dev.laurel.query.partition.OwnedQuery.ListOwned;
import dev.laurel.query.partition.OwnedQuery.ShowBoosts;
import dev.laurel.query.partition.OwnedQuery.ShowPauses;
import dev.laurel.schemas.admin.ObjectBodies;
import dev.laurel.schemas.edit.ObjectKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.wire.AdminBody;
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
import org.jspecify.annotations.Nullable;

/**
 * Reads pauses and boosts as operators list them: those of all users, and the boosts of the ruleset among them. A skipped one costs
 * a read of the index, a shown one a read of its user. Thread-safe.
 */
public final class OwnedReads {

    private final Nodes nodes;
    private final ConfigReads configuration;
    private final InstantSource clock;

    /** A boost of the ruleset. */
    private record Shared(long createdMs, AdminBody body) {}

    public OwnedReads(Nodes nodes, ConfigReads configuration, InstantSource clock) {
        this.nodes = nodes;
        this.configuration = configuration;
        this.clock = clock;
    }

    /** The pauses of all users, past ones included, oldest first. */
    public List<PauseBody> pauses(TenantId tenant, int skip, int limit) {
        var entries = new EntryIterator(nodes, Kind.PAUSE, tenant, 0);
        for (int i = 0; i < skip && entries.hasNext(); i++) {
            entries.next();
        }
        var bodies = new ArrayList<PauseBody>();
        while (bodies.size() < limit && entries.hasNext()) {
            var next = new ArrayList<Entry>();
            while (next.size() < limit - bodies.size() && entries.hasNext()) {
                next.add(entries.next());
            }
            bodies.addAll(show(next));
        }
        return bodies;
    }

    /** The pauses of these users, oldest first. */
    public List<PauseBody> pausesOf(List<UserKey> users, int skip, int limit) {
        List<Entry> entries = nodes.ask(new FindPauses(List.copyOf(new LinkedHashSet<>(users)))).pauses();
        return show(entries.stream().sorted(EntryIterator.BY_AGE).skip(skip).limit(limit).toList());
    }

    /** Shows these in their order, without those that no longer exist. */
    private List<PauseBody> show(List<Entry> pauses) {
        return nodes.ask(new ShowPauses(pauses)).shown().stream()
                .sorted(Comparator.comparingInt(ShowPauses.ShownPause::index))
                .map(ShowPauses.ShownPause::body).toList();
    }

    /**
     * The boosts of a points system, oldest first.
     *
     * @return null if there is no such points system
     */
    public @Nullable List<AdminBody> boosts(TenantId tenant, UUID systemId, int skip, int limit)
            throws InterruptedException {
        Ruleset ruleset = configuration.newest(tenant);
        PointsSystem system = systemOf(ruleset, systemId);
        if (system == null) {
            return null;
        }
        List<Shared> shared = shared(ruleset, system);
        var owned = new EntryIterator(nodes, Kind.BOOST, tenant, system.number());
        var bodies = new ArrayList<AdminBody>();
        var all = new ListedBoosts(shared, owned);
        for (int i = 0; i < skip && all.hasNext(); i++) {
            all.next();
        }
        while (bodies.size() < limit && all.hasNext()) {
            var next = new ArrayList<ListedBoost>();
            while (next.size() < limit - bodies.size() && all.hasNext()) {
                next.add(all.next());
            }
            bodies.addAll(showBoosts(next));
        }
        return bodies;
    }

    /** One boost in a list: a shared one or that of a user; the other component is null. */
    private record ListedBoost(@Nullable Shared shared, @Nullable Entry owned) {}

    /** Iterates over shared boosts and those of users, oldest first. */
    private static final class ListedBoosts {
        private final Iterator<Shared> shared;
        private final EntryIterator owned;
        private @Nullable Shared nextShared;
        private @Nullable Entry nextOwned;

        ListedBoosts(List<Shared> shared, EntryIterator owned) {
            this.shared = shared.iterator();
            this.owned = owned;
            this.nextShared = this.shared.hasNext() ? this.shared.next() : null;
            this.nextOwned = owned.hasNext() ? owned.next() : null;
        }

        boolean hasNext() {
            return nextShared != null || nextOwned != null;
        }

        ListedBoost next() {
            boolean isShared = nextOwned == null
                    || nextShared != null && nextShared.createdMs() <= nextOwned.createdMs();
            var place = isShared ? new ListedBoost(nextShared, null) : new ListedBoost(null, nextOwned);
            if (isShared) {
                nextShared = shared.hasNext() ? shared.next() : null;
            } else {
                nextOwned = owned.hasNext() ? owned.next() : null;
            }
            return place;
        }
    }

    /** Shows these in their order, without those that no longer exist. */
    private List<AdminBody> showBoosts(List<ListedBoost> boosts) {
        Map<Integer, AdminBody> owned = new HashMap<>();
        var entries = boosts.stream().map(ListedBoost::owned).filter(Objects::nonNull).toList();
        nodes.ask(new ShowBoosts(entries)).shown().forEach(shown -> owned.put(shown.index(), shown.body()));
        var bodies = new ArrayList<AdminBody>();
        int index = 0;
        for (ListedBoost boost : boosts) {
            add(bodies, boost.shared() == null ? owned.get(index++) : boost.shared().body());
        }
        return bodies;
    }

    private List<Shared> shared(Ruleset ruleset, PointsSystem system) {
        Map<UUID, Long> created = new HashMap<>();
        for (Boost boost : system.boosts()) {
            created.put(boost.id(), boost.created().toEpochMilli());
        }
        var shared = new ArrayList<Shared>();
        for (AdminBody body : ObjectBodies.of(ObjectKind.BOOST, ruleset, system.id(), clock.instant())) {
            shared.add(new Shared(Objects.requireNonNull(created.get(body.id())), body));
        }
        shared.sort(Comparator.comparingLong(Shared::createdMs));
        return shared;
    }

    /** A boost of a points system, shared or of a user; null if there is no such system or boost. */
    public @Nullable AdminBody boost(TenantId tenant, UUID systemId, UUID id) throws InterruptedException {
        Ruleset ruleset = configuration.newest(tenant);
        PointsSystem system = systemOf(ruleset, systemId);
        if (system == null) {
            return null;
        }
        if (system.boosts().stream().anyMatch(boost -> boost.id().equals(id))) {
            return shared(ruleset, system).stream().map(Shared::body).filter(body -> body.id().equals(id)).findFirst()
                    .orElseThrow();
        }
        byte[] owner = nodes.ask(new FindOwner(Kind.BOOST, tenant, id)).user();
        return owner == null
                ? null
                : nodes.ask(new ShowBoosts(List.of(new Entry(system.number(), 0, id, owner)))).shown().stream()
                        .findFirst().map(ShowBoosts.ShownBoost::body).orElse(null);
    }

    private static @Nullable PointsSystem systemOf(Ruleset ruleset, UUID id) {
        return ruleset.pointsSystems().stream().filter(system -> system.id().equals(id)).findFirst().orElse(null);
    }

    private static <T> void add(List<? super T> bodies, @Nullable T body) {
        if (body != null) {
            bodies.add(body);
        }
    }

    /**
     * Iterates over what the users of all partitions own, oldest first. It reads a chunk at a time from each partition. One thread.
     */
    static final class EntryIterator implements Iterator<Entry> {

        static final Comparator<Entry> BY_AGE = Comparator.comparingLong(Entry::createdMs).thenComparing(Entry::id);

        private static final int CHUNK = 128;

        private final Nodes nodes;
        private final Kind kind;
        private final TenantId tenant;
        private final int group;
        private final PriorityQueue<Part> parts = new PriorityQueue<>(
                Comparator.comparing((Part part) -> part.next.getFirst(), BY_AGE));

        /** The entries of a partition that have been read and not returned yet. */
        private static final class Part {
            private final int partition;
            private final Deque<Entry> next = new ArrayDeque<>();
            private @Nullable Entry last;

            Part(int partition) {
                this.partition = partition;
            }
        }

        /** @param group see {@link Entry} */
        EntryIterator(Nodes nodes, Kind kind, TenantId tenant, int group) {
            this.nodes = nodes;
            this.kind = kind;
            this.tenant = tenant;
            this.group = group;
            for (ListOwned.PartitionEntries first : nodes.ask(new ListOwned(kind, tenant, group, null, null, CHUNK))
                    .parts()) {
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
}
