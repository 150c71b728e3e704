package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.command.Zones;
import dev.laurel.schemas.key.UnicodeText;
import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.BoostSource;
import dev.laurel.schemas.ruleset.RulesetSource.BoundsSource;
import dev.laurel.schemas.ruleset.RulesetSource.LevelSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

import static dev.laurel.schemas.ruleset.IssueList.escaped;
import static dev.laurel.schemas.ruleset.IssueList.quoted;

/**
 * Finds everything that is wrong with a {@link RulesetSource} at once: keys, ranges, references (admin-api.md). Pure; the
 * command line, the gateway and the ruleset writer all ask it, so all of them say the same. What an object may become
 * depends on what it is: that only {@link RulesetEditor} sees.
 */
public final class RulesetValidator {

    /** Objects of one kind; a ruleset is compiled into memory and read whole. */
    static final int MAX_OBJECTS = 10_000;

    /** Each is looked at per event. */
    static final int MAX_FILTERS = 100;

    /** No attribute that a request sets is longer. */
    static final int MAX_FILTER_LENGTH = 4000;

    static final int MAX_PREREQUISITES = 100;

    /** Of lengths of streaks and of intervals: some centuries of days. */
    private static final int MAX_COUNT = 100_000;
    private static final int MAX_FREEZES = 100;

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{1,255}");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final long MAX_POINTS = 1_000_000_000_000L;
    private static final BigDecimal MAX_MULTIPLIER = BigDecimal.valueOf(100);

    private final IssueList issues = new IssueList();
    private final Set<UUID> ids = new HashSet<>();
    private final RulesetSource source;

    private RulesetValidator(RulesetSource source) {
        this.source = source;
    }

    /** The issues in the order of the document, the first hundred of them; empty if there are none. */
    public static List<RulesetIssue> check(RulesetSource source) {
        var validator = new RulesetValidator(source);
        validator.checkAll();
        return validator.issues.found();
    }

    private void checkAll() {
        entries("/metrics", source.metrics(), this::metric);
        entries("/attributes/user", source.attributes().user(), (path, a) -> {
            name(path, a.name());
            id(path, a.id());
        });
        entries("/attributes/event", source.attributes().event(), (path, a) -> {
            name(path, a.name());
            id(path, a.id());
        });
        entries("/achievements", source.achievements(), this::achievement);
        cycles();
        entries("/points", source.points(), this::pointsSystem);
        if (source.streak() != null) {
            streak(source.streak());
        }
        if (source.settings() != null) {
            settings(source.settings());
        }
    }

    private void metric(String path, MetricSource metric) {
        id(path, metric.id());
        name(path, metric.name());
        issues.oneOf(path + "/unitType", metric.unitType(), "number", "currency");
        String units = metric.units();
        if ("currency".equals(metric.unitType())) {
            issues.expect(units != null && units.matches("[A-Z]{3}"), path + "/units",
                    "must be an upper-case ISO 4217 code, such as EUR, for unitType currency");
        } else {
            text(path + "/units", units, 50);
        }
    }

    // Achievements.

    private void achievement(String path, AchievementSource achievement) {
        id(path, achievement.id());
        name(path, achievement.name());
        text(path + "/description", achievement.description(), 2000);
        url(path + "/badgeUrl", achievement.badgeUrl());
        issues.oneOf(path + "/status", achievement.status(), "inactive", "active", "locked");
        String trigger = achievement.trigger();
        if (issues.required(path + "/trigger", trigger)
                && issues.oneOf(path + "/trigger", trigger, "metric", "streak", "api", "achievement")) {
            foreignFields(path, achievement);
            triggerFields(path, achievement);
        }
        filters(path + "/userAttributes", achievement.userAttributes(), AttributeType.USER);
    }

    private void triggerFields(String path, AchievementSource achievement) {
        switch (achievement.trigger()) {
            case "metric" -> {
                metricReference(path + "/metric", achievement.metric());
                if (issues.required(path + "/value", achievement.value())) {
                    amount(path + "/value", achievement.value());
                }
                filters(path + "/eventAttributes", achievement.eventAttributes(), AttributeType.EVENT);
            }
            case "streak" -> count(path + "/streakLength", achievement.streakLength());
            case "achievement" -> prerequisites(path + "/achievements", achievement.achievements());
            default -> {
                // "api" needs nothing.
            }
        }
    }

