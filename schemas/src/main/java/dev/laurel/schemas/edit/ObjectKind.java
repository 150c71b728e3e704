package dev.laurel.schemas.edit;

import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;

/** The kinds of ruleset objects that the admin API creates, changes and deletes in bulk (docs/admin-api.md A1). */
public enum ObjectKind {

    ATTRIBUTE("Attribute", "/attributes", Attribute.KIND), //
    METRIC("Metric", "/metrics", Metric.KIND), //
    POINTS_SYSTEM("Points system", "/points", PointsSystem.KIND), //
    LEVEL("Level", "/points/{systemId}/levels", Level.KIND), //
    BOOST("Boost", "/points/{systemId}/boosts", Boost.KIND), //
    TRIGGER("Trigger", "/points/{systemId}/triggers", PointsTrigger.KIND), //
    LEADERBOARD("Leaderboard", "/leaderboards", Leaderboard.KIND), //
    ACHIEVEMENT("Achievement", "/achievements", Achievement.KIND), //
    WEBHOOK("Webhook", "/webhooks", Webhook.KIND), //
    TEMPLATE("Template", "/notifications/templates", Template.KIND);

    private final String label;
    private final String path;
    private final Kind<?> description;

    ObjectKind(String label, String path, Kind<?> description) {
        this.label = label;
        this.path = path;
        this.description = description;
    }

    /** The name of the kind in messages. */
    public String label() {
        return label;
    }

    /** The path below {@code /admin/v1}; contains {@code {systemId}} if the objects belong to a points system. */
    public String path() {
        return path;
    }

    public Kind<?> description() {
        return description;
    }

    public boolean hasParent() {
        return path.contains("{systemId}");
    }
}
