package dev.laurel.core;

import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength.RunUnit;
import dev.laurel.schemas.ruleset.Leaderboard.TeamScore;
import dev.laurel.schemas.ruleset.Leaderboard.Teams;
import dev.laurel.schemas.ruleset.Ruleset;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** A leaderboard for tests: active since 1 January 2026, perpetual, for all users, unless changed. */
public final class TestLeaderboard {

    private final int number;
    private final RankBy rankBy;
    private LeaderboardStatus status = LeaderboardStatus.ACTIVE;
    private LocalDate start = LocalDate.of(2026, 1, 1);
    private LocalDate end;
    private LocalTime startTime;
    private LocalTime endTime;
    private RunLength runs;
    private List<String> breakdown = List.of();
    private boolean isSpread;
    private Teams teams;

    private TestLeaderboard(int number, RankBy rankBy) {
        this.number = number;
        this.rankBy = rankBy;
    }

    public static TestLeaderboard ofMetric(int number, String metric) {
        return new TestLeaderboard(number, new RankBy.MetricTotal(metric));
    }

    public static TestLeaderboard ofPoints(int number, String system) {
        return new TestLeaderboard(number, new RankBy.PointsTotal(system));
    }

    public static TestLeaderboard ofStreak(int number) {
        return new TestLeaderboard(number, new RankBy.StreakLength());
    }

    public TestLeaderboard being(LeaderboardStatus is) {
        status = is;
        return this;
    }

    public TestLeaderboard from(String date) {
        start = LocalDate.parse(date);
        return this;
    }

    /** @param date the last date that counts */
    public TestLeaderboard to(String date) {
        end = LocalDate.parse(date);
        return this;
    }

    public TestLeaderboard every(int interval, RunUnit unit) {
        runs = new RunLength(unit, interval);
        return this;
    }

    /** @param from,until times of day; null: open */
    public TestLeaderboard between(String from, String until) {
        startTime = from == null ? null : LocalTime.parse(from);
        endTime = until == null ? null : LocalTime.parse(until);
        return this;
    }

    public TestLeaderboard by(String... attributes) {
        breakdown = List.of(attributes);
        return this;
    }

    /** Makes each group a ranking in a partition of its own choice. */
    public TestLeaderboard spread() {
        isSpread = true;
        return this;
    }

    public TestLeaderboard inTeamsBy(String attribute, TeamScore score, Integer top, int minMembers) {
        teams = new Teams(attribute, score, top, minMembers);
        return this;
    }

    public Leaderboard build() {
        return new Leaderboard(
                number,
                new UUID(0, number),
                "board-" + number,
                "Board " + number,
                null,
                status,
                rankBy,
                start,
                end,
                startTime,
                endTime,
                Leaderboard.MAX_PARTICIPANTS,
                breakdown,
                runs,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                false,
                isSpread,
                teams);
    }

    /** The same rules with these leaderboards and no others, as this version. */
    public static Ruleset on(Ruleset rules, long version, Instant published, TestLeaderboard... boards) {
        return new Ruleset(
                rules.tenant(),
                version,
                published,
                rules.nextNumber(),
                rules.metrics(),
                rules.attributes(),
                rules.achievements(),
                rules.streak(),
                rules.pointsSystems(),
                Arrays.stream(boards).map(TestLeaderboard::build).toList(),
                rules.settings(),
                rules.webhooks(),
                rules.notifications(),
                rules.retired(),
                null,
                null);
    }

    /** The first version, published at the epoch. */
    public static Ruleset first(String yaml, TestLeaderboard... boards) {
        Ruleset rules = TestRulesets.first(yaml);
        return boards.length == 0 ? rules : on(rules, rules.version(), rules.published(), boards);
    }

    /** The version after {@code current}; {@code current} if they are equal. */
    public static Ruleset next(Ruleset current, String yaml, Instant at, TestLeaderboard... boards) {
        Ruleset rules = TestRulesets.next(current, yaml, at);
        return boards.length == 0 && current.leaderboards().isEmpty()
                ? rules
                : on(rules, current.version() + 1, at, boards);
    }
}
