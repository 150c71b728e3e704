package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.LevelSource;
import dev.laurel.schemas.wire.BadgeBody;
import dev.laurel.schemas.wire.LevelConfigBody;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Levels of a points system (admin-api.md A4). */
final class LevelForm implements ObjectForm {

    static final Map<String, String> FIELD_NAMES = Map.of("badgeUrl", "badge.url");

    @Override
    public void create(SourceDraft draft, String parent, UUID id, Item item) throws BadInputException {
        var levels = new LinkedHashMap<>(draft.points.get(parent).levels());
        String key = add(levels, id, item);
        draft.points.put(parent, draft.points.get(parent).withLevels(levels));
        draft.addFresh("level", parent, key);
    }

    /** @return the new level's key */
    static String add(Map<String, LevelSource> levels, UUID id, Item item) throws BadInputException {
        String name = item.requiredText("name");
        String key = SharedFields.newKey(item, levels, "level");
        levels.put(key, new LevelSource(id, name, item.text("description"), SharedFields.badgeUrl(item, null),
                points(item, levels, key, null)));
        return key;
    }

    @Override
    public void update(SourceDraft draft, String parent, String key, Item item) throws BadInputException {
        var levels = new LinkedHashMap<>(draft.points.get(parent).levels());
        LevelSource before = levels.get(key);
        levels.put(key,
                new LevelSource(before.id(), SharedFields.text(item, "name", before.name()),
                        SharedFields.text(item, "description", before.description()),
                        SharedFields.badgeUrl(item, before.badgeUrl()), points(item, levels, key, before.points())));
        draft.points.put(parent, draft.points.get(parent).withLevels(levels));
    }

    /** The validator would name whichever of two equal levels comes later, which may be the other one. */
    private static Long points(Item item, Map<String, LevelSource> levels, String key, Long before)
            throws BadInputException {
        Long points = item.whole("points");
        if (points == null) {
            return before;
        }
        for (Map.Entry<String, LevelSource> other : levels.entrySet()) {
            if (!other.getKey().equals(key) && points.equals(other.getValue().points())) {
                throw item.bad("points", "is also that of the level '" + other.getKey()
                        + "'; each level of a points system needs its own");
            }
        }
        return points;
    }

    @Override
    public void delete(SourceDraft draft, String parent, String key) {
        var levels = new LinkedHashMap<>(draft.points.get(parent).levels());
        levels.remove(key);
        draft.points.put(parent, draft.points.get(parent).withLevels(levels));
    }

    @Override
    public String keyOf(SourceDraft draft, String parent, UUID id) {
        return SourceDraft.keyOf(draft.points.get(parent).levels(), id, LevelSource::id);
    }

    @Override
    public String place(String parent, String key) {
        return Place.pointer("points", parent, "levels", key);
    }

    @Override
    public Map<String, String> fieldNames() {
        return FIELD_NAMES;
    }

    @Override
    public List<LevelConfigBody> bodies(Ruleset ruleset, UUID parent, Instant now) {
        return bodies(PointsSystemForm.byId(ruleset, parent));
    }

    /** In the order of their creation; the document has them by their points. */
    static List<LevelConfigBody> bodies(PointsSystem system) {
        return system.levels().stream().sorted(Comparator.comparingInt(Level::number)).map(
                l -> new LevelConfigBody(l.id(), l.name(), l.key(), l.points(), l.description(),
                        BadgeBody.of(l.badgeUrl())))
                .toList();
    }
}
