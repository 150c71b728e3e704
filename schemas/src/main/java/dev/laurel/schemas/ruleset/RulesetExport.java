package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributeSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributesSource;
import dev.laurel.schemas.ruleset.RulesetSource.BoostSource;
import dev.laurel.schemas.ruleset.RulesetSource.BoundsSource;
import dev.laurel.schemas.ruleset.RulesetSource.BrandingSource;
import dev.laurel.schemas.ruleset.RulesetSource.LeaderboardSource;
import dev.laurel.schemas.ruleset.RulesetSource.LevelSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.RateLimitsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import dev.laurel.schemas.ruleset.RulesetSource.WebhookSource;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import static dev.laurel.schemas.ruleset.IssueList.word;

/**
 * The way back from a ruleset to its human form. Applying what it gives to the ruleset it came from changes nothing. What
 * equals its default is left out, ids are kept: applied elsewhere, the objects are the same ones. Pure.
 */
public final class RulesetExport {

    private RulesetExport() {}

    /** @param now what has started until then is exported as what it is */
    public static RulesetSource sourceOf(Ruleset ruleset, Instant now) {
        var metrics = new LinkedHashMap<String, MetricSource>();
        ruleset.metrics().forEach(m -> metrics.put(m.key(), metric(m)));
        var achievements = new LinkedHashMap<String, AchievementSource>();
        ruleset.achievements().forEach(a -> achievements.put(a.key(), achievement(a)));
        var points = new LinkedHashMap<String, PointsSource>();
        ruleset.pointsSystems().forEach(p -> points.put(p.key(), pointsSystem(p)));
        var leaderboards = new LinkedHashMap<String, LeaderboardSource>();
        ruleset.leaderboards().forEach(l -> leaderboards.put(l.key(), leaderboard(l, now)));
        var webhooks = new LinkedHashMap<String, WebhookSource>();
        ruleset.webhooks().forEach(w -> webhooks.put(w.key(), MessageExport.webhook(w)));
        var attributes = new AttributesSource(attributes(ruleset, AttributeType.USER),
                attributes(ruleset, AttributeType.EVENT));
        return new RulesetSource(metrics, attributes, achievements, points, streak(ruleset.streak()),
                leaderboards, settings(ruleset.settings()), webhooks,
                MessageExport.notifications(ruleset.notifications()));
    }

    private static MetricSource metric(Metric metric) {
        return new MetricSource(metric.id(), unless(metric.key(), metric.name()), unless("number", metric.unitType()),
                unless("", metric.units()));
    }

    private static Map<String, AttributeSource> attributes(Ruleset ruleset, AttributeType type) {
        var attributes = new LinkedHashMap<String, AttributeSource>();
        ruleset.attributes().stream().filter(a -> a.type() == type)
                .forEach(a -> attributes.put(a.key(), new AttributeSource(a.id(), unless(a.key(), a.name()))));
        return attributes;
    }

    private static AchievementSource achievement(Achievement achievement) {
        UUID id = achievement.id();
        String name = unless(achievement.key(), achievement.name());
        String text = achievement.description();
        String badge = achievement.badgeUrl();
        String kind = kindOf(achievement.trigger());
        String status = unless("active", word(achievement.status()));
        Map<String, String> users = values(achievement.userAttributes());
        Boolean backdate = unless(true, achievement.backdate());
        return switch (achievement.trigger()) {
            case AchievementTrigger.MetricTotal(String metric, BigDecimal value, var events, int _) ->
                new AchievementSource(id, name, text, badge, kind, status, metric, value, null, null, users,
                        values(events), backdate);
            case AchievementTrigger.StreakLength(int length) -> new AchievementSource(id, name, text, badge, kind,
                    status, null, null, length, null, users, null, backdate);
            case AchievementTrigger.Api() -> new AchievementSource(id, name, text, badge, kind, status, null, null,
                    null, null, users, null, backdate);
            case AchievementTrigger.Composite(List<String> keys) -> new AchievementSource(id, name, text, badge, kind,
                    status, null, null, null, keys, users, null, backdate);
        };
    }

    /** The word for a trigger's kind in the human form. */
    static String kindOf(AchievementTrigger trigger) {
        return switch (trigger) {
            case AchievementTrigger.MetricTotal _ -> "metric";
            case AchievementTrigger.StreakLength _ -> "streak";
            case AchievementTrigger.Api _ -> "api";
            case AchievementTrigger.Composite _ -> "achievement";
        };
    }

    private static PointsSource pointsSystem(PointsSystem system) {
        var levels = new LinkedHashMap<String, LevelSource>();
        system.levels().forEach(l -> levels.put(l.key(), level(l)));
        var boosts = new LinkedHashMap<String, BoostSource>();
        system.boosts().forEach(b -> boosts.put(b.key(), boost(b)));
        var triggers = new LinkedHashMap<String, TriggerSource>();
        system.triggers().forEach(t -> triggers.put(t.key(), trigger(t)));
        return new PointsSource(system.id(), unless(system.key(), system.name()), system.description(),
                system.badgeUrl(), system.maxPoints(), unless("exceeds", word(system.levelAt())), levels, boosts,
                triggers);
    }

    private static LevelSource level(Level level) {
        return new LevelSource(level.id(), unless(level.key(), level.name()), unless("", level.description()),
                level.badgeUrl(), level.points());
    }

