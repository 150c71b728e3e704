package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.key.TenantId;
import java.time.Instant;
import java.util.List;

/**
 * Everything that decides what an event does and who is told of it, as one immutable document per tenant and version. Lists
 * are in ruleset order, the order in which rules are applied.
 *
 * <p>Each object has a number, given once by {@link RulesetEditor} and never to another object of the tenant. User state
 * refers to objects by it: that is a byte or two where an id would be sixteen, in a state that is written per event.
 *
 * @param version 1, 2, …; 0 is {@link #empty}
 * @param published when it came into force: timers that were due before fire under the version before
 * @param nextNumber the number the next new object gets
 */
public record Ruleset(TenantId tenant, long version, Instant published, int nextNumber, List<Metric> metrics,
        List<Attribute> attributes,
        List<Achievement> achievements, StreakSettings streak, List<PointsSystem> pointsSystems,
        List<Leaderboard> leaderboards, Settings settings, List<Webhook> webhooks, Notifications notifications,
        List<ObjectIdentity> retired) {

    public Ruleset {
        // Documents of the time before this was written.
        published = published == null ? Instant.EPOCH : published;
        metrics = List.copyOf(metrics);
        attributes = List.copyOf(attributes);
        achievements = List.copyOf(achievements);
        pointsSystems = List.copyOf(pointsSystems);
        // What there was not yet in the time of a document, it has not.
        leaderboards = leaderboards == null ? List.of() : List.copyOf(leaderboards);
        webhooks = webhooks == null ? List.of() : List.copyOf(webhooks);
        notifications = notifications == null ? Notifications.NONE : notifications;
        retired = List.copyOf(retired);
    }

    /** What a tenant has before its first ruleset: no metrics, so every event is refused. */
    public static Ruleset empty(TenantId tenant) {
        return new Ruleset(tenant, 0, Instant.EPOCH, 1, List.of(), List.of(), List.of(), StreakSettings.DEFAULT,
                List.of(), List.of(), Settings.DEFAULT, List.of(), Notifications.NONE, List.of());
    }

    /** The same rules under another version's number and time. */
    Ruleset as(long otherVersion, Instant otherPublished) {
        return new Ruleset(tenant, otherVersion, otherPublished, nextNumber, metrics, attributes, achievements, streak,
                pointsSystems, leaderboards, settings, webhooks, notifications, retired);
    }
}
