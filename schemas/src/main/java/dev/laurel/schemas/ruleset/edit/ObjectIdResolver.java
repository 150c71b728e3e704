package dev.laurel.schemas.ruleset.edit;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute.AttributeType;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.ObjectIdentity.Origin;
import dev.laurel.schemas.ruleset.ObjectIdentity;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Resolves the identities of the objects of an edit by kind and key, and creates identities for new objects. Belongs to one
 * edit.
 */
final class ObjectIdResolver {

    /** The removed objects that a ruleset remembers. They make up to a fifth of the largest document. */
    static final int MAX_RETIRED = 5_000;

    private final Ruleset current;
    private final Instant now;

    /** The removed objects, in the order in which they were removed, before the present ones. */
    private final Map<String, ObjectIdentity> known = new LinkedHashMap<>();
    private int nextNumber;

    /** Computed when it is first needed. */
    private @Nullable Set<UUID> takenIds;

    ObjectIdResolver(Ruleset current, Instant now) {
        this.current = current;
        this.now = now;
        this.nextNumber = current.nextNumber();
        current.retired().forEach(this::know);
        objectsOf(current).forEach(this::know);
    }

    private void know(ObjectIdentity object) {
        known.put(slot(object.kind(), object.key()), object);
    }

    /** Must be called before anything is identified. */
    void comesFrom(Origin origin) {
        switch (origin) {
            case Origin.Fresh(String kind, String key) -> known.remove(slot(kind, key));
            case Origin.Renamed(String kind, String from, String to) -> {
                ObjectIdentity object = known.remove(slot(kind, from));
                if (object != null) {
                    known.put(slot(kind, to),
                            new ObjectIdentity(kind, to, object.number(), object.id(), object.created()));
                }
            }
            case Origin.Earlier(ObjectIdentity object) -> {
                known.values().removeIf(other -> other.id().equals(object.id()));
                known.put(slot(object.kind(), object.key()), object);
            }
        }
    }

    /** The former identity of the object of this kind and key, or a new one. @param draft may contain another id */
    ObjectIdentity identify(String kind, String key, FieldMap draft) {
        ObjectIdentity before = known.get(slot(kind, key));
        if (before == null) {
            int number = freshNumber();
            before = new ObjectIdentity(kind, key, number, freeId(kind, key, number), now);
        }
        return new ObjectIdentity(kind, key, before.number(), draft.id() == null ? before.id() : draft.id(),
                before.created());
    }

    /** A number that was never used for an object or a sum. */
    int freshNumber() {
        return nextNumber++;
    }

    int nextNumber() {
        return nextNumber;
    }

    /** Whether no earlier version contains the object. */
    boolean isNew(ObjectIdentity object) {
        return object.number() >= current.nextNumber();
    }

    /**
     * The known objects that {@code next} lacks, in the order in which they were removed. Of too many, those that were removed first are
     * forgotten: no rule refers to them, and an object that returns with such a key is a new one.
     */
    List<ObjectIdentity> missingIn(Ruleset next) {
        var present = new HashSet<String>();
        objectsOf(next).forEach(object -> present.add(slot(object.kind(), object.key())));
        List<ObjectIdentity> missing = known.entrySet().stream().filter(e -> !present.contains(e.getKey()))
                .map(Map.Entry::getValue).toList();
        return missing.subList(Math.max(0, missing.size() - MAX_RETIRED), missing.size());
    }

    /** A new id. The id of the key may be taken by an object that formerly had the key. */
    private UUID freeId(String kind, String key, int number) {
        UUID id = idOf(current.tenant(), kind, key);
        if (takenIds == null) {
            takenIds = known.values().stream().map(ObjectIdentity::id).collect(Collectors.toSet());
        }
        return takenIds.contains(id) ? idOf(current.tenant(), kind, key + "\n" + number) : id;
    }

    /** Derives the id from names, so that the same file gives the same ids on every empty instance. */
    private static UUID idOf(TenantId tenant, String kind, String key) {
        return UUID.nameUUIDFromBytes((tenant.value() + "\n" + kind + "\n" + key).getBytes(UTF_8));
    }

    private static String slot(String kind, String key) {
        return kind + "\n" + key;
    }

    /** The key of an object of a points system, which is unique only in its system. */
    static String within(String system, String key) {
        return system + "/" + key;
    }

    static String attributeKind(AttributeType type) {
        return IssueList.word(type) + "-attribute";
    }

    /** The origins of the objects of an earlier version whose keys now identify other objects. */
    static List<Origin> earlier(Ruleset current, Ruleset earlier) {
        var ids = new HashMap<UUID, ObjectIdentity>();
        var slots = new HashMap<String, ObjectIdentity>();
        current.retired().forEach(object -> ids.put(object.id(), object));
        for (ObjectIdentity object : objectsOf(current)) {
            ids.put(object.id(), object);
            slots.put(slot(object.kind(), object.key()), object);
        }
        var origins = new ArrayList<Origin>();
        for (ObjectIdentity object : objectsOf(earlier)) {
            ObjectIdentity present = slots.get(slot(object.kind(), object.key()));
            boolean isSame = present != null
                    && (present.id().equals(object.id()) || present.number() == object.number());
            if (!isSame) {
                ObjectIdentity now = ids.getOrDefault(object.id(), object);
                origins.add(new Origin.Earlier(
                        new ObjectIdentity(object.kind(), object.key(), now.number(), object.id(), now.created())));
            }
        }
        return origins;
    }

    static List<ObjectIdentity> objectsOf(Ruleset ruleset) {
        var objects = new ArrayList<ObjectIdentity>();
        for (Metric m : ruleset.metrics()) {
            objects.add(new ObjectIdentity("metric", m.key(), m.number(), m.id(), m.created()));
        }
        Instant unknown = Instant.EPOCH;
        for (Attribute a : ruleset.attributes()) {
            objects.add(new ObjectIdentity(attributeKind(a.type()), a.key(), a.number(), a.id(), unknown));
        }
        for (Achievement a : ruleset.achievements()) {
            objects.add(new ObjectIdentity("achievement", a.key(), a.number(), a.id(), a.created()));
        }
        for (PointsSystem s : ruleset.pointsSystems()) {
            objects.add(new ObjectIdentity("points", s.key(), s.number(), s.id(), unknown));
            for (Level l : s.levels()) {
                objects.add(new ObjectIdentity("level", within(s.key(), l.key()), l.number(), l.id(), unknown));
            }
            for (Boost b : s.boosts()) {
                objects.add(new ObjectIdentity("boost", within(s.key(), b.key()), b.number(), b.id(), b.created()));
            }
            for (PointsTrigger t : s.triggers()) {
                objects.add(new ObjectIdentity("trigger", within(s.key(), t.key()), t.objectNumber(), t.id(),
                        t.created()));
            }
        }
        for (Leaderboard l : ruleset.leaderboards()) {
            objects.add(new ObjectIdentity("leaderboard", l.key(), l.number(), l.id(), l.created()));
        }
        for (Webhook w : ruleset.webhooks()) {
            objects.add(new ObjectIdentity("webhook", w.key(), w.number(), w.id(), w.created()));
        }
        for (Template t : ruleset.notifications().templates()) {
            objects.add(new ObjectIdentity("template", t.key(), t.number(), t.id(), t.created()));
        }
        return objects;
    }
}