    private void foreignFields(String path, AchievementSource achievement) {
        String of = achievement.trigger();
        foreign(path + "/metric", achievement.metric(), "trigger", of, "metric");
        foreign(path + "/value", achievement.value(), "trigger", of, "metric");
        foreign(path + "/streakLength", achievement.streakLength(), "trigger", of, "streak");
        foreign(path + "/achievements", achievement.achievements(), "trigger", of, "achievement");
        foreign(path + "/eventAttributes", unlessEmpty(achievement.eventAttributes()), "trigger", of, "metric");
    }

    private void prerequisites(String path, List<String> keys) {
        if (!issues.required(path, keys)) {
            return;
        }
        issues.expect(!keys.isEmpty() && keys.size() <= MAX_PREREQUISITES, path,
                "must have 1 to " + MAX_PREREQUISITES + " keys of achievements");
        var seen = new HashSet<String>();
        for (int i = 0; i < keys.size(); i++) {
            achievementReference(path + "/" + i, keys.get(i));
            issues.expect(keys.get(i) == null || seen.add(keys.get(i)), path + "/" + i, "is named twice");
        }
    }

    private void cycles() {
        var prerequisites = new LinkedHashMap<String, List<String>>();
        source.achievements().forEach((key, achievement) -> {
            if (achievement != null && "achievement".equals(achievement.trigger())
                    && achievement.achievements() != null) {
                prerequisites.put(key, achievement.achievements());
            }
        });
        for (List<String> cycle : CompositeCycles.in(prerequisites, IssueList.MAX_ISSUES + 1)) {
            String first = cycle.getFirst();
            String members = IssueList.joined(cycle, " needs ");
            issues.add("/achievements/" + escaped(first) + "/achievements",
                    "leads in a circle: " + members + " needs " + quoted(first) + ", so none of them can be completed");
        }
    }

    // Points.

    private void pointsSystem(String path, PointsSource system) {
        id(path, system.id());
        name(path, system.name());
        text(path + "/description", system.description(), 2000);
        url(path + "/badgeUrl", system.badgeUrl());
        issues.between(path + "/maxPoints", system.maxPoints(), 1, MAX_POINTS);
        issues.oneOf(path + "/levelAt", system.levelAt(), "exceeds", "reaches");
        var thresholds = new HashMap<Long, String>();
        entries(path + "/levels", system.levels(), (at, level) -> level(at, level, thresholds));
        entries(path + "/boosts", system.boosts(), this::boost);
        entries(path + "/triggers", system.triggers(), this::trigger);
    }

    private void level(String path, LevelSource level, Map<Long, String> thresholds) {
        id(path, level.id());
        name(path, level.name());
        text(path + "/description", level.description(), 2000);
        url(path + "/badgeUrl", level.badgeUrl());
        if (issues.required(path + "/points", level.points())) {
            issues.between(path + "/points", level.points(), 0, MAX_POINTS);
            String other = thresholds.putIfAbsent(level.points(), path);
            issues.expect(other == null, path + "/points", "is also that of " + other
                    + "; each level of a points system needs its own");
        }
    }

    private void boost(String path, BoostSource boost) {
        id(path, boost.id());
        name(path, boost.name());
        LocalDate start = issues.required(path + "/start", boost.start()) ? date(path + "/start", boost.start()) : null;
        LocalDate end = boost.end() == null ? null : date(path + "/end", boost.end());
        issues.expect(start == null || end == null || !end.isBefore(start), path + "/end",
                "must not be before start, " + start);
        BigDecimal multiplier = boost.multiplier();
        if (issues.required(path + "/multiplier", multiplier)) {
            issues.expect(multiplier.signum() > 0 && Amounts.problemWith(multiplier) == null
                    && multiplier.compareTo(MAX_MULTIPLIER) < 0 && multiplier.compareTo(BigDecimal.ONE) != 0,
                    path + "/multiplier",
                    "must be a number above 0 and below 100, not 1, with at most 9 fractional digits");
        }
        issues.oneOf(path + "/rounding", boost.rounding(), "down", "up", "nearest");
        filters(path + "/userAttributes", boost.userAttributes(), AttributeType.USER);
    }

