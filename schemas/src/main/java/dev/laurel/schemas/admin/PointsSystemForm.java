package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.BoostSource;
import dev.laurel.schemas.ruleset.RulesetSource.LevelSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import dev.laurel.schemas.wire.AdminBody;
import dev.laurel.schemas.wire.BadgeBody;
import dev.laurel.schemas.wire.PointsSystemConfigBody;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Points systems (admin-api.md A4); a new one may bring its levels, boosts and triggers along. */
final class PointsSystemForm implements ObjectForm {

    private static final int MAX_PARTS = 1000;

    @Override
    public void create(SourceDraft draft, String parent, UUID id, Item item) throws BadInputException {
        String name = item.requiredText("name");
        String key = SharedFields.newKey(item, draft.points, "points system");
        var system = new PointsSource(id, name, item.text("description"), SharedFields.badgeUrl(item, null),
                item.whole("maxPoints"), item.text("levelAt"), null, null, null);
        draft.points.put(key, system);
        draft.addFresh("points", null, key);
        var levels = new LinkedHashMap<String, LevelSource>();
        parts(draft, item, key, id, "levels", LevelForm.FIELD_NAMES, (part, partId) -> {
            String level = LevelForm.add(levels, partId, part);
            draft.addFresh("level", key, level);
            return level;
        });
        var boosts = new LinkedHashMap<String, BoostSource>();
        parts(draft, item, key, id, "boosts", Map.of(), (part, partId) -> BoostForm.add(boosts, partId, part, draft));
        var triggers = new LinkedHashMap<String, TriggerSource>();
        parts(draft, item, key, id, "triggers", TriggerForm.FIELD_NAMES,
                (part, partId) -> TriggerForm.add(triggers, partId, part, draft));
        draft.points.put(key, system.withLevels(levels).withBoosts(boosts).withTriggers(triggers));
    }

    private interface Addition {
        /** @return the new part's key */
        String add(Item part, UUID id) throws BadInputException;
    }

    /** A bad part rejects its whole system; the issue says which one it is. */
    private static void parts(SourceDraft draft, Item item, String key, UUID system, String field,
            Map<String, String> names, Addition addition) throws BadInputException {
        List<Object> parts = item.list(field, MAX_PARTS);
        for (int i = 0; parts != null && i < parts.size(); i++) {
            String prefix = field + "[" + i + "]: ";
            try {
                String part = addition.add(Item.of(parts.get(i)), partId(system, field, i));
                draft.parts.add(new Place(Place.pointer("points", key, field, part), prefix, names));
            } catch (BadInputException e) {
                throw new BadInputException(Refusal.invalid(prefix + e.refusal().message()));
            }
        }
    }

    /** The id of the system comes with the edit and is nobody else's; so are those made from it. */
    private static UUID partId(UUID system, String field, int index) {
        return UUID.nameUUIDFromBytes((system + "\n" + field + "\n" + index).getBytes(UTF_8));
    }

    @Override
    public void update(SourceDraft draft, String parent, String key, Item item) throws BadInputException {
        PointsSource before = draft.points.get(key);
        Long maxPoints = item.whole("maxPoints");
        draft.points.put(key,
                new PointsSource(before.id(), SharedFields.text(item, "name", before.name()),
                        SharedFields.text(item, "description", before.description()),
                        SharedFields.badgeUrl(item, before.badgeUrl()),
                        maxPoints != null || item.isNull("maxPoints") ? maxPoints : before.maxPoints(),
                        SharedFields.text(item, "levelAt", before.levelAt()), before.levels(), before.boosts(),
                        before.triggers()));
    }

    @Override
    public void delete(SourceDraft draft, String parent, String key) {
        draft.points.remove(key);
    }

    @Override
    public String keyOf(SourceDraft draft, String parent, UUID id) {
        return draft.pointsKey(id);
    }

    @Override
    public String place(String parent, String key) {
        return Place.pointer("points", key);
    }

    @Override
    public Map<String, String> fieldNames() {
        return LevelForm.FIELD_NAMES;
    }

    @Override
    public List<PointsSystemConfigBody> bodies(Ruleset ruleset, UUID parent, Instant now) {
        return ruleset.pointsSystems().stream().map(PointsSystemForm::body).toList();
    }

    private static PointsSystemConfigBody body(PointsSystem system) {
        String description = system.description();
        return new PointsSystemConfigBody(system.id(), system.name(), system.key(),
                description == null ? "" : description, BadgeBody.of(system.badgeUrl()), system.maxPoints(),
                system.levelAt().name().toLowerCase(Locale.ROOT), "active", Optional.empty(), Optional.empty(),
                Optional.empty());
    }

    @Override
    public AdminBody created(AdminBody body, Object json, Ruleset ruleset, Instant now) {
        Map<?, ?> given = (Map<?, ?>) json;
        var system = (PointsSystemConfigBody) body;
        PointsSystem made = byId(ruleset, system.id());
        var ids = new ObjectIds(ruleset);
        return new PointsSystemConfigBody(system.id(), system.name(), system.key(), system.description(),
                system.badge(), system.maxPoints(), system.levelAt(), system.status(),
                given.get("levels") == null ? Optional.empty() : Optional.of(LevelForm.bodies(made)),
                given.get("boosts") == null ? Optional.empty() : Optional.of(BoostForm.bodies(made, ids, now)),
                given.get("triggers") == null ? Optional.empty() : Optional.of(TriggerForm.bodies(made, ids)));
    }

    static PointsSystem byId(Ruleset ruleset, UUID id) {
        return ruleset.pointsSystems().stream().filter(system -> system.id().equals(id)).findFirst().orElseThrow();
    }
}
