package dev.laurel.schemas.edit;

import java.util.List;

/** The kinds of settings of which the admin API has exactly one object each (docs/admin-api.md B2 to B4). */
public enum SettingsKind {

    ACCOUNT("/settings", "settings"), //
    STREAK("/streaks/settings", "streak"), //
    NOTIFICATIONS("/notifications/settings", "notifications", "settings"), //
    CHANNELS("/notifications/channels", "notifications", "channels");

    private final String path;
    private final List<String> section;

    SettingsKind(String path, String... section) {
        this.path = path;
        this.section = List.of(section);
    }

    /** The path below {@code /admin/v1}. */
    public String path() {
        return path;
    }

    /** The path of field names to the settings in a ruleset file. */
    public List<String> section() {
        return section;
    }
}
