package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.ruleset.RulesetSource.BoostSource;
import dev.laurel.schemas.ruleset.RulesetSource.LevelSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;

import static dev.laurel.schemas.ruleset.SourceChecks.MAX_POINTS;
import static dev.laurel.schemas.ruleset.SourceChecks.unlessEmpty;

/** Points systems with their levels, boosts and triggers: semantics.md §6, admin-api.md A4. */
final class PointsChecks {

    private static final BigDecimal MAX_MULTIPLIER = BigDecimal.valueOf(100);
    private static final long MAX_AWARD = 1_000_000_000;

    private final SourceChecks checks;
    private final IssueList issues;

    PointsChecks(SourceChecks checks, IssueList issues) {
        this.checks = checks;
        this.issues = issues;
    }

    void check(Map<String, PointsSource> systems) {
        checks.entries("/points", systems, this::system);
    }

    private void system(String path, PointsSource system) {
        checks.id(path, system.id());
        checks.name(path, system.name());
        checks.description(path, system.description());
        checks.url(path + "/badgeUrl", system.badgeUrl());
        issues.between(path + "/maxPoints", system.maxPoints(), 1, MAX_POINTS);
        issues.oneOf(path + "/levelAt", system.levelAt(), "exceeds", "reaches");
        var thresholds = new HashMap<Long, String>();
        checks.entries(path + "/levels", system.levels(), (at, level) -> level(at, level, thresholds));
        checks.entries(path + "/boosts", system.boosts(), this::boost);
        checks.entries(path + "/triggers", system.triggers(), this::trigger);
    }

    private void level(String path, LevelSource level, Map<Long, String> thresholds) {
        checks.id(path, level.id());
        checks.name(path, level.name());
        checks.description(path, level.description());
        checks.url(path + "/badgeUrl", level.badgeUrl());
        if (issues.required(path + "/points", level.points())) {
            issues.between(path + "/points", level.points(), 0, MAX_POINTS);
            String other = thresholds.putIfAbsent(level.points(), path);
            issues.expect(other == null, path + "/points", "is also that of " + other
                    + "; each level of a points system needs its own");
        }
    }

    private void boost(String path, BoostSource boost) {
        checks.id(path, boost.id());
        checks.name(path, boost.name());
        issues.required(path + "/start", boost.start());
        checks.dates(path, boost.start(), boost.end());
        BigDecimal multiplier = boost.multiplier();
        if (issues.required(path + "/multiplier", multiplier)) {
            issues.expect(multiplier.signum() > 0 && Amounts.problemWith(multiplier) == null
                    && multiplier.compareTo(MAX_MULTIPLIER) < 0 && multiplier.compareTo(BigDecimal.ONE) != 0,
                    path + "/multiplier",
                    "must be a number above 0 and below 100, not 1, with at most 9 fractional digits");
        }
        issues.oneOf(path + "/rounding", boost.rounding(), "down", "up", "nearest");
        checks.filters(path + "/userAttributes", boost.userAttributes(), AttributeType.USER);
    }

    private void trigger(String path, TriggerSource trigger) {
        checks.id(path, trigger.id());
        issues.oneOf(path + "/status", trigger.status(), "active", "inactive");
        String type = trigger.type();
        if (issues.required(path + "/type", type) && issues.oneOf(path + "/type", type, "metric", "achievement",
                "streak", "time", "user_creation")) {
            foreignFields(path, trigger);
            typeFields(path, trigger);
        }
        Long points = trigger.points();
        if (issues.required(path + "/points", points)) {
            issues.expect(points != 0 && points >= -MAX_AWARD && points <= MAX_AWARD, path + "/points",
                    "must be a whole number from -1000000000 to 1000000000, not 0");
        }
        checks.filters(path + "/userAttributes", trigger.userAttributes(), AttributeType.USER);
    }

    private void typeFields(String path, TriggerSource trigger) {
        switch (trigger.type()) {
            case "metric" -> {
                checks.metricReference(path + "/metric", trigger.metric());
                if (issues.required(path + "/threshold", trigger.threshold())) {
                    issues.between(path + "/threshold", trigger.threshold(), 1, MAX_POINTS);
                }
                checks.filters(path + "/eventAttributes", trigger.eventAttributes(), AttributeType.EVENT);
            }
            case "achievement" -> checks.achievementReference(path + "/achievement", trigger.achievement());
            case "streak" -> checks.count(path + "/streakLength", trigger.streakLength());
            case "time" -> {
                if (issues.required(path + "/timeUnit", trigger.timeUnit())) {
                    issues.oneOf(path + "/timeUnit", trigger.timeUnit(), "hours", "days");
                }
                checks.count(path + "/timeInterval", trigger.timeInterval());
            }
            default -> {
                // "user_creation" needs nothing.
            }
        }
    }

    private void foreignFields(String path, TriggerSource trigger) {
        String of = trigger.type();
        checks.foreign(path + "/metric", trigger.metric(), "type", of, "metric");
        checks.foreign(path + "/threshold", trigger.threshold(), "type", of, "metric");
        checks.foreign(path + "/eventAttributes", unlessEmpty(trigger.eventAttributes()), "type", of, "metric");
        checks.foreign(path + "/blockIfOutOfPoints", trigger.blockIfOutOfPoints(), "type", of, "metric");
        checks.foreign(path + "/achievement", trigger.achievement(), "type", of, "achievement");
        checks.foreign(path + "/streakLength", trigger.streakLength(), "type", of, "streak");
        checks.foreign(path + "/timeUnit", trigger.timeUnit(), "type", of, "time");
        checks.foreign(path + "/timeInterval", trigger.timeInterval(), "type", of, "time");
    }
}
