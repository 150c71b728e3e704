package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static dev.laurel.schemas.ruleset.IssueList.escaped;
import static dev.laurel.schemas.ruleset.IssueList.quoted;
import static dev.laurel.schemas.ruleset.SourceChecks.unlessEmpty;

/** Achievements: semantics.md §4, admin-api.md B1. */
final class AchievementChecks {

    static final int MAX_PREREQUISITES = 100;

    private final SourceChecks checks;
    private final IssueList issues;

    AchievementChecks(SourceChecks checks, IssueList issues) {
        this.checks = checks;
        this.issues = issues;
    }

    void check(Map<String, AchievementSource> achievements) {
        checks.entries("/achievements", achievements, this::achievement);
        cycles(achievements);
    }

    private void achievement(String path, AchievementSource achievement) {
        checks.id(path, achievement.id());
        checks.name(path, achievement.name());
        checks.description(path, achievement.description());
        checks.url(path + "/badgeUrl", achievement.badgeUrl());
        issues.oneOf(path + "/status", achievement.status(), "inactive", "active", "locked");
        String trigger = achievement.trigger();
        if (issues.required(path + "/trigger", trigger)
                && issues.oneOf(path + "/trigger", trigger, "metric", "streak", "api", "achievement")) {
            foreignFields(path, achievement);
            triggerFields(path, achievement);
        }
        checks.filters(path + "/userAttributes", achievement.userAttributes(), AttributeType.USER);
    }

    private void triggerFields(String path, AchievementSource achievement) {
        switch (achievement.trigger()) {
            case "metric" -> {
                checks.metricReference(path + "/metric", achievement.metric());
                if (issues.required(path + "/value", achievement.value())) {
                    checks.amount(path + "/value", achievement.value());
                }
                checks.filters(path + "/eventAttributes", achievement.eventAttributes(), AttributeType.EVENT);
            }
            case "streak" -> checks.count(path + "/streakLength", achievement.streakLength());
            case "achievement" -> prerequisites(path + "/achievements", achievement.achievements());
            default -> {
                // "api" needs nothing.
            }
        }
    }

    private void foreignFields(String path, AchievementSource achievement) {
        String of = achievement.trigger();
        checks.foreign(path + "/metric", achievement.metric(), "trigger", of, "metric");
        checks.foreign(path + "/value", achievement.value(), "trigger", of, "metric");
        checks.foreign(path + "/streakLength", achievement.streakLength(), "trigger", of, "streak");
        checks.foreign(path + "/achievements", achievement.achievements(), "trigger", of, "achievement");
        checks.foreign(path + "/eventAttributes", unlessEmpty(achievement.eventAttributes()), "trigger", of, "metric");
    }

    private void prerequisites(String path, List<String> keys) {
        if (!issues.required(path, keys)) {
            return;
        }
        issues.expect(!keys.isEmpty() && keys.size() <= MAX_PREREQUISITES, path,
                "must have 1 to " + MAX_PREREQUISITES + " keys of achievements");
        checks.keys(path, keys, checks::achievementReference);
    }

    private void cycles(Map<String, AchievementSource> achievements) {
        var prerequisites = new LinkedHashMap<String, List<String>>();
        achievements.forEach((key, achievement) -> {
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
}
