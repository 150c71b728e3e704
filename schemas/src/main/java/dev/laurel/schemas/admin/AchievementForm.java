package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.key.Uuids;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.AchievementTrigger;
import dev.laurel.schemas.ruleset.AttributeFilter;
import dev.laurel.schemas.ruleset.AttributeType;
import dev.laurel.schemas.ruleset.Origin;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.wire.AchievementConfigBody;
import dev.laurel.schemas.wire.AdminBody;
import dev.laurel.schemas.wire.BadgeBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Achievements (admin-api.md B1). One without a key has its id's text as key. */
final class AchievementForm implements ObjectForm {

    private static final String KIND = "achievement";
    private static final int MAX_PREREQUISITES = 100;
    private static final AchievementSource NOTHING = new AchievementSource(null, null, null, null, "", null, null,
            null, null, null, null, null, null);

    @Override
    public void create(SourceDraft draft, String parent, UUID id, Item item) throws BadInputException {
        item.requiredText("name");
        item.require("trigger");
        item.word("status", "inactive", "active");
        String key = item.has("key") ? SharedFields.newKey(item, draft.achievements, KIND) : id.toString();
        AchievementSource achievement = achievement(draft, id, NOTHING, item);
        checkKey(key, achievement, item);
        draft.achievements.put(key, achievement);
        draft.origins.add(new Origin.Fresh(KIND, key));
    }

    @Override
    public void update(SourceDraft draft, String parent, String key, Item item) throws BadInputException {
        AchievementSource before = draft.achievements.get(key);
        item.word("status", "inactive", "active", "locked");
        String newKey = SharedFields.text(item, "key", key);
        AchievementSource next = achievement(draft, before.id(), before, item);
        checkKey(newKey, next, item);
        draft.achievements.put(key, next);
        if (!newKey.equals(key)) {
            SharedFields.unused(newKey, draft.achievements, KIND);
            draft.renameAchievement(key, newKey);
            draft.origins.add(new Origin.Renamed(KIND, key, newKey));
        }
    }

    /** Clients complete it by its key. */
    private static void checkKey(String key, AchievementSource achievement, Item item) throws BadInputException {
        if (achievement.trigger().equals("api") && key.equals(achievement.id().toString())) {
            throw item.bad("key", "is required for trigger api");
        }
    }

    private static AchievementSource achievement(SourceDraft draft, UUID id, AchievementSource before, Item item)
            throws BadInputException {
        String trigger = SharedFields.or(item.word("trigger", "metric", "streak", "api", "achievement"),
                before.trigger());
        AchievementSource kept = trigger.equals(before.trigger()) ? before : NOTHING; // of the trigger's own fields
        String status = SharedFields.text(item, "status", before == NOTHING ? "inactive" : before.status());
        return new AchievementSource(id, SharedFields.text(item, "name", before.name()),
                SharedFields.text(item, "description", before.description()),
                SharedFields.badgeUrl(item, before.badgeUrl()), trigger, status,
                SharedFields.metricKey(item, "metricId", draft, kept.metric()),
                SharedFields.or(item.number("metricValue"), kept.value()),
                SharedFields.or(item.integer("streakLength"), kept.streakLength()),
                prerequisites(draft, item, kept.achievements()),
                SharedFields.filters(item, "userAttributes", AttributeType.USER, draft, before.userAttributes()),
                SharedFields.filters(item, "eventAttributes", AttributeType.EVENT, draft, kept.eventAttributes()),
                SharedFields.or(item.bool("backdate"), before.backdate()));
    }

    private static List<String> prerequisites(SourceDraft draft, Item item, List<String> before)
            throws BadInputException {
        List<String> ids = item.texts("achievementIds", MAX_PREREQUISITES);
        if (ids == null) {
            return before;
        }
        var keys = new ArrayList<String>();
        for (int i = 0; i < ids.size(); i++) {
            String field = "achievementIds[" + i + "]";
            UUID id = Uuids.parse(ids.get(i));
            if (id == null) {
                throw item.bad(field, "must be a valid UUID");
            }
            keys.add(item.known(field, id, draft.achievementKey(id), KIND));
        }
        return keys;
    }

    @Override
    public void delete(SourceDraft draft, String parent, String key) {
        draft.achievements.remove(key);
    }

    @Override
    public String keyOf(SourceDraft draft, String parent, UUID id) {
        return draft.achievementKey(id);
    }

    @Override
    public String place(String parent, String key) {
        return Place.pointer("achievements", key);
    }

    @Override
    public Map<String, String> fieldNames() {
        return Map.of("metric", "metricId", "value", "metricValue", "achievements", "achievementIds", "badgeUrl",
                "badge.url");
    }

    @Override
    public List<AchievementConfigBody> bodies(Ruleset ruleset, UUID parent, Instant now) {
        var ids = new ObjectIds(ruleset);
        return ruleset.achievements().stream().sorted(Comparator.comparing(Achievement::created))
                .map(achievement -> body(achievement, ids)).toList();
    }

    /** Nobody can have it yet. */
    @Override
    public AdminBody created(AdminBody body, Object json, Ruleset ruleset, Instant now) {
        return ((AchievementConfigBody) body).counted(0);
    }

    private static AchievementConfigBody body(Achievement a, ObjectIds ids) {
        return switch (a.trigger()) {
            case AchievementTrigger.MetricTotal(String metric, BigDecimal value, List<AttributeFilter> events, int _) ->
                body(a, ids, "metric", Optional.of(ids.ofMetric(metric)), Optional.of(value), Optional.empty(),
                        Optional.empty(), Optional.of(events));
            case AchievementTrigger.StreakLength(int length) -> body(a, ids, "streak", Optional.empty(),
                    Optional.empty(), Optional.of(length), Optional.empty(), Optional.empty());
            case AchievementTrigger.Api() -> body(a, ids, "api", Optional.empty(), Optional.empty(), Optional.empty(),
                    Optional.empty(), Optional.empty());
            case AchievementTrigger.Composite(List<String> keys) ->
                body(a, ids, "achievement", Optional.empty(), Optional.empty(), Optional.empty(),
                        Optional.of(keys.stream().map(ids::ofAchievement).toList()), Optional.empty());
        };
    }

    private static AchievementConfigBody body(Achievement a, ObjectIds ids, String trigger, Optional<UUID> metric,
            Optional<BigDecimal> value, Optional<Integer> streakLength, Optional<List<UUID>> prerequisites,
            Optional<List<AttributeFilter>> events) {
        return new AchievementConfigBody(a.id(), a.name(), trigger,
                Optional.of(a.key()).filter(key -> !key.equals(a.id().toString())),
                SharedFields.orEmpty(a.description()),
                BadgeBody.of(a.badgeUrl()), SharedFields.word(a.status()), metric, value, streakLength, prerequisites,
                ids.filters(AttributeType.USER, a.userAttributes()),
                events.map(filters -> ids.filters(AttributeType.EVENT, filters)), a.created(), a.updated(),
                Optional.empty());
    }
}
