package dev.laurel.processors.boardsim;

import dev.laurel.core.TestRulesets;
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
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

/** Makes random leaderboards of all kinds, on rules that {@link UserTruth} implements. */
final class LeaderboardRulebook {

    static final List<String> METRICS = List.of("laps", "laps", "laps", "falls", "dives");
    static final Map<String, Long> THRESHOLDS = Map.of("laps", 2L, "falls", 1L);
    static final Map<String, Long> THRESHOLD_POINTS = Map.of("laps", 3L, "falls", -2L);
    static final long INTERVAL_MS = 2 * 86_400_000L;
    static final long INTERVAL_POINTS = 1;

    private static final String REST = """
        metrics: {laps: {}, falls: {}, dives: {}}
        attributes: {user: {city: {}, team: {}}}
        points:
          xp:
            triggers:
              lap: {type: metric, metric: laps, threshold: 2, points: 3}
              fall: {type: metric, metric: falls, threshold: 1, points: -2}
              often: {type: time, timeUnit: days, timeInterval: 2, points: 1}
        """;

    /** Few, so that there are users outside. */
    static final int MAX_PARTICIPANTS = 3;

    /** Above the numbers of all other objects. */
    private static final int FIRST_NUMBER = 100;

    /** The numbers of a spread leaderboard, and of one of the same rules that is not. */
    static final List<Integer> TWINS = List.of(FIRST_NUMBER + 12, FIRST_NUMBER + 13);

    private final Random random;
    private final boolean hasStreak;
    private final LocalDate today;
    private final List<Leaderboard> boards = new ArrayList<>();
    private Ruleset rules = TestRulesets.first(REST);

    /** @param hasStreak whether a leaderboard compares streaks; then users must not change their zone */
    LeaderboardRulebook(Random random, boolean hasStreak, Instant now) {
        this.random = random;
        this.hasStreak = hasStreak;
        this.today = now.atZone(ZoneOffset.UTC).toLocalDate();
    }

    private static final List<String> NO_GROUPS = List.of();
    private static final RankBy LAPS = new RankBy.MetricTotal("laps");
    private static final RankBy POINTS = new RankBy.PointsTotal("xp");

    private Leaderboard board(
            String key, RankBy rankBy, RunLength runs, LocalDate start, int most, List<String> groups) {
        return board(key, rankBy, runs, start, most, groups, null);
    }

    private Leaderboard board(
            String key, RankBy rankBy, RunLength runs, LocalDate start, int most, List<String> groups, Teams teams) {
        int number = FIRST_NUMBER + boards.size();
        var created = start.atStartOfDay().toInstant(ZoneOffset.UTC);
        var made = new Leaderboard(
                number,
                new UUID(3, number),
                key,
                key,
                null,
                LeaderboardStatus.ACTIVE,
                rankBy,
                start,
                null,
                null,
                null,
                most,
                groups,
                runs,
                created,
                created,
                null,
                false,
                false,
                teams);
        boards.add(made);
        return made;
    }

    /** The first version. */
    Ruleset first() {
        board("all-time", LAPS, null, today.minusDays(3), few(), NO_GROUPS);
        windowed(
                board("mornings", LAPS, null, today.minusDays(3), few(), NO_GROUPS),
                LocalTime.of(4, 0),
                LocalTime.of(11, 30));
        board("days", LAPS, new RunLength(RunUnit.DAY, 1 + random.nextInt(3)), today.minusDays(20), few(), NO_GROUPS);
        board("months", LAPS, new RunLength(RunUnit.MONTH, 1), LocalDate.parse("2024-01-31"), few(), NO_GROUPS);
        board(
                "years",
                LAPS,
                new RunLength(RunUnit.YEAR, 1),
                today.minusYears(2).plusDays(8),
                MAX_PARTICIPANTS,
                NO_GROUPS);
        board("points", POINTS, null, today.minusDays(2), few(), NO_GROUPS);
        windowed(
                board("points-days", POINTS, new RunLength(RunUnit.DAY, 2), today.minusDays(1), few(), NO_GROUPS),
                null,
                LocalTime.of(20, 0));
        board("cities", LAPS, new RunLength(RunUnit.DAY, 2), today.minusDays(1), 3, List.of("city"));
        board("teams", LAPS, null, today.minusDays(1), 3, List.of("city", "team"));
        board("dives", new RankBy.MetricTotal("dives"), null, today.minusDays(1), MAX_PARTICIPANTS, NO_GROUPS);
        Leaderboard later = board("later", LAPS, new RunLength(RunUnit.DAY, 4), today.plusDays(5), few(), NO_GROUPS);
        boards.set(
                later.number() - FIRST_NUMBER, with(later, LeaderboardStatus.SCHEDULED, null, later.maxParticipants()));
        spread(board("spread-cities", LAPS, new RunLength(RunUnit.DAY, 2), today.minusDays(1), 3, List.of("city")));
        spread(board("spread-teams", LAPS, null, today.minusDays(1), MAX_PARTICIPANTS, List.of("city", "team")));
        board("wide-teams", LAPS, null, today.minusDays(1), MAX_PARTICIPANTS, List.of("city", "team"));
        var twoDays = new RunLength(RunUnit.DAY, 2);
        board("sums", LAPS, twoDays, today.minusDays(1), few(), NO_GROUPS, teams(TeamScore.SUM, null, 1));
        board("averages", LAPS, null, today.minusDays(1), few(), List.of("city"), teams(TeamScore.AVERAGE, null, 2));
        board("best", LAPS, new RunLength(RunUnit.DAY, 3), today, few(), NO_GROUPS, teams(TeamScore.MAX, null, 1));
        board("pairs", POINTS, null, today, MAX_PARTICIPANTS, NO_GROUPS, teams(TeamScore.TOP, 2, 1));
        board("point-sums", POINTS, twoDays, today, few(), NO_GROUPS, teams(TeamScore.SUM, null, 3));
        if (hasStreak) {
            board(
                    "days-in-a-row",
                    new RankBy.StreakLength(),
                    null,
                    today.minusDays(400),
                    few(),
                    NO_GROUPS,
                    teams(TeamScore.SUM, null, 1));
            board("streaks", new RankBy.StreakLength(), null, today.minusDays(400), few(), NO_GROUPS);
        }
        return publish(Instant.EPOCH);
    }

