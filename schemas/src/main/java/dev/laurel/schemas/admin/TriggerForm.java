package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import dev.laurel.schemas.wire.TriggerConfigBody;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Triggers of a points system (admin-api.md A4). */
final class TriggerForm implements ObjectForm {

    static final Map<String, String> FIELD_NAMES = Map.of("metric", "metricId", "threshold", "metricThreshold",
            "achievement", "achievementId");

    private static final String[] TYPES = {"metric", "achievement", "streak", "time", "user_creation"};

    @Override
    public void create(SourceDraft draft, String parent, UUID id, Item item) throws BadInputException {
        var triggers = new LinkedHashMap<>(draft.points.get(parent).triggers());
        add(triggers, id, item, draft);
        draft.points.put(parent, draft.points.get(parent).withTriggers(triggers));
    }

    /** @return the new trigger's key, its id */
    static String add(Map<String, TriggerSource> triggers, UUID id, Item item, SourceDraft draft)
            throws BadInputException {
        item.require("type");
        String key = id.toString();
        // Unlike in a document, where what is written down is meant to be in force.
        triggers.put(key, read(item, blank(id, item.word("type", TYPES), "inactive", null, Map.of()), draft));
        return key;
    }

    @Override
    public void update(SourceDraft draft, String parent, String key, Item item) throws BadInputException {
        var triggers = new LinkedHashMap<>(draft.points.get(parent).triggers());
        TriggerSource before = triggers.get(key);
        String type = item.has("type") ? item.word("type", TYPES) : before.type();
        TriggerSource kept = type.equals(before.type())
                ? before
                : blank(before.id(), type, before.status(), before.points(), before.userAttributes());
        triggers.put(key, read(item, kept, draft));
        draft.points.put(parent, draft.points.get(parent).withTriggers(triggers));
    }

    /** With no field that only one type has. */
    private static TriggerSource blank(UUID id, String type, String status, Long points,
            Map<String, String> userAttributes) {
        return new TriggerSource(id, type, status, null, null, null, null, null, null, null, null, points,
                userAttributes);
    }

    /** The trigger with the fields that are given; those of another type are for the validator to name. */
    private static TriggerSource read(Item item, TriggerSource before, SourceDraft draft) throws BadInputException {
        return new TriggerSource(before.id(), before.type(), SharedFields.text(item, "status", before.status()),
                metric(item, before, draft), or(item.whole("metricThreshold"), before.threshold()),
                SharedFields.filters(item, "eventAttributes", AttributeType.EVENT, draft, before.eventAttributes()),
                isBlocking(item, before), achievement(item, before, draft),
                or(item.integer("streakLength"), before.streakLength()),
                SharedFields.text(item, "timeUnit", before.timeUnit()),
                or(item.integer("timeInterval"), before.timeInterval()), or(item.whole("points"), before.points()),
                SharedFields.filters(item, "userAttributes", AttributeType.USER, draft, before.userAttributes()));
    }

    private static String metric(Item item, TriggerSource before, SourceDraft draft) throws BadInputException {
        UUID id = item.uuid("metricId");
        return id == null ? before.metric() : item.known("metricId", id, draft.metricKey(id), "metric");
    }

    private static String achievement(Item item, TriggerSource before, SourceDraft draft) throws BadInputException {
        UUID id = item.uuid("achievementId");
        return id == null
                ? before.achievement()
                : item.known("achievementId", id, draft.achievementKey(id), "achievement");
    }

    /** Every type shows the field, so every type may be given it as it was shown. */
    private static Boolean isBlocking(Item item, TriggerSource before) throws BadInputException {
        Boolean given = or(item.bool("blockIfOutOfPoints"), before.blockIfOutOfPoints());
        return Boolean.TRUE.equals(given) ? given : null;
    }

    private static <T> T or(T given, T before) {
        return given == null ? before : given;
    }

    @Override
    public void delete(SourceDraft draft, String parent, String key) {
        var triggers = new LinkedHashMap<>(draft.points.get(parent).triggers());
        triggers.remove(key);
        draft.points.put(parent, draft.points.get(parent).withTriggers(triggers));
    }

    @Override
    public String keyOf(SourceDraft draft, String parent, UUID id) {
        return SourceDraft.keyOf(draft.points.get(parent).triggers(), id, TriggerSource::id);
    }

    @Override
    public String place(String parent, String key) {
        return Place.pointer("points", parent, "triggers", key);
    }

    @Override
    public Map<String, String> fieldNames() {
        return FIELD_NAMES;
    }

    @Override
    public List<TriggerConfigBody> bodies(Ruleset ruleset, UUID parent, Instant now) {
        return bodies(PointsSystemForm.byId(ruleset, parent), new ObjectIds(ruleset));
    }

    static List<TriggerConfigBody> bodies(PointsSystem system, ObjectIds ids) {
        return system.triggers().stream().map(trigger -> TriggerBodies.of(trigger, ids)).toList();
    }
}
