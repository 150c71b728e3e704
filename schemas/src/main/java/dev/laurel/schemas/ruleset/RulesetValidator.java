package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.ruleset.RulesetSource.AttributeSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import java.util.List;

/**
 * Finds everything that is wrong with a {@link RulesetSource} at once: keys, ranges, references (admin-api.md). Pure; the
 * command line, the gateway and the ruleset writer all ask it, so all of them say the same. What an object may become
 * depends on what it is: that only {@link RulesetEditor} sees.
 */
public final class RulesetValidator {

    private final RulesetSource source;
    private final IssueList issues = new IssueList();
    private final SourceChecks checks;

    private RulesetValidator(RulesetSource source) {
        this.source = source;
        this.checks = new SourceChecks(source, issues);
    }

    /** The issues in the order of the document, the first hundred of them; empty if there are none. */
    public static List<RulesetIssue> check(RulesetSource source) {
        var validator = new RulesetValidator(source);
        validator.checkAll();
        return validator.issues.found();
    }

    private void checkAll() {
        checks.entries("/metrics", source.metrics(), this::metric);
        checks.entries("/attributes/user", source.attributes().user(), this::attribute);
        checks.entries("/attributes/event", source.attributes().event(), this::attribute);
        new AchievementChecks(checks, issues).check(source.achievements());
        new PointsChecks(checks, issues).check(source.points());
        if (source.streak() != null) {
            new StreakChecks(checks, issues).check(source.streak());
        }
        new LeaderboardChecks(checks, issues).check(source.leaderboards());
        if (source.settings() != null) {
            new SettingsChecks(checks, issues).check(source.settings());
        }
        new WebhookChecks(checks, issues).check(source.webhooks());
        new NotificationChecks(checks, issues).check(source.notifications());
    }

    private void metric(String path, MetricSource metric) {
        checks.id(path, metric.id());
        checks.name(path, metric.name());
        issues.oneOf(path + "/unitType", metric.unitType(), "number", "currency");
        String units = metric.units();
        if ("currency".equals(metric.unitType())) {
            issues.expect(units != null && units.matches("[A-Z]{3}"), path + "/units",
                    "must be an upper-case ISO 4217 code, such as EUR, for unitType currency");
        } else {
            checks.text(path + "/units", units, 50);
        }
    }

    private void attribute(String path, AttributeSource attribute) {
        checks.name(path, attribute.name());
        checks.id(path, attribute.id());
    }
}