    private static BoostSource boost(Boost boost) {
        return new BoostSource(boost.id(), unless(boost.key(), boost.name()), boost.start().toString(),
                boost.end() == null ? null : boost.end().toString(), boost.multiplier(),
                unless("down", word(boost.rounding())), values(boost.userAttributes()));
    }

    private static TriggerSource trigger(PointsTrigger trigger) {
        UUID id = trigger.id();
        String status = unless("active", word(trigger.status()));
        long points = trigger.points();
        Map<String, String> users = values(trigger.userAttributes());
        return switch (trigger.rule()) {
            case TriggerRule.MetricThreshold(String metric, long threshold, var events, boolean isBlocking) ->
                new TriggerSource(id, "metric", status, metric, threshold, values(events), unless(false, isBlocking),
                        null, null, null, null, points, users);
            case TriggerRule.AchievementCompletion(String key) -> new TriggerSource(id, "achievement", status, null,
                    null, null, null, key, null, null, null, points, users);
            case TriggerRule.StreakReached(int length) -> new TriggerSource(id, "streak", status, null, null, null,
                    null, null, length, null, null, points, users);
            case TriggerRule.TimeInterval(var unit, int interval) -> new TriggerSource(id, "time", status, null, null,
                    null, null, null, null, word(unit), interval, points, users);
            case TriggerRule.UserCreation() -> new TriggerSource(id, "user_creation", status, null, null, null, null,
                    null, null, null, null, points, users);
        };
    }

    static Map<String, String> values(List<AttributeFilter> filters) {
        var values = new LinkedHashMap<String, String>();
        filters.forEach(f -> values.put(f.attribute(), f.value()));
        return values;
    }

    private static StreakSource streak(StreakSettings streak) {
        if (streak.equals(StreakSettings.DEFAULT)) {
            return null;
        }
        var thresholds = new LinkedHashMap<String, BigDecimal>();
        streak.conditions().forEach(c -> thresholds.put(c.metric(), c.threshold()));
        var bounds = new LinkedHashMap<String, BoundsSource>();
        streak.personalizationOnceOn().metrics()
                .forEach(b -> bounds.put(b.metric(), new BoundsSource(b.min(), b.max())));
        StreakSettings.Freezes freezes = streak.freezesOnceOn();
        return new StreakSource(unless(true, streak.enabled()), unless("daily", word(streak.frequency())),
                unless("OR", streak.evaluationMode().name()), thresholds,
                streak.freezes() == null ? null : true, unless(0, freezes.initial()),
                unless(StreakSettings.Freezes.USUAL.max(), freezes.max()), unless(0, freezes.earnIntervalDays()),
                unless(0, freezes.earnAmount()), streak.personalization() == null ? null : true, bounds);
    }

    static LeaderboardSource leaderboard(Leaderboard board, Instant now) {
        String metric = null;
        String system = null;
        String rankBy = switch (board.rankBy()) {
            case RankBy.MetricTotal(String key) -> {
                metric = key;
                yield "metric";
            }
            case RankBy.PointsTotal(String key) -> {
                system = key;
                yield "points";
            }
            case RankBy.StreakLength() -> "streak";
        };
        LocalDate last = LeaderboardEditor.lastDateOf(board);
        RunLength runs = board.runs();
        return new LeaderboardSource(board.id(), unless(board.key(), board.name()), board.description(),
                unless("inactive", word(statusOf(board, now))), rankBy, metric, system,
                unless(Leaderboard.MAX_PARTICIPANTS, board.maxParticipants()), board.start().toString(), text(last),
                text(board.startTime()), text(board.endTime()), unless(List.of(), board.breakdownAttributes()),
                runs == null ? null : word(runs.unit()), runs == null ? null : runs.interval());
    }

    /** One that was scheduled could not be scheduled once more after its start. */
    private static LeaderboardStatus statusOf(Leaderboard board, Instant now) {
        boolean hasStarted = !board.start().isAfter(LeaderboardEditor.dayOf(now));
        return board.status() == LeaderboardStatus.SCHEDULED && hasStarted
                ? LeaderboardStatus.ACTIVE
                : board.status();
    }

    /** Dates, and times without the seconds if there are none. */
    private static String text(Object value) {
        return value == null ? null : value.toString();
    }

    private static SettingsSource settings(Settings settings) {
        if (settings.equals(Settings.DEFAULT)) {
            return null;
        }
        return new SettingsSource(unless(0, settings.controlRatio()),
                unless(Settings.DEFAULT.defaultTimeZone().getId(), settings.defaultTimeZone().getId()),
                unless("sunday", word(settings.weekStartsOn())),
                unless(false, settings.integerLeaderboardValues()),
                unless(Settings.DEFAULT_MESSAGE_ZONE.getId(), settings.messageTimeZone().getId()),
                unless(true, settings.applicationKeysEnabled()), rateLimits(settings.rateLimits()),
                branding(settings.branding()));
    }

    private static RateLimitsSource rateLimits(Settings.RateLimits limits) {
        return limits == null ? null : new RateLimitsSource(limits.tier1(), limits.tier2());
    }

    private static BrandingSource branding(Settings.Branding branding) {
        return branding.equals(Settings.Branding.NONE)
                ? null
                : new BrandingSource(branding.appName(), branding.appUrl(), branding.logoUrl(),
                        branding.brandColor(), branding.font());
    }

    static <T> T unless(T usual, T value) {
        return usual.equals(value) ? null : value;
    }
}