    private void trigger(String path, TriggerSource trigger) {
        id(path, trigger.id());
        issues.oneOf(path + "/status", trigger.status(), "active", "inactive");
        String type = trigger.type();
        if (issues.required(path + "/type", type) && issues.oneOf(path + "/type", type, "metric", "achievement",
                "streak", "time", "user_creation")) {
            foreignFields(path, trigger);
            typeFields(path, trigger);
        }
        if (issues.required(path + "/points", trigger.points())) {
            issues.expect(trigger.points() != 0 && isBetween(-1_000_000_000, trigger.points(), 1_000_000_000),
                    path + "/points",
                    "must be a whole number from -1000000000 to 1000000000, not 0");
        }
        filters(path + "/userAttributes", trigger.userAttributes(), AttributeType.USER);
    }

    private void typeFields(String path, TriggerSource trigger) {
        switch (trigger.type()) {
            case "metric" -> {
                metricReference(path + "/metric", trigger.metric());
                if (issues.required(path + "/threshold", trigger.threshold())) {
                    issues.between(path + "/threshold", trigger.threshold(), 1, MAX_POINTS);
                }
                filters(path + "/eventAttributes", trigger.eventAttributes(), AttributeType.EVENT);
            }
            case "achievement" -> achievementReference(path + "/achievement", trigger.achievement());
            case "streak" -> count(path + "/streakLength", trigger.streakLength());
            case "time" -> {
                if (issues.required(path + "/timeUnit", trigger.timeUnit())) {
                    issues.oneOf(path + "/timeUnit", trigger.timeUnit(), "hours", "days");
                }
                count(path + "/timeInterval", trigger.timeInterval());
            }
            default -> {
                // "user_creation" needs nothing.
            }
        }
    }

    private void foreignFields(String path, TriggerSource trigger) {
        String of = trigger.type();
        foreign(path + "/metric", trigger.metric(), "type", of, "metric");
        foreign(path + "/threshold", trigger.threshold(), "type", of, "metric");
        foreign(path + "/eventAttributes", unlessEmpty(trigger.eventAttributes()), "type", of, "metric");
        foreign(path + "/blockIfOutOfPoints", trigger.blockIfOutOfPoints(), "type", of, "metric");
        foreign(path + "/achievement", trigger.achievement(), "type", of, "achievement");
        foreign(path + "/streakLength", trigger.streakLength(), "type", of, "streak");
        foreign(path + "/timeUnit", trigger.timeUnit(), "type", of, "time");
        foreign(path + "/timeInterval", trigger.timeInterval(), "type", of, "time");
    }

    // Streaks and settings.

    private void streak(StreakSource streak) {
        issues.oneOf("/streak/frequency", streak.frequency(), "daily", "weekly", "monthly");
        issues.oneOf("/streak/evaluationMode", streak.evaluationMode(), "AND", "OR", "ALL");
        streak.metrics().forEach((key, threshold) -> {
            String path = "/streak/metrics/" + escaped(key);
            metricReference(path, key);
            if (issues.required(path, threshold)) {
                amount(path, threshold);
            }
        });
        issues.between("/streak/initialFreezes", streak.initialFreezes(), 0, MAX_FREEZES);
        issues.between("/streak/maxFreezes", streak.maxFreezes(), 1, MAX_FREEZES);
        issues.between("/streak/freezeAutoEarnInterval", streak.freezeAutoEarnInterval(), 1, MAX_COUNT);
        issues.between("/streak/freezeAutoEarnAmount", streak.freezeAutoEarnAmount(), 1, MAX_FREEZES);
        issues.expect(streak.freezeAutoEarnInterval() != null || streak.freezeAutoEarnAmount() == null,
                "/streak/freezeAutoEarnInterval", "is required beside freezeAutoEarnAmount");
        issues.expect(streak.freezeAutoEarnAmount() != null || streak.freezeAutoEarnInterval() == null,
                "/streak/freezeAutoEarnAmount", "is required beside freezeAutoEarnInterval");
        streak.personalizationMetrics().forEach(this::bounds);
    }

    private void bounds(String metric, BoundsSource bounds) {
        String path = "/streak/personalizationMetrics/" + escaped(metric);
        metricReference(path, metric);
        if (!issues.required(path, bounds)) {
            return;
        }
        BigDecimal min = bounds.min();
        BigDecimal max = bounds.max();
        boolean areAmounts = (min == null || amount(path + "/min", min)) & (max == null || amount(path + "/max", max));
        issues.expect(!areAmounts || min == null || max == null || min.compareTo(max) <= 0, path + "/max",
                "must not be below min");
    }

