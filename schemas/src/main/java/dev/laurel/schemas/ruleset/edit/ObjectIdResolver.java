package dev.laurel.schemas.ruleset.edit;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute.AttributeType;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity.Origin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
    /** The documents of the present objects by the numbers of these. */
    private final Map<Integer, Record> documents = new HashMap<>();

    private int nextNumber;

    /** Computed when it is first needed. */
    private @Nullable Set<UUID> takenIds;

    ObjectIdResolver(Ruleset current, Instant now) {
        this.current = current;
        this.now = now;
        this.nextNumber = current.nextNumber();
        current.retired().forEach(this::know);
        documentsOf(current).forEach((object, document) -> {
            know(object);
            documents.put(object.number(), document);
        });
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
                    known.put(
                            slot(kind, to),
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
        return new ObjectIdentity(
                kind, key, before.number(), draft.id() == null ? before.id() : draft.id(), before.created());
    }

    /** The document of the object in the present version, under its former key; null if the version does not have the object. */
    @Nullable
    <T> T former(ObjectIdentity object, Kind<T> kind) {
        Record document = documents.get(object.number());
        return document == null
                ? null
                : Objects.requireNonNull(kind.recordType()).cast(document);
    }

    /** The new keys of renamed achievements, by their former keys. */
    Map<String, String> newKeysOfAchievements() {
        var keys = new HashMap<String, String>();
        for (ObjectIdentity object : known.values()) {
            if (documents.get(object.number()) instanceof Achievement former
                    && !former.key().equals(object.key())) {
                keys.put(former.key(), object.key());
            }
        }
        return keys;
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
        List<ObjectIdentity> missing = known.entrySet().stream()
                .filter(e -> !present.contains(e.getKey()))
                .map(Map.Entry::getValue)
                .toList();
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
            boolean isSame =
                    present != null && (present.id().equals(object.id()) || present.number() == object.number());
            if (!isSame) {
                ObjectIdentity now = ids.getOrDefault(object.id(), object);
                origins.add(new Origin.Earlier(
                        new ObjectIdentity(object.kind(), object.key(), now.number(), object.id(), now.created())));
            }
        }
        return origins;
    }

    static Set<ObjectIdentity> objectsOf(Ruleset ruleset) {
        return documentsOf(ruleset).keySet();
    }

    private static Map<ObjectIdentity, Record> documentsOf(Ruleset ruleset) {
        var documents = new LinkedHashMap<ObjectIdentity, Record>();
        identify("metric", "", ruleset.metrics(), documents);
        ruleset.attributes().forEach(a -> identify(attributeKind(a.type()), "", List.of(a), documents));
        identify("achievement", "", ruleset.achievements(), documents);
        for (PointsSystem system : ruleset.pointsSystems()) {
            identify("points", "", List.of(system), documents);
            String within = within(system.key(), "");
            identify("level", within, system.levels(), documents);
            identify("boost", within, system.boosts(), documents);
            identify("trigger", within, system.triggers(), documents);
        }
        identify("leaderboard", "", ruleset.leaderboards(), documents);
        identify("webhook", "", ruleset.webhooks(), documents);
        identify("template", "", ruleset.notifications().templates(), documents);
        return documents;
    }

    private static void identify(
            String kind, String within, List<? extends Record> objects, Map<ObjectIdentity, Record> documents) {
        for (Record object : objects) {
            int number = object instanceof PointsTrigger trigger ? trigger.objectNumber() : (int) get(object, "number");
            Instant created = (Instant) Records.get(object, "created");
            documents.put(
                    new ObjectIdentity(
                            kind,
                            within + get(object, "key"),
                            number,
                            (UUID) get(object, "id"),
                            created == null ? Instant.EPOCH : created),
                    object);
        }
    }

    private static Object get(Record object, String component) {
        return Objects.requireNonNull(Records.get(object, component));
    }
}
