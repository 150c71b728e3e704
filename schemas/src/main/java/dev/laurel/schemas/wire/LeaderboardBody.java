package dev.laurel.schemas.wire;

import dev.laurel.schemas.kind.Records;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * docs/application-api.md §2 "Leaderboard": the fields of a list entry, and those of its variants.
 *
 * @param start in the answer to an event, the start of the current run
 * @param startTime {@code HH:mm}, or {@code HH:mm:ss} if the rule has seconds
 * @param runInterval 0 if the leaderboard does not repeat
 * @param breakdownAttribute the key if there is exactly one
 * @param runStart start of the run, in events for webhooks
 * @param runEnd end of the run, in events for webhooks; null if it has none
 * @param rankings of users, or of teams
 * @param team of the user on a leaderboard with teams, as are {@code teamRank} and {@code teamValue}
 * @param estimatedRank for reads that ask for it, as are {@code percentile} and {@code participants}
 */
public record LeaderboardBody(
        UUID id,
        String name,
        String key,
        String status,
        String rankBy,
        @Nullable String metricKey,
        @Nullable String metricName,
        @Nullable String pointsSystemKey,
        @Nullable String pointsSystemName,
        @Nullable String description,
        LocalDate start,
        @Nullable LocalDate end,
        @Nullable String startTime,
        @Nullable String endTime,
        int maxParticipants,
        @Nullable String runUnit,
        int runInterval,
        List<String> breakdownAttributes,
        @Nullable String breakdownAttribute,
        Optional<List<AttributeValueBody>> breakdownAttributeValues,
        Optional<String> breakdownAttributeValue,
        Optional<LocalDate> runStart,
        Optional<Present<LocalDate>> runEnd,
        Optional<Present<Integer>> previousRank,
        Optional<Present<Integer>> rank,
        Optional<Present<BigDecimal>> previousValue,
        Optional<Present<BigDecimal>> value,
        Optional<BigDecimal> threshold,
        Optional<List<? extends PlaceBody>> rankings,
        Optional<List<HistoryBody>> history,
        Optional<Present<String>> team,
        Optional<Present<Integer>> teamRank,
        Optional<Present<BigDecimal>> teamValue,
        Optional<Present<Long>> estimatedRank,
        Optional<Present<BigDecimal>> percentile,
        Optional<Present<Long>> participants) {

    /** One entry of a ranking. */
    public sealed interface PlaceBody {}

    /** A user in a ranking. @param userName null if the user has no name */
    public record RankingBody(String userId, @Nullable String userName, int rank, BigDecimal value)
            implements PlaceBody {}

    /**
     * A team in a ranking.
     *
     * @param userId the team, as {@code userName}: clients that know no teams expect both
     * @param members those with a value above 0
     */
    public record TeamBody(String userId, String userName, String team, int members, BigDecimal value, int rank)
            implements PlaceBody {}

    /** The end of a day on which rank or value changed. */
    public record HistoryBody(
            LocalDate date,
            Instant timestamp,
            @Nullable Integer previousRank,
            @Nullable Integer rank,
            @Nullable BigDecimal previousValue,
            @Nullable BigDecimal value) {}

    public record AttributeValueBody(String key, String value) {}

    public LeaderboardBody ranked(List<? extends PlaceBody> places) {
        return Records.with(this, "rankings", Optional.of(places));
    }

    /** This body for a user on a team. @param name null if the user is on none @param place null, as is {@code score}, if it has no rank */
    public LeaderboardBody onTeam(@Nullable String name, @Nullable Integer place, @Nullable BigDecimal score) {
        return Records.with(
                this, "team", Present.of(name), "teamRank", Present.of(place), "teamValue", Present.of(score));
    }

    /** This body for one user. @param place null, as is {@code score}, if the user does not participate */
    public LeaderboardBody ofUser(@Nullable Integer place, @Nullable BigDecimal score, List<HistoryBody> days) {
        return Records.with(this, "rank", Present.of(place), "value", Present.of(score), "history", Optional.of(days));
    }

    /** This body with the place of the user among all users who have a value. Null: not known. */
    public LeaderboardBody estimated(@Nullable Long place, @Nullable BigDecimal percent, @Nullable Long users) {
        return Records.with(
                this,
                "estimatedRank",
                Present.of(place),
                "percentile",
                Present.of(percent),
                "participants",
                Present.of(users));
    }

    /**
     * This body in the answer to an event.
     *
     * @param firstDay first day of the current run
     * @param lastDay last day of the current run; null if it has none
     * @param place null if the user has left
     * @param groupValues values of the breakdown attributes, in their order; empty without a breakdown
     */
    public LeaderboardBody afterEvent(
            LocalDate firstDay,
            @Nullable LocalDate lastDay,
            @Nullable Integer placeBefore,
            @Nullable Integer place,
            BigDecimal atLeast,
            List<AttributeValueBody> groupValues) {
        return Records.with(
                this,
                "start",
                firstDay,
                "end",
                lastDay,
                "breakdownAttributeValues",
                some(groupValues),
                "breakdownAttributeValue",
                single(groupValues),
                "previousRank",
                Present.of(placeBefore),
                "rank",
                Present.of(place),
                "threshold",
                Optional.of(atLeast));
    }

    /**
     * This body for one group in one run, in events for webhooks (docs/webhooks.md §2).
     *
     * @param firstDay first day of the run
     * @param lastDay last day of the run; null if it has none
     * @param groupValues values of the breakdown attributes, in their order; empty without a breakdown
     * @param teamOfGroup null if there are no teams, or for all groups
     */
    public LeaderboardBody inRun(
            LocalDate firstDay,
            @Nullable LocalDate lastDay,
            List<AttributeValueBody> groupValues,
            @Nullable String teamOfGroup) {
        return Records.with(
                this,
                "team",
                teamOfGroup == null ? Optional.empty() : Present.of(teamOfGroup),
                "breakdownAttributeValues",
                some(groupValues),
                "breakdownAttributeValue",
                single(groupValues),
                "runStart",
                Optional.of(firstDay),
                "runEnd",
                Present.of(lastDay));
    }

    /** This body with a change of a user's rank. Values are null if the user did not or does not participate. */
    public LeaderboardBody moved(
            @Nullable Integer placeBefore,
            @Nullable Integer place,
            @Nullable BigDecimal scoreBefore,
            @Nullable BigDecimal score) {
        return Records.with(
                this,
                "previousRank",
                Present.of(placeBefore),
                "rank",
                Present.of(place),
                "previousValue",
                Present.of(scoreBefore),
                "value",
                Present.of(score));
    }

    private static Optional<List<AttributeValueBody>> some(List<AttributeValueBody> groupValues) {
        return groupValues.isEmpty() ? Optional.empty() : Optional.of(groupValues);
    }

    private static Optional<String> single(List<AttributeValueBody> groupValues) {
        return groupValues.size() == 1 ? Optional.of(groupValues.getFirst().value()) : Optional.empty();
    }
}
