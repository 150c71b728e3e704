package dev.laurel.core.view;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.core.leaderboard.TeamRanking.Team;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.LeaderboardBody.AttributeValueBody;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the bodies of leaderboards (docs/application-api.md §2 "Leaderboard"). Pure. */
public final class LeaderboardBodies {

    private LeaderboardBodies() {}

    /** The fields of all variants. @param rules the rules that contain the leaderboard */
    public static LeaderboardBody listItem(Leaderboard board, CompiledRuleset rules, Instant now) {
        return switch (board.rankBy()) {
            case RankBy.MetricTotal(String key) ->
                listItem(board, "metric", key, rules.referencedMetric(key).name(), null, null, now);
            case RankBy.PointsTotal(String key) ->
                listItem(
                        board,
                        "points",
                        null,
                        null,
                        key,
                        rules.referencedSystem(key).name(),
                        now);
            case RankBy.StreakLength() -> listItem(board, "streak", null, null, null, null, now);
        };
    }

    private static LeaderboardBody listItem(
            Leaderboard board,
            String rankBy,
            @Nullable String metricKey,
            @Nullable String metricName,
            @Nullable String systemKey,
            @Nullable String systemName,
            Instant now) {
        RunLength runs = board.runs();
        List<String> attributes = board.breakdownAttributes();
        return new LeaderboardBody(
                board.id(),
                board.name(),
                board.key(),
                IssueList.word(board.statusAt(now)),
                rankBy,
                metricKey,
                metricName,
                systemKey,
                systemName,
                board.description(),
                board.start(),
                board.end(),
                timeOfDay(board.startTime()),
                timeOfDay(board.endTime()),
                board.maxParticipants(),
                runs == null ? null : IssueList.word(runs.unit()),
                runs == null ? 0 : runs.interval(),
                attributes,
                attributes.size() == 1 ? attributes.getFirst() : null,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** A time as {@code HH:mm}, with the seconds that the rule has, if any. */
    private static @Nullable String timeOfDay(@Nullable LocalTime time) {
        return time == null ? null : time.toString();
    }

    /**
     * The leaderboard's part of the answer to an event.
     *
     * @param group the user's group, or the former one if the user is in none now
     * @param previousRank 0 if the user did not take part before
     * @param rank 0 if the user does not take part now
     * @param threshold the value that a newcomer must exceed
     * @param teams that of the user among them; of no interest without teams
     * @param team of the user; null: it is not ranked, or there are no teams
     */
    public static LeaderboardBody afterEvent(
            LeaderboardRules board,
            CompiledRuleset rules,
            LeaderboardGroup group,
            int previousRank,
            int rank,
            BigDecimal threshold,
            TeamRanking teams,
            @Nullable Team team,
            Instant now) {
        Runs runs = board.runs();
        LeaderboardBody body = listItem(board.board(), rules, now)
                .afterEvent(
                        runs.firstDateOf(group.run()),
                        runs.lastDateOf(group.run()),
                        rankOrNull(previousRank),
                        rankOrNull(rank),
                        shown(threshold, rules),
                        attributeValues(board.board(), group.values()));
        return board.board().teams() == null
                ? body
                : body.onTeam(group.team(), rankOrNull(teams.rankOf(team)), score(team, rules));
    }

    /** The score of a team as these rules show it; null if it is not ranked. */
    private static @Nullable BigDecimal score(@Nullable Team team, CompiledRuleset rules) {
        return team == null ? null : shown(team.value(), rules);
    }

    /**
     * A group in a run, for webhooks.
     *
     * @param values those of the group; empty without groups, or for all groups
     */
    public static LeaderboardBody inRun(
            LeaderboardRules board,
            CompiledRuleset rules,
            LocalDate runStart,
            @Nullable LocalDate runEnd,
            List<String> values,
            Instant now) {
        return listItem(board.board(), rules, now)
                .inRun(
                        runStart,
                        runEnd,
                        values.isEmpty() ? List.of() : attributeValues(board.board(), values),
                        values.isEmpty() || board.board().teams() == null ? null : values.getLast());
    }

    private static @Nullable Integer rankOrNull(int rank) {
        return rank == 0 ? null : rank;
    }

    private static List<AttributeValueBody> attributeValues(Leaderboard board, List<String> values) {
        List<String> keys = board.breakdownAttributes();
        var pairs = new ArrayList<AttributeValueBody>(keys.size());
        for (int i = 0; i < keys.size(); i++) {
            pairs.add(new AttributeValueBody(keys.get(i), values.get(i)));
        }
        return pairs;
    }

    /** A value or threshold as these rules show it: exact, or rounded down for clients that expect whole numbers. */
    public static BigDecimal shown(BigDecimal value, CompiledRuleset rules) {
        return rules.document().settings().integerLeaderboardValues() ? value.setScale(0, RoundingMode.FLOOR) : value;
    }
}
