package dev.laurel.schemas.ruleset;

import static dev.laurel.schemas.kind.IssueList.word;

import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import dev.laurel.schemas.kind.Type.TimeOfDay;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A ranking of users (docs/semantics.md §7, docs/admin-api.md A5).
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

    /** Each combination of values is a ranking of its own: more attributes would leave each user alone in one. */
    private static final int MAX_BREAKDOWN = 10;

    /** docs/admin-api.md A5. What one may become depends on the day: {@link LeaderboardEditor}. */
    public static final Kind<Leaderboard> KIND = Kind.of("leaderboard", Leaderboard.class, SharedFields.name(),
            SharedFields.description(),
            Field.word("status", LeaderboardStatus.class, "inactive", "active", "scheduled", "finished")
                    .defaultsTo("inactive").adminWords("inactive", "active", "scheduled", "finished")
                    .about("'inactive', invisible and taking nobody; 'active', with a start that is not in the future; "
                            + "'scheduled', with one that is: it becomes active by itself; 'finished', for good. It finishes "
                            + "by itself after its end. Dates are judged in UTC."),
            Field.variant("rankBy",
                    Map.of("metric", RankBy.MetricTotal.class, "points", RankBy.PointsTotal.class, "streak",
                            RankBy.StreakLength.class),
                    "metric", "points", "streak").required().adminWords("metric", "streak", "points")
                    .about("What is compared. 'metric': the user's total of a metric. 'points': the total of a points system. "
                            + "'streak': the current length of the streak."),
            SharedFields.metric().of("rankBy", "metric"),
            Field.reference("pointsSystem", SharedFields.POINTS_SYSTEMS).of("rankBy", "points").required().as("system")
                    .adminName("pointsSystemId")
                    .about("The key of a points system of this ruleset. With 'points' only."),
            Field.count("maxParticipants", 1, Leaderboard.MAX_PARTICIPANTS).defaultsTo(Leaderboard.MAX_PARTICIPANTS)
                    .clearable()
                    .about("How many can be on it, in each group. When it is full, a newcomer takes the place of the last by a "
                            + "greater value."),
            Field.day("start")
                    .about("The first day that counts. Left out: the day on which it was created. It can change while inactive "
                            + "or scheduled.")
                    .adminAbout("Left out, today."),
            Field.day("end").clearable()
                    .about("The last day that counts, not before the first. Left out: none. It can change to a day that is not "
                            + "over, until it is finished."),
            Field.timeOfDay("startTime").onlyWith("rankBy", "metric", "points").clearable()
                    .about("Only what happens from this time of day on counts, and what is compared is the sum of that. Left "
                            + "out: from midnight. Not with 'streak'."),
            Field.timeOfDay("endTime").onlyWith("rankBy", "metric", "points").clearable()
                    .about("Only what happens before this time of day counts; after startTime. Left out: to midnight. Not with "
                            + "'streak'."),
            Field.references("breakdownAttributes", SharedFields.USER_ATTRIBUTES, 0, MAX_BREAKDOWN,
                    "must have at most " + MAX_BREAKDOWN + " keys of user attributes").defaultsTo(List.of())
                    .about("Keys of user attributes: one ranking for each combination of their values. Users who lack a value "
                            + "are in none. Left out: one ranking for all.")
                    .adminAbout("User attributes."),
            Field.word("runUnit", RunLength.RunUnit.class).onlyWith("rankBy", "metric", "points").as("runs.unit")
                    .clearable().adminWords("day", "month", "year")
                    .about("With runInterval, how often it starts anew, from its start on; what is compared is then the change "
                            + "since. Left out: never. Not with 'streak'.")
                    .adminAbout("Null if it is perpetual."),
            Field.count("runInterval", 1, SharedFields.MAX_COUNT).onlyWith("rankBy", "metric", "points")
                    .as("runs.interval").atMostWith("runUnit", "month", 1200).atMostWith("runUnit", "year", 100)
                    .about("How many days, months or years a run takes; at most 1200 months or 100 years. A run that would "
                            + "start on a day that the month lacks starts on its last one."))
            .identified(Keys.CHANGEABLE).pair("runUnit", "runInterval").check(SharedFields::dates)
            .check(Leaderboard::window)
            .about("Ranks users by a value above 0, the greatest first, in each user's local dates. What is ranked, broken down "
                    + "and repeated can change only while it is inactive; those who were on it then enter anew.")
            .requiredAtCreation("name", "key", "rankBy")
            .shown("id", "name", "key", "description", "status", "rankBy", "metricId", "pointsSystemId",
                    "maxParticipants", "start", "end", "startTime", "endTime", "breakdownAttributes", "runUnit",
                    "runInterval");

    private static void window(IssueList issues, String path, Draft board) {
        String start = board.text("startTime");
        String end = board.text("endTime");
        issues.expect(!TimeOfDay.isTime(start) || !TimeOfDay.isTime(end)
                || LocalTime.parse(start).isBefore(LocalTime.parse(end)), path + "/endTime",
                "must be after startTime, " + start);
    }

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

    /** What a leaderboard compares. */
    public sealed interface RankBy {

        /** @param metric its key */
        record MetricTotal(String metric) implements RankBy {}

        /** @param system key of the points system */
        record PointsTotal(String system) implements RankBy {}

        /** The current streak length. */
        record StreakLength() implements RankBy {}
    }

    /** How often a repeating leaderboard starts anew. @param interval at least 1 */
    public record RunLength(RunUnit unit, int interval) {

        public enum RunUnit {
            DAY, MONTH, YEAR
        }
    }

    /** What becomes of a leaderboard in time (docs/semantics.md §7). The order is durable data. */
    public enum LeaderboardStatus {
        /** Invisible, takes nobody. */
        INACTIVE,
        /** Becomes active by itself. */
        SCHEDULED, ACTIVE,
        /** Final; its runs stay readable. */
        FINISHED;

        /**
         * What is wrong with making one that is this what an operator asks for (docs/admin-api.md A5); null if nothing is. What its
         * dates have against it is another question.
         */
        public String problemWith(LeaderboardStatus wanted) {
            boolean isAllowed = wanted == this || switch (this) {
                case INACTIVE -> wanted == ACTIVE || wanted == SCHEDULED;
                case SCHEDULED -> wanted == INACTIVE;
                case ACTIVE -> wanted == FINISHED || wanted == INACTIVE;
                case FINISHED -> false;
            };
            return isAllowed
                    ? null
                    : "must be " + allowed() + " for one that is " + word(this) + "; is '" + word(wanted) + "'";
        }

        private String allowed() {
            return switch (this) {
                case INACTIVE -> "one of inactive, scheduled, active";
                case SCHEDULED -> "one of scheduled, inactive (it becomes active by itself)";
                case ACTIVE -> "one of active, finished, inactive";
                case FINISHED -> "finished";
            };
        }
    }
}
