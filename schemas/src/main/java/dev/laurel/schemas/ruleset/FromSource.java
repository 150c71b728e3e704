package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.BoundsSource;
import dev.laurel.schemas.ruleset.RulesetSource.BrandingSource;
import dev.laurel.schemas.ruleset.RulesetSource.LeaderboardSource;
import dev.laurel.schemas.ruleset.RulesetSource.RateLimitsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What the words of a {@link RulesetSource} mean in a document, defaults filled in; {@link RulesetExport} is the way back.
 * Only for sources in which {@link RulesetValidator} found nothing wrong. Pure.
 */
final class FromSource {

    private FromSource() {}

    /** What completes the achievement; its sum has no number yet. */
    static AchievementTrigger trigger(AchievementSource source) {
        return switch (source.trigger()) {
            case "metric" -> new AchievementTrigger.MetricTotal(source.metric(), Amounts.canonical(source.value()),
                    filters(source.eventAttributes()), 0);
            case "streak" -> new AchievementTrigger.StreakLength(source.streakLength());
            case "api" -> new AchievementTrigger.Api();
            case "achievement" -> new AchievementTrigger.Composite(source.achievements());
            default -> throw new IllegalArgumentException("no trigger of an achievement: " + source.trigger());
        };
    }

    static TriggerRule rule(TriggerSource source) {
        return switch (source.type()) {
            case "metric" -> new TriggerRule.MetricThreshold(source.metric(), source.threshold(),
                    filters(source.eventAttributes()), or(source.blockIfOutOfPoints(), false));
            case "achievement" -> new TriggerRule.AchievementCompletion(source.achievement());
            case "streak" -> new TriggerRule.StreakReached(source.streakLength());
            case "time" -> new TriggerRule.TimeInterval(constant(TriggerRule.IntervalUnit.class, source.timeUnit()),
                    source.timeInterval());
            case "user_creation" -> new TriggerRule.UserCreation();
            default -> throw new IllegalArgumentException("no type of a points trigger: " + source.type());
        };
    }

    static List<AttributeFilter> filters(Map<String, String> values) {
        return values.entrySet().stream().map(e -> new AttributeFilter(e.getKey(), e.getValue())).toList();
    }

    static StreakSettings streak(StreakSource source) {
        if (source == null) {
            return StreakSettings.DEFAULT;
        }
        var conditions = new ArrayList<StreakSettings.Condition>();
        source.metrics().forEach((key, threshold) -> conditions
                .add(new StreakSettings.Condition(key, Amounts.canonical(threshold))));
        String mode = or(source.evaluationMode(), "OR");
        return new StreakSettings(or(source.enabled(), true),
                constant(StreakFrequency.class, or(source.frequency(), "daily")),
                constant(StreakSettings.EvaluationMode.class, mode.equals("ALL") ? "AND" : mode), conditions,
                or(source.freezesEnabled(), false) ? freezes(source) : null,
                or(source.personalizationEnabled(), false) ? personalization(source) : null,
                unless(StreakSettings.Freezes.USUAL, freezes(source)),
                unless(StreakSettings.Personalization.USUAL, personalization(source)));
    }

    private static <T> T unless(T usual, T value) {
        return usual.equals(value) ? null : value;
    }

    private static StreakSettings.Freezes freezes(StreakSource source) {
        int max = or(source.maxFreezes(), StreakSettings.Freezes.USUAL.max());
        return new StreakSettings.Freezes(Math.min(or(source.initialFreezes(), 0), max), max,
                or(source.freezeAutoEarnInterval(), 0), or(source.freezeAutoEarnAmount(), 0));
    }

    private static StreakSettings.Personalization personalization(StreakSource source) {
        var bounds = new ArrayList<StreakSettings.Bounds>();
        source.personalizationMetrics().forEach((key, b) -> bounds.add(bounds(key, b)));
        return new StreakSettings.Personalization(bounds);
    }

    private static StreakSettings.Bounds bounds(String metric, BoundsSource source) {
        return new StreakSettings.Bounds(metric, canonical(source.min()), canonical(source.max()));
    }

    private static BigDecimal canonical(BigDecimal value) {
        return value == null ? null : Amounts.canonical(value);
    }

    static RankBy rankBy(LeaderboardSource source) {
        return switch (source.rankBy()) {
            case "metric" -> new RankBy.MetricTotal(source.metric());
            case "points" -> new RankBy.PointsTotal(source.pointsSystem());
            case "streak" -> new RankBy.StreakLength();
            default -> throw new IllegalArgumentException("nothing to rank by: " + source.rankBy());
        };
    }

    /** Null if the leaderboard never starts anew. */
    static RunLength runs(LeaderboardSource source) {
        return source.runUnit() == null
                ? null
                : new RunLength(constant(RunLength.RunUnit.class, source.runUnit()), source.runInterval());
    }

    /** Null if there is none. */
    static LocalDate date(String text) {
        return text == null ? null : LocalDate.parse(text);
    }

    /** Null if there is none. */
    static LocalTime time(String text) {
        return text == null ? null : LocalTime.parse(text);
    }

    static Settings settings(SettingsSource source) {
        if (source == null) {
            return Settings.DEFAULT;
        }
        return new Settings(or(source.controlRatio(), 0),
                source.defaultTimeZone() == null
                        ? Settings.DEFAULT.defaultTimeZone()
                        : ZoneId.of(source.defaultTimeZone()),
                constant(DayOfWeek.class, or(source.weekStartsOn(), "sunday")),
                or(source.integerLeaderboardValues(), false),
                source.messageTimeZone() == null ? null : ZoneId.of(source.messageTimeZone()),
                source.applicationKeysEnabled(), rateLimits(source.rateLimits()), branding(source.branding()));
    }

    private static Settings.RateLimits rateLimits(RateLimitsSource source) {
        return source == null ? null : new Settings.RateLimits(source.tier1(), source.tier2());
    }

    private static Settings.Branding branding(BrandingSource source) {
        return source == null
                ? Settings.Branding.NONE
                : new Settings.Branding(source.appName(), source.appUrl(), source.logoUrl(), source.brandColor(),
                        source.font());
    }

    static <T extends Enum<T>> T constant(Class<T> type, String name) {
        return Enum.valueOf(type, name.toUpperCase(Locale.ROOT));
    }

    static <T> T or(T given, T otherwise) {
        return Objects.requireNonNullElse(given, otherwise);
    }
}
