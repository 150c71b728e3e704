package dev.laurel.schemas.ruleset;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The human form of a ruleset: the content of {@code laurel.yaml}. Objects are entries of maps, named by their keys and
 * ordered as written. What is left out (null here) has the default of the JSON Schema {@code laurel-ruleset.schema.json}.
 * Nothing is checked here, {@link RulesetEditor} does that.
 */
public record RulesetSource(Map<String, MetricSource> metrics, AttributesSource attributes,
        Map<String, AchievementSource> achievements, Map<String, PointsSource> points, StreakSource streak,
        Map<String, LeaderboardSource> leaderboards, SettingsSource settings, Map<String, WebhookSource> webhooks,
        NotificationsSource notifications) {

    /** Says nothing. */
    public static final RulesetSource EMPTY = new RulesetSource(null, null, null, null, null, null, null, null, null);

    public RulesetSource {
        metrics = ordered(metrics);
        attributes = attributes == null ? new AttributesSource(null, null) : attributes;
        achievements = ordered(achievements);
        points = ordered(points);
        leaderboards = ordered(leaderboards);
        webhooks = ordered(webhooks);
        notifications = notifications == null ? new NotificationsSource(null, null, null) : notifications;
    }

    public record MetricSource(UUID id, String name, String unitType, String units) {}

    /** Attributes by key, apart by what they describe. */
    public record AttributesSource(Map<String, AttributeSource> user, Map<String, AttributeSource> event) {

        public AttributesSource {
            user = ordered(user);
            event = ordered(event);
        }
    }

    public record AttributeSource(UUID id, String name) {}

    /**
     * @param trigger what completes it; which of the fields after {@code status} it needs depends on that
     * @param achievements keys of the prerequisites
     * @param userAttributes asked-for values by attribute key, as are {@code eventAttributes}
     */
    public record AchievementSource(UUID id, String name, String description, String badgeUrl, String trigger,
            String status, String metric, BigDecimal value, Integer streakLength, List<String> achievements,
            Map<String, String> userAttributes, Map<String, String> eventAttributes, Boolean backdate) {

        public AchievementSource {
            achievements = listed(achievements);
            userAttributes = ordered(userAttributes);
            eventAttributes = ordered(eventAttributes);
        }
    }

    public record PointsSource(UUID id, String name, String description, String badgeUrl, Long maxPoints,
            String levelAt, Map<String, LevelSource> levels, Map<String, BoostSource> boosts,
            Map<String, TriggerSource> triggers) {

        public PointsSource {
            levels = ordered(levels);
            boosts = ordered(boosts);
            triggers = ordered(triggers);
        }

        public PointsSource withLevels(Map<String, LevelSource> others) {
            return new PointsSource(id, name, description, badgeUrl, maxPoints, levelAt, others, boosts, triggers);
        }

        public PointsSource withBoosts(Map<String, BoostSource> others) {
            return new PointsSource(id, name, description, badgeUrl, maxPoints, levelAt, levels, others, triggers);
        }

        public PointsSource withTriggers(Map<String, TriggerSource> others) {
            return new PointsSource(id, name, description, badgeUrl, maxPoints, levelAt, levels, boosts, others);
        }
    }

    public record LevelSource(UUID id, String name, String description, String badgeUrl, Long points) {}

    /** @param start a date such as {@code 2026-03-04}, as is {@code end} */
    public record BoostSource(UUID id, String name, String start, String end, BigDecimal multiplier, String rounding,
            Map<String, String> userAttributes) {

        public BoostSource {
            userAttributes = ordered(userAttributes);
        }
    }

    /**
     * @param type when it pays; which of the fields from {@code metric} to {@code timeInterval} it needs depends on that
     * @param achievement key of the achievement whose completion pays
     */
    public record TriggerSource(UUID id, String type, String status, String metric, Long threshold,
            Map<String, String> eventAttributes, Boolean blockIfOutOfPoints, String achievement, Integer streakLength,
            String timeUnit, Integer timeInterval, Long points, Map<String, String> userAttributes) {

        public TriggerSource {
            eventAttributes = ordered(eventAttributes);
            userAttributes = ordered(userAttributes);
        }
    }

    /**
     * @param metrics thresholds by metric key
     * @param freezeAutoEarnInterval in days
     * @param personalizationMetrics bounds by metric key
     */
    public record StreakSource(Boolean enabled, String frequency, String evaluationMode,
            Map<String, BigDecimal> metrics, Boolean freezesEnabled, Integer initialFreezes, Integer maxFreezes,
            Integer freezeAutoEarnInterval, Integer freezeAutoEarnAmount, Boolean personalizationEnabled,
            Map<String, BoundsSource> personalizationMetrics) {

        public StreakSource {
            metrics = ordered(metrics);
            personalizationMetrics = ordered(personalizationMetrics);
        }
    }

    public record BoundsSource(BigDecimal min, BigDecimal max) {}

    /**
     * @param rankBy what is compared; whether {@code metric} or {@code pointsSystem}, a key, is needed depends on that
     * @param start a date such as {@code 2026-03-04}, as is {@code end}
     * @param startTime a time of day such as {@code 09:30}, as is {@code endTime}
     * @param breakdownAttributes keys of user attributes
     */
    public record LeaderboardSource(UUID id, String name, String description, String status, String rankBy,
            String metric, String pointsSystem, Integer maxParticipants, String start, String end, String startTime,
            String endTime, List<String> breakdownAttributes, String runUnit, Integer runInterval) {

        public LeaderboardSource {
            breakdownAttributes = listed(breakdownAttributes);
        }
    }

    public record SettingsSource(Integer controlRatio, String defaultTimeZone, String weekStartsOn,
            Boolean integerLeaderboardValues, String messageTimeZone, Boolean applicationKeysEnabled,
            RateLimitsSource rateLimits, BrandingSource branding) {}

    /** Requests per second. */
    public record RateLimitsSource(Integer tier1, Integer tier2) {}

    public record BrandingSource(String appName, String appUrl, String logoUrl, String brandColor, String font) {}

    /** @param events what it is told of, such as {@code streak.lost} */
    public record WebhookSource(UUID id, String name, String url, List<String> events, String status) {

        public WebhookSource {
            events = listed(events);
        }
    }

    public record NotificationsSource(Map<String, TemplateSource> templates, TimingSource settings,
            ChannelsSource channels) {

        public NotificationsSource {
            templates = ordered(templates);
        }
    }

    /**
     * @param subject of an email, as is {@code title} of a push message
     * @param userAttributes asked-for values by attribute key
     */
    public record TemplateSource(UUID id, String name, String type, String channel, String status, String subject,
            String title, String body, Map<String, String> userAttributes, List<TextSource> variations) {

        public TemplateSource {
            userAttributes = ordered(userAttributes);
            variations = listed(variations);
        }
    }

    public record TextSource(String subject, String title, String body) {}

    /** @param enabled whether messages go out, by their type */
    public record TimingSource(String recapPeriod, List<Integer> reactivationDays, StreakReminderSource streakReminder,
            WindowSource achievementWindow, Map<String, Boolean> enabled) {

        public TimingSource {
            reactivationDays = listed(reactivationDays);
            enabled = ordered(enabled);
        }
    }

    /** @param weeklyTime a time of day such as {@code 09:00}, as is {@code monthlyTime} */
    public record StreakReminderSource(Integer dailyHoursBefore, String weeklyDay, String weeklyTime,
            Integer monthlyDay, String monthlyTime) {}

    /** Times of day such as {@code 17:00}. */
    public record WindowSource(String from, String to) {}

    public record ChannelsSource(EmailSource email) {}

    public record EmailSource(String from, String fromName, String replyTo) {}

    private static <V> Map<String, V> ordered(Map<String, V> entries) {
        return entries == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(entries));
    }

    /** Null items stay: they are for the validator to name. */
    private static <V> List<V> listed(List<V> items) {
        return items == null ? null : Collections.unmodifiableList(new ArrayList<>(items));
    }
}
