package dev.laurel.schemas.admin;

import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.wire.AdminBody;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The forms of all kinds of objects, and what the admin API shows of a ruleset. Thread-safe. */
public final class ObjectForms {

    private static final MetricForm METRICS = new MetricForm();
    private static final AttributeForm ATTRIBUTES = new AttributeForm();
    private static final PointsSystemForm POINTS_SYSTEMS = new PointsSystemForm();
    private static final LevelForm LEVELS = new LevelForm();
    private static final BoostForm BOOSTS = new BoostForm();
    private static final TriggerForm TRIGGERS = new TriggerForm();
    private static final LeaderboardForm LEADERBOARDS = new LeaderboardForm();
    private static final AchievementForm ACHIEVEMENTS = new AchievementForm();
    private static final WebhookForm WEBHOOKS = new WebhookForm();
    private static final TemplateForm TEMPLATES = new TemplateForm();

    private ObjectForms() {}

    static ObjectForm of(ObjectKind kind) {
        return switch (kind) {
            case METRIC -> METRICS;
            case ATTRIBUTE -> ATTRIBUTES;
            case POINTS_SYSTEM -> POINTS_SYSTEMS;
            case LEVEL -> LEVELS;
            case BOOST -> BOOSTS;
            case TRIGGER -> TRIGGERS;
            case LEADERBOARD -> LEADERBOARDS;
            case ACHIEVEMENT -> ACHIEVEMENTS;
            case WEBHOOK -> WEBHOOKS;
            case TEMPLATE -> TEMPLATES;
        };
    }

    /**
     * All objects of this kind, oldest first.
     *
     * @param parent id of the points system they belong to, null where there is none
     * @return null if there is no such points system
     */
    public static List<? extends AdminBody> bodies(ObjectKind kind, Ruleset ruleset, UUID parent, Instant now) {
        if (kind.hasParent() && ruleset.pointsSystems().stream().noneMatch(s -> s.id().equals(parent))) {
            return null;
        }
        return of(kind).bodies(ruleset, parent, now);
    }
}
