package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.ruleset.RulesetSource.LeaderboardSource;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;

/** Leaderboards: semantics.md §7, admin-api.md A5. What one may become depends on the day: {@link LeaderboardEditor}. */
final class LeaderboardChecks {

    /** Each combination of values is a ranking of its own: more attributes would leave each user alone in one. */
    static final int MAX_BREAKDOWN = 10;

    private static final int MAX_MONTHS = 1200;
    private static final int MAX_YEARS = 100;

    private final SourceChecks checks;
    private final IssueList issues;

    LeaderboardChecks(SourceChecks checks, IssueList issues) {
        this.checks = checks;
        this.issues = issues;
    }

    void check(Map<String, LeaderboardSource> leaderboards) {
        checks.entries("/leaderboards", leaderboards, this::leaderboard);
    }

    private void leaderboard(String path, LeaderboardSource board) {
        checks.id(path, board.id());
        checks.name(path, board.name());
        checks.description(path, board.description());
        issues.oneOf(path + "/status", board.status(), "inactive", "active", "scheduled", "finished");
        if (issues.required(path + "/rankBy", board.rankBy())
                && issues.oneOf(path + "/rankBy", board.rankBy(), "metric", "points", "streak")) {
            rankBy(path, board);
        }
        issues.between(path + "/maxParticipants", board.maxParticipants(), 1, Leaderboard.MAX_PARTICIPANTS);
        checks.dates(path, board.start(), board.end());
        window(path, board);
        breakdown(path + "/breakdownAttributes", board.breakdownAttributes());
        runs(path, board);
    }

    private void rankBy(String path, LeaderboardSource board) {
        checks.foreign(path + "/metric", board.metric(), "rankBy", board.rankBy(), "metric");
        checks.foreign(path + "/pointsSystem", board.pointsSystem(), "rankBy", board.rankBy(), "points");
        switch (board.rankBy()) {
            case "metric" -> checks.metricReference(path + "/metric", board.metric());
            case "points" -> checks.pointsReference(path + "/pointsSystem", board.pointsSystem());
            default -> {
                notOfStreaks(path + "/startTime", board.startTime());
                notOfStreaks(path + "/endTime", board.endTime());
                notOfStreaks(path + "/runUnit", board.runUnit());
                notOfStreaks(path + "/runInterval", board.runInterval());
            }
        }
    }

    /** The length of a streak is no sum of which a part could lie within a time. */
    private void notOfStreaks(String path, Object value) {
        issues.expect(value == null, path, "belongs to rankBy metric or points, not to rankBy streak");
    }

    private void window(String path, LeaderboardSource board) {
        LocalTime start = checks.time(path + "/startTime", board.startTime());
        LocalTime end = checks.time(path + "/endTime", board.endTime());
        issues.expect(start == null || end == null || start.isBefore(end), path + "/endTime",
                "must be after startTime, " + start);
    }

    private void breakdown(String path, List<String> attributes) {
        if (attributes != null) {
            issues.expect(attributes.size() <= MAX_BREAKDOWN, path,
                    "must have at most " + MAX_BREAKDOWN + " keys of user attributes");
            checks.keys(path, attributes, (at, key) -> checks.attributeReference(at, key, AttributeType.USER));
        }
    }

    private void runs(String path, LeaderboardSource board) {
        String unit = board.runUnit();
        boolean isUnit = issues.oneOf(path + "/runUnit", unit, "day", "month", "year");
        issues.expect(unit != null || board.runInterval() == null, path + "/runUnit",
                "is required beside runInterval");
        issues.expect(unit == null || board.runInterval() != null, path + "/runInterval",
                "is required beside runUnit");
        if (unit != null && isUnit) {
            issues.between(path + "/runInterval", board.runInterval(), 1, maxInterval(unit));
        }
    }

    private static int maxInterval(String unit) {
        return switch (unit) {
            case "month" -> MAX_MONTHS;
            case "year" -> MAX_YEARS;
            default -> SourceChecks.MAX_COUNT;
        };
    }
}