    private static Teams teams(TeamScore score, Integer top, int minMembers) {
        return new Teams("team", score, top, minMembers);
    }

    /** The attributes whose values are the groups. */
    static List<String> keysOf(Leaderboard b) {
        var keys = new ArrayList<>(b.breakdownAttributes());
        if (b.teams() != null) {
            keys.add(b.teams().attribute());
        }
        return keys;
    }

    private void spread(Leaderboard b) {
        boards.set(
                b.number() - FIRST_NUMBER,
                new Leaderboard(
                        b.number(),
                        b.id(),
                        b.key(),
                        b.name(),
                        null,
                        b.status(),
                        b.rankBy(),
                        b.start(),
                        b.end(),
                        null,
                        null,
                        b.maxParticipants(),
                        b.breakdownAttributes(),
                        b.runs(),
                        b.created(),
                        b.activated(),
                        null,
                        false,
                        true,
                        null));
    }

    /** Whether both have room for all users, for ever. */
    static boolean areTwins(Leaderboard one, Leaderboard other) {
        return Stream.of(one, other)
                .allMatch(b -> b.status() == LeaderboardStatus.ACTIVE
                        && b.end() == null
                        && b.maxParticipants() == MAX_PARTICIPANTS);
    }

    private int few() {
        return 1 + random.nextInt(MAX_PARTICIPANTS);
    }

    private void windowed(Leaderboard b, LocalTime from, LocalTime to) {
        boards.set(
                b.number() - FIRST_NUMBER,
                new Leaderboard(
                        b.number(),
                        b.id(),
                        b.key(),
                        b.name(),
                        null,
                        b.status(),
                        b.rankBy(),
                        b.start(),
                        b.end(),
                        from,
                        to,
                        b.maxParticipants(),
                        b.breakdownAttributes(),
                        b.runs(),
                        b.created(),
                        b.activated(),
                        null,
                        false,
                        b.spreadGroups(),
                        b.teams()));
    }

    private static Leaderboard with(Leaderboard b, LeaderboardStatus status, LocalDate end, int most) {
        return with(b, status, end, most, b.finished());
    }

    private static Leaderboard with(
            Leaderboard b, LeaderboardStatus status, LocalDate end, int most, Instant finished) {
        return new Leaderboard(
                b.number(),
                b.id(),
                b.key(),
                b.name(),
                null,
                status,
                b.rankBy(),
                b.start(),
                end,
                b.startTime(),
                b.endTime(),
                most,
                b.breakdownAttributes(),
                b.runs(),
                b.created(),
                b.activated(),
                finished,
                false,
                b.spreadGroups(),
                b.teams());
    }

    private Ruleset publish(Instant at) {
        rules = new Ruleset(
                rules.tenant(),
                rules.version() + 1,
                at,
                FIRST_NUMBER + boards.size(),
                rules.metrics(),
                rules.attributes(),
                rules.achievements(),
                rules.streak(),
                rules.pointsSystems(),
                boards,
                rules.settings(),
                rules.webhooks(),
                rules.notifications(),
                rules.retired(),
                null,
                null);
        return rules;
    }

    /** The next version: one leaderboard is switched off or on, gets an end, more or fewer places, or is finished. */
    Ruleset next(Instant at) {
        int index = random.nextInt(boards.size());
        Leaderboard b = boards.get(index);
        boolean isRunning = b.status() == LeaderboardStatus.ACTIVE;
        int roll = random.nextInt(10);
        if (roll < 3 && isRunning && keysOf(b).isEmpty()) {
            boards.set(index, with(b, LeaderboardStatus.INACTIVE, b.end(), b.maxParticipants()));
        } else if (b.status() == LeaderboardStatus.INACTIVE) {
            boards.set(index, with(b, LeaderboardStatus.ACTIVE, b.end(), b.maxParticipants()));
        } else if (roll < 5 && isRunning && b.end() == null && !(b.rankBy() instanceof RankBy.StreakLength)) {
            LocalDate end = at.atZone(ZoneOffset.UTC).toLocalDate().plusDays(1 + random.nextInt(4));
            boards.set(index, with(b, b.status(), end, b.maxParticipants()));
        } else if (roll < 9) {
            int least =
                    b.teams() == null || b.teams().top() == null ? 1 : b.teams().top();
            boards.set(index, with(b, b.status(), b.end(), least + random.nextInt(MAX_PARTICIPANTS + 1 - least)));
        } else if (isRunning) {
            boards.set(index, with(b, LeaderboardStatus.FINISHED, b.end(), b.maxParticipants(), at));
        }
        return publish(at);
    }

    Ruleset rules() {
        return rules;
    }

    List<Leaderboard> boards() {
        return List.copyOf(boards);
    }
}
