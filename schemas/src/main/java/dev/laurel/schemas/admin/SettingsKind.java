package dev.laurel.schemas.admin;

/** The singletons of the admin API (admin-api.md B2 to B4). */
public enum SettingsKind {

    ACCOUNT("/settings"), STREAK("/streaks/settings"), NOTIFICATIONS("/notifications/settings"), CHANNELS(
            "/notifications/channels");

    private final String path;

    SettingsKind(String path) {
        this.path = path;
    }

    /** Below {@code /admin/v1}. */
    public String path() {
        return path;
    }
}
