package dev.laurel.schemas.ruleset;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

/**
 * A ranking of users (semantics.md §7, admin-api.md A5).
 *
 * @param number a new one whenever what is added up or compared, the groups or the runs change: scores of before mean
 *        nothing then
 * @param description null if none
 * @param status as the operator left it; time moves it on, see {@link #statusAt}
 * @param start first local date that counts
 * @param end last local date that counts, null if none
 * @param startTime time of day, local, from which events count; null if from midnight
 * @param endTime time of day, local, before which events count; null if to midnight
 * @param maxParticipants per group, 1 to 1000
 * @param breakdownAttributes keys of user attributes, one ranking per combination of values; empty: one for all
 * @param runs null if the leaderboard never starts anew
 * @param created when a ruleset first had one of this key
 * @param activated when it was last opened, by being made active or scheduled; null while it is inactive
 * @param finished when it was finished by hand, null if it was not
 */
public record Leaderboard(int number, UUID id, String key, String name, String description, LeaderboardStatus status,
        RankBy rankBy, LocalDate start, LocalDate end, LocalTime startTime, LocalTime endTime, int maxParticipants,
        List<String> breakdownAttributes, RunLength runs, Instant created, Instant activated, Instant finished) {

    /** The most that may take part in one group. */
    public static final int MAX_PARTICIPANTS = 1000;

    /** A date begins first at UTC+14, this long before it begins in UTC. */
    private static final int FIRST_ZONE_HOURS = 14;

    /** A date ends last at UTC-12, this long after it ended in UTC. */
    private static final int LAST_ZONE_HOURS = 12;

    public Leaderboard {
        breakdownAttributes = List.copyOf(breakdownAttributes);
    }

    /** What the leaderboard is at this moment if nobody changes it. */
    public LeaderboardStatus statusAt(Instant now) {
        return switch (status) {
            case INACTIVE, FINISHED -> status;
            case SCHEDULED -> now.isBefore(beginning(start)) ? status : runningOrFinished(now);
            case ACTIVE -> runningOrFinished(now);
        };
    }

    private LeaderboardStatus runningOrFinished(Instant now) {
        return end == null || now.isBefore(ending(end)) ? LeaderboardStatus.ACTIVE : LeaderboardStatus.FINISHED;
    }

    /** The moment at which this date begins anywhere on earth. */
    public static Instant beginning(LocalDate date) {
        return date.atStartOfDay().minusHours(FIRST_ZONE_HOURS).toInstant(ZoneOffset.UTC);
    }

    /** The moment at which this date is over everywhere on earth: 12:00 UTC on the day after. */
    public static Instant ending(LocalDate date) {
        return date.plusDays(1).atStartOfDay().plusHours(LAST_ZONE_HOURS).toInstant(ZoneOffset.UTC);
    }
}