    private void settings(SettingsSource settings) {
        issues.between("/settings/controlRatio", settings.controlRatio(), 0, 100);
        if (settings.defaultTimeZone() != null) {
            issues.expect(Zones.byName(settings.defaultTimeZone()) != null, "/settings/defaultTimeZone",
                    "must be an IANA time zone, such as Europe/Helsinki");
        }
        issues.oneOf("/settings/weekStartsOn", settings.weekStartsOn(), "sunday", "monday");
    }

    // What many objects have.

    private <V> void entries(String path, Map<String, V> entries, Check<V> check) {
        issues.expect(entries.size() <= MAX_OBJECTS, path, "must have at most " + MAX_OBJECTS + " entries");
        entries.forEach((key, value) -> {
            String at = path + "/" + escaped(key);
            issues.expect(KEY.matcher(key).matches(), at,
                    "has a bad key: 1 to 255 letters, digits, '-' and '_' are allowed");
            if (issues.required(at, value)) {
                check.accept(at, value);
            }
        });
    }

    /** A field of another kind of trigger would do nothing: whoever wrote it meant something else. */
    private void foreign(String path, Object value, String field, String kind, String owner) {
        issues.expect(value == null || kind.equals(owner), path,
                "belongs to " + field + " " + owner + ", not to " + field + " " + kind);
    }

    private static Object unlessEmpty(Map<String, String> values) {
        return values.isEmpty() ? null : values;
    }

    private void filters(String path, Map<String, String> filters, AttributeType type) {
        issues.expect(filters.size() <= MAX_FILTERS, path, "must have at most " + MAX_FILTERS + " entries");
        Map<String, ?> known = type == AttributeType.USER
                ? source.attributes().user()
                : source.attributes().event();
        filters.forEach((key, value) -> {
            String at = path + "/" + escaped(key);
            reference(at, IssueList.word(type) + " attribute", key, known);
            if (issues.required(at, value)) {
                text(at, value, MAX_FILTER_LENGTH);
            }
        });
    }

    private void metricReference(String path, String key) {
        reference(path, "metric", key, source.metrics());
    }

    private void achievementReference(String path, String key) {
        reference(path, "achievement", key, source.achievements());
    }

    private void reference(String path, String kind, String key, Map<String, ?> known) {
        if (issues.required(path, key) && !known.containsKey(key)) {
            issues.add(path,
                    "names an unknown " + kind + " " + quoted(key) + "; known: " + IssueList.some(known.keySet()));
        }
    }

    private void count(String path, Integer value) {
        if (issues.required(path, value)) {
            issues.between(path, value, 1, MAX_COUNT);
        }
    }

    private static boolean isBetween(long min, long value, long max) {
        return value >= min && value <= max;
    }

    private void id(String path, UUID id) {
        issues.expect(id == null || ids.add(id), path + "/id", "is used twice");
    }

    private void name(String path, String name) {
        issues.expect(name == null || !name.isEmpty() && name.length() <= 255, path + "/name",
                "must have 1 to 255 characters");
        unicode(path + "/name", name);
    }

    private void text(String path, String text, int maxLength) {
        issues.expect(text == null || text.length() <= maxLength, path,
                "must have at most " + maxLength + " characters");
        unicode(path, text);
    }

    private void unicode(String path, String text) {
        issues.expect(text == null || UnicodeText.isWellFormed(text), path, "must be valid Unicode text");
    }

    /** Null, with an issue, if it is none. */
    private LocalDate date(String path, String text) {
        try {
            if (DATE.matcher(text).matches()) {
                return LocalDate.parse(text);
            }
        } catch (DateTimeException _) {
            // No day of the calendar: said below.
        }
        issues.add(path, "must be a date, such as 2026-03-04; is " + quoted(text));
        return null;
    }

    private void url(String path, String url) {
        if (url == null) {
            return;
        }
        boolean isWeb;
        try {
            var uri = new URI(url);
            isWeb = uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
        } catch (URISyntaxException _) {
            isWeb = false;
        }
        issues.expect(isWeb, path, "must be an absolute http or https address");
    }

    private boolean amount(String path, BigDecimal value) {
        boolean isAmount = value.signum() > 0 && Amounts.problemWith(value) == null;
        issues.expect(isAmount, path,
                "must be a number above 0, at most 1000000000000, with at most 9 fractional digits");
        return isAmount;
    }

    private interface Check<V> {
        void accept(String path, V value);
    }
}
