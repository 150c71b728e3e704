package dev.laurel.gateway;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Attribute.AttributeType;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Notifications.Sender;
import dev.laurel.schemas.ruleset.Notifications.Timing;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Rulesets that a test sets. {@link #await} finds only the newest version and never waits. */
public final class FixedRulesets implements Rulesets {

    /** Whether published versions arrive. */
    public volatile boolean isFollowed = true;

    /** Metric {@code laps-swum}, user attributes {@code city} and {@code plan}, event attribute {@code pool}. */
    public static final Ruleset SWIMMING =
            ruleset(1, List.of(new Metric(1, new UUID(7, 1), "laps-swum", "Laps", "number", "laps", Instant.EPOCH)));

    /** The same with freezes and the points system {@code gems} (id 7-5), which has a boost (id 7-6). */
    public static final Ruleset WITH_GEMS = withGems();

    /** The same with an active webhook (id 8-1), an inactive one (id 8-2), and a template (id 9-1). */
    public static final Ruleset WITH_WEBHOOKS = withWebhooks();

    private volatile Ruleset newest;

    /** A version that arrives with the next wait; null if there is none. */
    private volatile Ruleset arriving;

    private final AtomicInteger waits = new AtomicInteger();

    public FixedRulesets(Ruleset newest) {
        this.newest = newest;
    }

    public static Ruleset ruleset(long version, List<Metric> metrics) {
        return new Ruleset(
                TenantId.NONE,
                version,
                Instant.EPOCH,
                10,
                metrics,
                List.of(
                        new Attribute(2, new UUID(7, 2), "city", "City", AttributeType.USER, false),
                        new Attribute(3, new UUID(7, 3), "plan", "Plan", AttributeType.USER, false),
                        new Attribute(4, new UUID(7, 4), "pool", "Pool", AttributeType.EVENT, false)),
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

    private static Ruleset withGems() {
        var boost = new Boost(
                6,
                new UUID(7, 6),
                "spring",
                "Spring",
                LocalDate.EPOCH,
                null,
                BigDecimal.TWO,
                Rounding.DOWN,
                List.of(),
                Instant.EPOCH);
        var gems = new PointsSystem(
                5, new UUID(7, 5), "gems", "Gems", null, null, null, null, List.of(), List.of(boost), List.of());
        var streak = new StreakSettings(
                true,
                StreakFrequency.DAILY,
                EvaluationMode.OR,
                List.of(),
                new StreakSettings.Freezes(0, 2, 0, 0),
                null,
                null,
                null,
                List.of());
        return new Ruleset(
                TenantId.NONE,
                2,
                Instant.EPOCH,
                10,
                SWIMMING.metrics(),
                SWIMMING.attributes(),
                List.of(),
                streak,
                List.of(gems),
                List.of(),
                Settings.DEFAULT,
                List.of(),
                Notifications.NONE,
                List.of(),
                null,
                null);
    }

    private static Ruleset withWebhooks() {
        var webhooks = Stream.of(1, 2)
                .map(number -> new Webhook(
                        number,
                        new UUID(8, number),
                        "hook-" + number,
                        "Hook",
                        null,
                        "https://example.net/" + number,
                        List.of(WebhookEvent.STREAK_LOST),
                        number == 1,
                        Instant.EPOCH,
                        Instant.EPOCH))
                .toList();
        var recap = new Template(
                3,
                new UUID(9, 1),
                "recap",
                NotificationType.RECAP,
                NotificationChannel.EMAIL,
                "Recap",
                new Template.Text("Your week", "Hello"),
                false,
                List.of(),
                List.of(),
                Instant.EPOCH,
                Instant.EPOCH);
        return new Ruleset(
                TenantId.NONE,
                3,
                Instant.EPOCH,
                10,
                SWIMMING.metrics(),
                SWIMMING.attributes(),
                List.of(),
                StreakSettings.DEFAULT,
                List.of(),
                List.of(),
                Settings.DEFAULT,
                webhooks,
                new Notifications(List.of(recap), Timing.DEFAULT, Sender.NONE),
                List.of(),
                null,
                null);
    }

    public void publish(Ruleset ruleset) {
        newest = ruleset;
    }

    public void publishElsewhere(Ruleset ruleset) {
        arriving = ruleset;
    }

    /** The number of waits for the newest version. */
    public int waits() {
        return waits.get();
    }

    @Override
    public Ruleset newest(TenantId tenant) {
        return newest;
    }

    @Override
    public Ruleset version(TenantId tenant, long version) {
        return newest.version() == version ? newest : null;
    }

    @Override
    public boolean awaitNewest(Duration timeout) {
        waits.incrementAndGet();
        if (isFollowed && arriving != null) {
            newest = arriving;
        }
        return isFollowed;
    }

    @Override
    public Ruleset await(TenantId tenant, long version, Duration timeout) {
        if (newest.version() < version) {
            throw new IllegalStateException("version " + version + " did not arrive");
        }
        return newest;
    }
}
