package dev.laurel.schemas.admin;

/** The objects that the admin API creates, changes and deletes in bulk and that are part of the ruleset (admin-api.md A1). */
public enum ObjectKind {

    ATTRIBUTE("Attribute", "/attributes"), METRIC("Metric", "/metrics"), POINTS_SYSTEM("Points system",
            "/points"), LEVEL("Level", "/points/{systemId}/levels"), BOOST("Boost",
                    "/points/{systemId}/boosts"), TRIGGER("Trigger", "/points/{systemId}/triggers"), LEADERBOARD(
                            "Leaderboard", "/leaderboards"), ACHIEVEMENT("Achievement", "/achievements"), WEBHOOK(
                                    "Webhook", "/webhooks"), TEMPLATE("Template", "/notifications/templates");

    private final String label;
    private final String path;

    ObjectKind(String label, String path) {
        this.label = label;
        this.path = path;
    }

    /** As messages name it. */
    public String label() {
        return label;
    }

    /** Below {@code /admin/v1}; with {@code {systemId}} where the objects belong to a points system. */
    public String path() {
        return path;
    }

    public boolean hasParent() {
        return path.contains("{systemId}");
    }
}
