package dev.laurel.query.read;

import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.processors.store.OwnedReader.Kind;
import dev.laurel.query.question.FindOwner;
import dev.laurel.query.question.FindPauses;
import dev.laurel.query.question.Nodes;
import dev.laurel.query.question.ShowBoosts;
import dev.laurel.query.question.ShowPauses;
import dev.laurel.schemas.admin.ObjectForms;
import dev.laurel.schemas.admin.ObjectKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.wire.AdminBody;
import dev.laurel.schemas.wire.PauseBody;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Pauses and boosts as operators list them: those of all users, and the boosts of the ruleset among them. What is past over
 * costs a read of the index for each; what is shown costs a read of its user. Thread-safe; knows no HTTP.
 */
public final class OwnedReads {

    private final Nodes nodes;
    private final ConfigReads configuration;
    private final InstantSource clock;

    /** A boost of no single user. */
    private record Shared(long createdMs, AdminBody body) {}

    public OwnedReads(Nodes nodes, ConfigReads configuration, InstantSource clock) {
        this.nodes = nodes;
        this.configuration = configuration;
        this.clock = clock;
    }

    /** The pauses of all users, those of the past too, oldest first. */
    public List<PauseBody> pauses(TenantId tenant, int skip, int limit) {
        var entries = new OwnedEntries(nodes, Kind.PAUSE, tenant, 0);
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
        return show(entries.stream().sorted(OwnedEntries.BY_AGE).skip(skip).limit(limit).toList());
    }

    /** In their order, without those that have gone in the meantime. */
    private List<PauseBody> show(List<Entry> pauses) {
        return nodes.ask(new ShowPauses(pauses)).shown().stream()
                .sorted(Comparator.comparingInt(ShowPauses.Shown::index))
                .map(ShowPauses.Shown::body).toList();
    }

    /**
     * The boosts of a points system, oldest first.
     *
     * @return null if there is no such points system
     */
    public List<AdminBody> boosts(TenantId tenant, UUID systemId, int skip, int limit) throws InterruptedException {
        Ruleset ruleset = configuration.newest(tenant);
        PointsSystem system = systemOf(ruleset, systemId);
        if (system == null) {
            return null;
        }
        List<Shared> shared = shared(ruleset, system);
        var owned = new OwnedEntries(nodes, Kind.BOOST, tenant, system.number());
        var bodies = new ArrayList<AdminBody>();
        var places = new Places(shared, owned);
        for (int i = 0; i < skip && places.hasNext(); i++) {
            places.next();
        }
        while (bodies.size() < limit && places.hasNext()) {
            var next = new ArrayList<Place>();
            while (next.size() < limit - bodies.size() && places.hasNext()) {
                next.add(places.next());
            }
            bodies.addAll(showBoosts(next));
        }
        return bodies;
    }

    /** One boost in a list: a shared one or that of a user, the other is null. */
    private record Place(Shared shared, Entry owned) {}

    /** Shared ones and those of users, oldest first. */
    private static final class Places {
        private final Iterator<Shared> shared;
        private final OwnedEntries owned;
        private Shared nextShared;
        private Entry nextOwned;

        Places(List<Shared> shared, OwnedEntries owned) {
            this.shared = shared.iterator();
            this.owned = owned;
            this.nextShared = this.shared.hasNext() ? this.shared.next() : null;
            this.nextOwned = owned.hasNext() ? owned.next() : null;
        }

        boolean hasNext() {
            return nextShared != null || nextOwned != null;
        }

        Place next() {
            boolean isShared = nextOwned == null
                    || nextShared != null && nextShared.createdMs() <= nextOwned.createdMs();
            var place = isShared ? new Place(nextShared, null) : new Place(null, nextOwned);
            if (isShared) {
                nextShared = shared.hasNext() ? shared.next() : null;
            } else {
                nextOwned = owned.hasNext() ? owned.next() : null;
            }
            return place;
        }
    }

    /** In their order, without those that have gone in the meantime. */
    private List<AdminBody> showBoosts(List<Place> places) {
        Map<Integer, AdminBody> owned = new HashMap<>();
        var entries = places.stream().map(Place::owned).filter(Objects::nonNull).toList();
        nodes.ask(new ShowBoosts(entries)).shown().forEach(shown -> owned.put(shown.index(), shown.body()));
        var bodies = new ArrayList<AdminBody>();
        int index = 0;
        for (Place place : places) {
            add(bodies, place.shared() == null ? owned.get(index++) : place.shared().body());
        }
        return bodies;
    }

    private List<Shared> shared(Ruleset ruleset, PointsSystem system) {
        Map<UUID, Long> created = new HashMap<>();
        for (Boost boost : system.boosts()) {
            created.put(boost.id(), boost.created().toEpochMilli());
        }
        var shared = new ArrayList<Shared>();
        for (AdminBody body : ObjectForms.bodies(ObjectKind.BOOST, ruleset, system.id(), clock.instant())) {
            shared.add(new Shared(created.get(body.id()), body));
        }
        shared.sort(Comparator.comparingLong(Shared::createdMs));
        return shared;
    }

    /** One boost of a points system, whoever it belongs to; null if there is no such system or boost. */
    public AdminBody boost(TenantId tenant, UUID systemId, UUID id) throws InterruptedException {
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
                        .findFirst().map(ShowBoosts.Shown::body).orElse(null);
    }

    private static PointsSystem systemOf(Ruleset ruleset, UUID id) {
        return ruleset.pointsSystems().stream().filter(system -> system.id().equals(id)).findFirst().orElse(null);
    }

    private static <T> void add(List<? super T> bodies, T body) {
        if (body != null) {
            bodies.add(body);
        }
    }
}
