package dev.laurel.query.read;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.Pause;
import dev.laurel.processors.core.user.UserBoost;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.core.view.PointsBodies;
import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.processors.store.OwnedReader.Kind;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.Partitions;
import dev.laurel.schemas.admin.ObjectForms;
import dev.laurel.schemas.admin.ObjectKind;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.wire.AdminBody;
import dev.laurel.schemas.wire.PauseBody;
import dev.laurel.schemas.wire.UserBoostBody;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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

    private final Partitions partitions;
    private final ConfigReads configuration;
    private final RulesetVersions rulesets;
    private final InstantSource clock;

    /** A boost of no single user. */
    private record Shared(long createdMs, AdminBody body) {}

    public OwnedReads(Partitions partitions, ConfigReads configuration, RulesetVersions rulesets,
            InstantSource clock) {
        this.partitions = partitions;
        this.configuration = configuration;
        this.rulesets = rulesets;
        this.clock = clock;
    }

    /** The pauses of all users, those of the past too, oldest first. */
    public List<PauseBody> pauses(TenantId tenant, int skip, int limit) {
        var entries = new OwnedEntries(partitions, Kind.PAUSE, tenant, 0);
        for (int i = 0; i < skip && entries.hasNext(); i++) {
            entries.next();
        }
        var bodies = new ArrayList<PauseBody>();
        while (bodies.size() < limit && entries.hasNext()) {
            add(bodies, pause(entries.next()));
        }
        return bodies;
    }

    /** The pauses of these users, oldest first. */
    public List<PauseBody> pausesOf(List<UserKey> users, int skip, int limit) {
        var entries = new ArrayList<Entry>();
        for (UserKey user : new LinkedHashSet<>(users)) {
            byte[] key = user.bytes();
            partitions.readOwner(key, reader -> {
                UserState state = reader.user(key);
                if (state != null) {
                    for (Pause pause : state.streak().pauses()) {
                        Long createdMs = reader.owned().createdMs(Kind.PAUSE, user.tenant(), pause.id(), key);
                        entries.add(new Entry(0, createdMs == null ? 0 : createdMs, pause.id(), key));
                    }
                }
                return state;
            });
        }
        entries.sort(OwnedEntries.BY_AGE);
        return entries.stream().skip(skip).limit(limit).map(this::pause).filter(Objects::nonNull).toList();
    }

    /** Null if it has gone in the meantime. */
    private PauseBody pause(Entry entry) {
        UserState state = stateOf(entry.user());
        if (state == null) {
            return null;
        }
        return state.streak().pauses().stream().filter(pause -> pause.id().equals(entry.id())).findFirst()
                .map(pause -> Bodies.pause(state, pause)).orElse(null);
    }

    private UserState stateOf(byte[] user) {
        return partitions.readOwner(user, reader -> reader.user(user));
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
        var owned = new OwnedEntries(partitions, Kind.BOOST, tenant, system.number());
        var bodies = new ArrayList<AdminBody>();
        Entry next = owned.hasNext() ? owned.next() : null;
        int nextShared = 0;
        for (int place = 0; bodies.size() < limit && (next != null || nextShared < shared.size()); place++) {
            boolean isShared = next == null
                    || nextShared < shared.size() && shared.get(nextShared).createdMs() <= next.createdMs();
            if (isShared) {
                Shared one = shared.get(nextShared++);
                if (place >= skip) {
                    bodies.add(one.body());
                }
            } else {
                if (place >= skip) {
                    add(bodies, boost(next));
                }
                next = owned.hasNext() ? owned.next() : null;
            }
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
        // In all partitions: who writes to the log directly may make ids that say nothing of theirs.
        return partitions.readAll(reader -> reader.owned().ownerOf(Kind.BOOST, tenant, id)).stream()
                .filter(Objects::nonNull).findFirst()
                .map(owner -> boost(new Entry(system.number(), 0, id, owner))).orElse(null);
    }

    /** Null if it has gone in the meantime, or is of another points system. */
    private UserBoostBody boost(Entry entry) {
        UserState state = stateOf(entry.user());
        if (state == null) {
            return null;
        }
        CompiledRuleset rules = rulesets.newest(UserKey.parse(entry.user()).tenant());
        for (UserBoost boost : state.boosts()) {
            if (boost.id().equals(entry.id()) && boost.system() == entry.group()) {
                return PointsBodies.boost(state.id(), boost, Bodies.today(state, rules, clock.millis()));
            }
        }
        return null;
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
