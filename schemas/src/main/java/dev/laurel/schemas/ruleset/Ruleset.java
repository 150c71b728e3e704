package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a tenant, as one immutable document per version. Lists are in ruleset order, the order in which rules
 * are applied.
 *
 * <p>Each object has a number, which {@link RulesetEditor} assigns once and never to another object of the tenant. User state
 * refers to objects by their numbers, because it is written per event: a number takes one or two bytes, an id sixteen.
 *
 * @param version 1, 2, …; 0 is {@link #empty}
 * @param published time at which the version came into force; timers due before then fire under the former version
 * @param nextNumber number of the next new object
 * @param retired identities of the objects that were removed last, at most 5,000, in the order in which they were removed
 * @param author who made the version; null: not known, as for versions from before authors were recorded
 * @param alikeSince the first of the versions up to this one that are all the same to users who are migrated from one to another
 *            (docs/rulesets.md "Users who return"); null: not known
 */
public record Ruleset(
        TenantId tenant,
        long version,
        Instant published,
        int nextNumber,
        List<Metric> metrics,
        List<Attribute> attributes,
        List<Achievement> achievements,
        StreakSettings streak,
        List<PointsSystem> pointsSystems,
        List<Leaderboard> leaderboards,
        Settings settings,
        List<Webhook> webhooks,
        Notifications notifications,
        List<ObjectIdentity> retired,
        @Nullable Author author,
        @Nullable Long alikeSince) {

    public Ruleset {
        // Older documents lack some of these components.
        published = published == null ? Instant.EPOCH : published;
        metrics = List.copyOf(metrics);
        attributes = List.copyOf(attributes);
        achievements = List.copyOf(achievements);
        pointsSystems = List.copyOf(pointsSystems);
        leaderboards = Records.listOf(leaderboards);
        webhooks = Records.listOf(webhooks);
        notifications = notifications == null ? Notifications.NONE : notifications;
        retired = List.copyOf(retired);
    }

    /** The ruleset of a tenant before its first version: without metrics, so every event is refused. */
    public static Ruleset empty(TenantId tenant) {
        return new Ruleset(
                tenant,
                0,
                Instant.EPOCH,
                1,
                List.of(),
                List.of(),
                List.of(),
                StreakSettings.DEFAULT,
                List.of(),
                List.of(),
                Settings.DEFAULT,
                List.of(),
                Notifications.NONE,
                List.of(),
                null,
                null);
    }

    /** These rules as another version. */
    public Ruleset as(Ruleset other) {
        return Records.with(
                this,
                "version",
                other.version,
                "published",
                other.published,
                "author",
                other.author,
                "alikeSince",
                other.alikeSince);
    }

    /** This version with its author. */
    public Ruleset by(@Nullable Author other) {
        return Records.with(this, "author", other);
    }

    /** This version, of which it is known since when all versions are alike. */
    public Ruleset alikeSince(@Nullable Long first) {
        return Records.with(this, "alikeSince", first);
    }

    /**
     * The key of {@code laurel.rulesets}. Each version has a key of its own, so compaction keeps all versions that are not deleted.
     * Version 0 is the index of the versions of the tenant in {@code laurel.ruleset-archive}.
     */
    public record RulesetKey(TenantId tenant, long version) {}

    /**
     * The identity of an object of a ruleset. The identities of removed objects are kept, but for those that were removed long
     * before (docs/rulesets.md "Removed objects"): users keep their data under the number, and an object that returns with the same kind
     * and key continues with these data.
     */
    public record ObjectIdentity(String kind, String key, int number, UUID id, Instant created) {

        /** The components of a document that hold the identity. */
        public Map<String, Object> components() {
            return components(key);
        }

        /** The components of an object of a points system. @param own its key in the points system */
        public Map<String, Object> components(String own) {
            return Map.of("key", own, "number", number, "id", id, "created", created);
        }

        /**
         * The origin of an object of a {@link RulesetSource} whose key does not identify it. Without an origin, an object is identical
         * to the former object of the same kind and key.
         */
        public sealed interface Origin {

            /** A new object, even if a removed object had its key. */
            record Fresh(String kind, String key) implements Origin {}

            /** The object whose key was {@code from}. */
            record Renamed(String kind, String from, String to) implements Origin {}

            /** An object of an earlier version, identified by its id, even if another object has had its key since. */
            record Earlier(ObjectIdentity object) implements Origin {}
        }
    }
}
