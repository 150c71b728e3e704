package dev.laurel.schemas.edit;

import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code laurel.ruleset-edits}: a request to change the configuration. A single writer processes the edits
 * in order and checks each against the newest state. An edit contains the ids of the objects that it creates.
 *
 * <p>Items are JSON values as the client sent them: {@code String}, {@code BigDecimal} or another {@code Number},
 * {@code Boolean}, {@code List}, {@code Map}, null. {@code RequestFields} reads them.
 */
public sealed interface Edit {

    /** An edit of one tenant's ruleset. */
    sealed interface OfRuleset extends Edit {}

    /**
     * Replaces the whole ruleset by {@code source}; has no effect if they are equal.
     *
     * @param baseVersion the edit is refused unless this is the newest version; null if the version does not matter
     */
    record Replace(RulesetSource source, @Nullable Long baseVersion) implements OfRuleset {}

    /** An edit of objects of one kind, in bulk. */
    sealed interface OfObjects extends OfRuleset {

        ObjectKind kind();

        /** Id of the points system that the objects belong to; null for kinds without a parent. */
        @Nullable
        UUID parent();
    }

    /** Adds objects. */
    record Create(ObjectKind kind, @Nullable UUID parent, List<NewItem> items) implements OfObjects {}

    /** @param fields the fields of the object; a value that is not a JSON object is reported as an issue */
    record NewItem(UUID id, @Nullable Object fields) {}

    /** Changes objects, each named by the {@code id} in its item. */
    record Update(ObjectKind kind, @Nullable UUID parent, List<Object> items) implements OfObjects {}

    /**
     * Deletes objects.
     * @param ids ids as the client sent them
     */
    record Delete(ObjectKind kind, @Nullable UUID parent, List<String> ids) implements OfObjects {}

    /**
     * Restores the contents of an earlier version, as far as the rules for edits allow.
     *
     * @param to the version to restore
     * @param baseVersion see {@link Replace}
     */
    record Rollback(Ruleset to, @Nullable Long baseVersion) implements OfRuleset {}

    /** Merges fields into one of the singletons. */
    record Patch(SettingsKind kind, Map<String, Object> fields) implements OfRuleset {

        /** Omits the fields, some of which are secret, because the text may be logged. */
        @Override
        public String toString() {
            return "Patch[" + kind + "]";
        }
    }

    /** Replaces the secret of a webhook; the former secret is no longer used for signing. */
    record RotateSecret(UUID webhook) implements OfRuleset {}

    /**
     * A request to change keys or tenants. The gateway that generates a key puts the key's id and hash into the edit;
     * the key itself is never written to Kafka. {@code AccessEditor} applies these edits.
     */
    sealed interface AccessEdit extends Edit {

        /** An edit that concerns the whole instance, not one tenant. */
        sealed interface OfInstance extends AccessEdit {}

        /**
         * @param hash hash of the whole key
         * @param fields the fields of the key as the client sent them; a value that is not a JSON object is reported as
         *         an issue
         */
        record NewKey(
                UUID id,
                String prefix,
                String hash,
                @Nullable Object fields) {}

        record CreateAdminKeys(List<NewKey> items) implements OfInstance {}

        /** Changes keys, each named by the {@code id} in its item. */
        record UpdateAdminKeys(List<Object> items) implements OfInstance {}

        /** Replaces the prefix and the secret of a key. */
        record RotateAdminKey(UUID id, String prefix, String hash) implements OfInstance {}

        /** @param ids ids as the client sent them */
        record DeleteAdminKeys(List<String> ids) implements OfInstance {}

        /**
         * Registers the key with which a process was started as an admin key, unless it has been registered before.
         */
        record RegisterStartKey(String prefix, String hash) implements OfInstance {}

        /**
         * Deletes stored keys of the edit's tenant, and revokes signed ones.
         * @param ids ids as the client sent them
         */
        record DeleteApplicationKeys(List<String> ids) implements AccessEdit {}

        record CreateTenants(List<NewItem> items) implements OfInstance {}

        /** Changes tenants, each named by the {@code id} in its item. */
        record UpdateTenants(List<Object> items) implements OfInstance {}

        /**
         * Archives tenants.
         * @param ids ids as the client sent them
         */
        record DeleteTenants(List<String> ids) implements OfInstance {}

        /** @param firstTenant fields of the tenant that gets the data without a tenant, as the client sent them; null: none */
        record SetMultiTenancy(boolean enabled, @Nullable Object firstTenant) implements OfInstance {

            public SetMultiTenancy(boolean enabled) {
                this(enabled, null);
            }
        }
    }

    /** The kinds of ruleset objects that the admin API creates, changes and deletes in bulk (docs/admin-api.md A1). */
    enum ObjectKind {
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

    /** The kinds of settings of which the admin API has exactly one object each (docs/admin-api.md B2 to B4). */
    enum SettingsKind {
        ACCOUNT("/settings", Settings.KIND, "settings"), //
        STREAK("/streaks/settings", StreakSettings.KIND, "streak"), //
        NOTIFICATIONS("/notifications/settings", Notifications.Timing.KIND, "notifications", "settings"), //
        /** The description is that of its part {@code email}; the others are secrets. */
        CHANNELS("/notifications/channels", Notifications.Sender.KIND, "notifications", "channels");

        private final String path;
        private final Kind<?> description;
        private final List<String> section;

        SettingsKind(String path, Kind<?> description, String... section) {
            this.path = path;
            this.description = description;
            this.section = List.of(section);
        }

        public Kind<?> description() {
            return description;
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

    /**
     * The result of an {@link Edit}.
     *
     * @param ruleset the next version, to be published; null if nothing changes
     * @param access records to be written to {@code laurel.access} together with it, by key and in this order; null: delete
     * @param status status of the answer
     * @param body body of the answer, to be written as JSON
     */
    record EditResult(@Nullable Ruleset ruleset, Map<String, @Nullable AccessRecord> access, int status, Object body) {

        public EditResult {
            access = Collections.unmodifiableMap(new LinkedHashMap<>(access));
        }

        public static EditResult answer(int status, Object body) {
            return new EditResult(null, Map.of(), status, body);
        }
    }
}
