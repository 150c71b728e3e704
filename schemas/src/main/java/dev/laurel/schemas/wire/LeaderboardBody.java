package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * application-api.md §2 "Leaderboard": the fields of a list item, and those that its variants add.
 *
 * @param start in an event response that of the current run
 * @param startTime {@code HH:mm}, null if none
 * @param runInterval 0 if the leaderboard never starts anew
 * @param breakdownAttribute the key if there is exactly one
 */
public record LeaderboardBody(UUID id, String name, String key, String status, String rankBy, String metricKey,
        String metricName, String pointsSystemKey, String pointsSystemName, String description, LocalDate start,
        LocalDate end, String startTime, String endTime, int maxParticipants, String runUnit, int runInterval,
        List<String> breakdownAttributes, String breakdownAttribute,
        Optional<List<AttributeValueBody>> breakdownAttributeValues, Optional<String> breakdownAttributeValue,
        Optional<Present<Integer>> previousRank, Optional<Present<Integer>> rank, Optional<Present<BigDecimal>> value,
        Optional<BigDecimal> threshold, Optional<List<RankingBody>> rankings, Optional<List<HistoryBody>> history) {

    /** One place of a ranking. @param userName null if the user has none */
    public record RankingBody(String userId, String userName, int rank, BigDecimal value) {}

    /** The end of one day, where rank or value differ from those at the end of the day before it in the list. */
    public record HistoryBody(LocalDate date, Instant timestamp, Integer previousRank, Integer rank,
            BigDecimal previousValue, BigDecimal value) {}

    public record AttributeValueBody(String key, String value) {}

    public LeaderboardBody ranked(List<RankingBody> places) {
        return new LeaderboardBody(id, name, key, status, rankBy, metricKey, metricName, pointsSystemKey,
                pointsSystemName, description, start, end, startTime, endTime, maxParticipants, runUnit, runInterval,
                breakdownAttributes, breakdownAttribute, breakdownAttributeValues, breakdownAttributeValue,
                previousRank, rank, value, threshold, Optional.of(places), history);
    }

    /** For one user. @param place null, as is {@code score}, if the user is not on it */
    public LeaderboardBody ofUser(Integer place, BigDecimal score, List<HistoryBody> days) {
        return new LeaderboardBody(id, name, key, status, rankBy, metricKey, metricName, pointsSystemKey,
                pointsSystemName, description, start, end, startTime, endTime, maxParticipants, runUnit, runInterval,
                breakdownAttributes, breakdownAttribute, breakdownAttributeValues, breakdownAttributeValue,
                previousRank, Optional.of(new Present<>(place)), Optional.of(new Present<>(score)), threshold, rankings,
                Optional.of(days));
    }

    /**
     * In the answer to an event.
     *
     * @param firstDay of the current run, {@code lastDay} too; that one is null if it has none
     * @param place null if the user left
     * @param groupValues of the breakdown attributes, in their order; empty on a leaderboard without
     */
    public LeaderboardBody afterEvent(LocalDate firstDay, LocalDate lastDay, Integer placeBefore, Integer place,
            BigDecimal atLeast, List<AttributeValueBody> groupValues) {
        return new LeaderboardBody(id, name, key, status, rankBy, metricKey, metricName, pointsSystemKey,
                pointsSystemName, description, firstDay, lastDay, startTime, endTime, maxParticipants, runUnit,
                runInterval, breakdownAttributes, breakdownAttribute,
                groupValues.isEmpty() ? Optional.empty() : Optional.of(groupValues),
                groupValues.size() == 1 ? Optional.of(groupValues.getFirst().value()) : Optional.empty(),
                Optional.of(new Present<>(placeBefore)), Optional.of(new Present<>(place)), value,
                Optional.of(atLeast), rankings, history);
    }
}
