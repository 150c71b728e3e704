package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.ruleset.RulesetSource.BoundsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import java.math.BigDecimal;

import static dev.laurel.schemas.ruleset.IssueList.escaped;

/** How streaks are kept: semantics.md §5, admin-api.md B2. */
final class StreakChecks {

    private static final int MAX_FREEZES = 100;

    private final SourceChecks checks;
    private final IssueList issues;

    StreakChecks(SourceChecks checks, IssueList issues) {
        this.checks = checks;
        this.issues = issues;
    }

    void check(StreakSource streak) {
        issues.oneOf("/streak/frequency", streak.frequency(), "daily", "weekly", "monthly");
        issues.oneOf("/streak/evaluationMode", streak.evaluationMode(), "AND", "OR", "ALL");
        streak.metrics().forEach((key, threshold) -> {
            String path = "/streak/metrics/" + escaped(key);
            checks.metricReference(path, key);
            if (issues.required(path, threshold)) {
                checks.amount(path, threshold);
            }
        });
        freezes(streak);
        streak.personalizationMetrics().forEach(this::bounds);
    }

    private void freezes(StreakSource streak) {
        issues.between("/streak/initialFreezes", streak.initialFreezes(), 0, MAX_FREEZES);
        issues.between("/streak/maxFreezes", streak.maxFreezes(), 1, MAX_FREEZES);
        issues.between("/streak/freezeAutoEarnInterval", streak.freezeAutoEarnInterval(), 1, SourceChecks.MAX_COUNT);
        issues.between("/streak/freezeAutoEarnAmount", streak.freezeAutoEarnAmount(), 1, MAX_FREEZES);
        issues.expect(streak.freezeAutoEarnInterval() != null || streak.freezeAutoEarnAmount() == null,
                "/streak/freezeAutoEarnInterval", "is required beside freezeAutoEarnAmount");
        issues.expect(streak.freezeAutoEarnAmount() != null || streak.freezeAutoEarnInterval() == null,
                "/streak/freezeAutoEarnAmount", "is required beside freezeAutoEarnInterval");
    }

    private void bounds(String metric, BoundsSource bounds) {
        String path = "/streak/personalizationMetrics/" + escaped(metric);
        checks.metricReference(path, metric);
        if (!issues.required(path, bounds)) {
            return;
        }
        BigDecimal min = bounds.min();
        BigDecimal max = bounds.max();
        boolean areAmounts = (min == null || checks.amount(path + "/min", min))
                & (max == null || checks.amount(path + "/max", max));
        issues.expect(!areAmounts || min == null || max == null || min.compareTo(max) <= 0, path + "/max",
                "must not be below min");
    }
}
