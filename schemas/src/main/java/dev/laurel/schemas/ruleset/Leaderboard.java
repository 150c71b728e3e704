package dev.laurel.schemas.ruleset;

import static dev.laurel.schemas.kind.IssueList.word;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A ranking of users (docs/semantics.md §7, docs/admin-api.md A5).
 *
 * @param number see {@link Ruleset}; new whenever the ranked value, the groups, their place or the runs change, because former
 *        scores are then meaningless
 * @param status status that the operator last set; for the present status see {@link #statusAt}
 * @param start first local date that counts
 * @param end last local date that counts; null if it has no end
 * @param startTime local time of day from which events count; null: from midnight
 * @param endTime local time of day before which events count; null: until midnight
 * @param maxParticipants maximum per group, 1 to 1000
 * @param breakdownAttributes keys of user attributes; each combination of their values has a ranking of its own
 * @param runs null if the leaderboard does not repeat
 * @param created time at which a ruleset first had a leaderboard with this key
 * @param activated time at which it was last made active or scheduled; null while it is inactive
 * @param finished time at which an operator finished it
 * @param rankAll without effect
 * @param spreadGroups see {@link #hasSpreadGroups}
 * @param teams null if it ranks users only
 */
public record Leaderboard(
        int number,
        UUID id,
        String key,
        String name,
        @Nullable String description,
        LeaderboardStatus status,
        RankBy rankBy,
        LocalDate start,
        @Nullable LocalDate end,
        @Nullable LocalTime startTime,
        @Nullable LocalTime endTime,
        int maxParticipants,
        List<String> breakdownAttributes,
        @Nullable RunLength runs,
        Instant created,
        @Nullable Instant activated,
        @Nullable Instant finished,
        Boolean rankAll,
        Boolean spreadGroups,
        @Nullable Teams teams) {

    /** Limits the combinations: with more attributes, each user would be alone in a group. */
    private static final int MAX_BREAKDOWN = 10;

    /**
     * Ranks users by a value above 0, the greatest first, by each user's local dates. The ranked value, the breakdown, spreadGroups, teams
     * and the runs can change only while the leaderboard is inactive; all participants then start again (docs/admin-api.md A5).
     *
     * <p>{@code LeaderboardEditor} checks changes, which depend on the day.
     */
    public static final Kind<Leaderboard> KIND = Kind.of(
                    "leaderboard",
                    Leaderboard.class,
                    SharedFields.name(),
                    SharedFields.description(),
                    // 'inactive': invisible, takes no participants; 'active': needs a start that is not in the future;
                    // 'scheduled': needs a start
                    // in the future, when it becomes active automatically; 'finished': final. It finishes automatically
                    // after its end. Dates are
                    // compared in UTC.
                    Field.word("status", LeaderboardStatus.class, "inactive", "active", "scheduled", "finished")
                            .defaultsTo("inactive")
                            .sameAdminWords(),
                    // The ranked value. 'metric': the user's total of a metric. 'points': the total of a points system.
                    // 'streak': the current
                    // length of the streak.
                    Field.variant(
                                    "rankBy",
                                    List.of("metric", "points", "streak"),
                                    RankBy.MetricTotal.class,
                                    RankBy.PointsTotal.class,
                                    RankBy.StreakLength.class)
                            .required()
                            .adminWords("metric", "streak", "points"),
                    SharedFields.metric().of("rankBy", "metric"),
                    // The key of a points system of this ruleset. With 'points' only.
                    // API: The points system whose totals are ranked.
                    Field.reference("pointsSystem", SharedFields.POINTS_SYSTEMS)
                            .of("rankBy", "points")
                            .required()
                            .as("system")
                            .adminName("pointsSystemId"),
                    // The maximum number of participants in each group. In a full group, a newcomer with a greater
                    // value replaces the last
                    // participant.
                    Field.count("maxParticipants", 1, Leaderboard.MAX_PARTICIPANTS)
                            .defaultsTo(Leaderboard.MAX_PARTICIPANTS)
                            .clearable(),
                    // The first day that counts. Left out: the day of creation. Can change while the leaderboard is
                    // inactive or scheduled.
                    // API: The first day that counts. Left out: today. Can change while the leaderboard is inactive or
                    // scheduled.
                    Field.day("start"),
                    // The last day that counts, not before the first. Left out: no end. Until the leaderboard is
                    // finished, it can change to any
                    // day that is not over.
                    Field.day("end").clearable(),
                    // Only events from this time of day on count; the ranked value is the sum of their changes. Left
                    // out: from midnight. Not with
                    // 'streak'.
                    Field.timeOfDay("startTime")
                            .onlyWith("rankBy", "metric", "points")
                            .clearable(),
                    // Only events before this time of day count; must be after startTime. Left out: until midnight. Not
                    // with 'streak'.
                    Field.timeOfDay("endTime")
                            .onlyWith("rankBy", "metric", "points")
                            .clearable(),
                    // Keys of user attributes. Each combination of their values has a ranking of its own; users without
                    // one of the values are in
                    // none. Left out: one ranking for all users.
                    // API: User attributes. Each combination of their values has a ranking of its own; users without
                    // one of the values are in
                    // none. Without any: one ranking for all users.
                    Field.references(
                                    "breakdownAttributes",
                                    SharedFields.USER_ATTRIBUTES,
                                    0,
                                    MAX_BREAKDOWN,
                                    "must have at most " + MAX_BREAKDOWN + " keys of user attributes")
                            .defaultsTo(List.of()),
                    // Ranks teams: users with the same value of a user attribute are a team. Left out: the leaderboard
                    // ranks users only. Not with
                    // spreadGroups.
                    Field.part("teams", Teams.KIND).clearable(),
                    // The unit of runInterval. A repeating leaderboard ranks by the change within each run. Left out:
                    // the leaderboard does not
                    // repeat. Not with 'streak'.
                    // API: The unit of runInterval. A repeating leaderboard ranks by the change within each run. Null
                    // if it does not repeat. Not
                    // with `streak`.
                    Field.word("runUnit", RunLength.RunUnit.class)
                            .onlyWith("rankBy", "metric", "points")
                            .as("runs.unit")
                            .clearable()
                            .sameAdminWords(),
                    // The length of a run in days, months or years; at most 1200 months or 100 years. If a month lacks
                    // the day on which a run
                    // would start, it starts on the last day of the month.
                    Field.count("runInterval", 1, SharedFields.MAX_COUNT)
                            .onlyWith("rankBy", "metric", "points")
                            .as("runs.interval")
                            .atMostWith("runUnit", "month", 1200)
                            .atMostWith("runUnit", "year", 100),
                    // Without effect: users beyond the participants have an estimated rank on every leaderboard.
                    Field.flag("rankAll").defaultsTo(false),
                    // Whether the groups are ranked by several threads, for a leaderboard with more changes than one
                    // thread can process. If a
                    // user changes the group, the answer does not have the rank in the former one. Has no effect
                    // without breakdownAttributes.
                    Field.flag("spreadGroups").defaultsTo(false))
            .identified(Keys.CHANGEABLE)
            .pair("runUnit", "runInterval")
            .check(SharedFields::dates)
            .check(Leaderboard::window)
            .check(Leaderboard::teams)
            .requiredAtCreation("name", "key", "rankBy")
            .shown(
                    "id",
                    "name",
                    "key",
                    "description",
                    "status",
                    "rankBy",
                    "metricId",
                    "pointsSystemId",
                    "maxParticipants",
                    "start",
                    "end",
                    "startTime",
                    "endTime",
                    "breakdownAttributes",
                    "teams",
                    "runUnit",
                    "runInterval",
                    "rankAll",
                    "spreadGroups");

    private static void window(IssueList issues, String path, FieldMap board) {
        SharedFields.checkTimes(issues, path, "startTime", board.text("startTime"), "endTime", board.text("endTime"));
    }

    /** Whom a user's place on leaderboards shows to others (docs/semantics.md §7). The order is durable data. */
    public enum Visibility {
        PUBLIC,
        /** Ranked under a pseudonym. */
        ANONYMOUS,
        /** Not ranked. */
        HIDDEN
    }

    private static void teams(IssueList issues, String path, FieldMap board) {
        FieldMap teams = board.part("teams");
        if (teams.isEmpty()) {
            return;
        }
        // Each partition that has groups would know some teams only.
        issues.expect(
                !Boolean.TRUE.equals(board.get("spreadGroups")),
                path + "/spreadGroups",
                "must be false beside teams, which are ranked together");
        issues.expect(
                !(board.get("breakdownAttributes") instanceof List<?> attributes)
                        || !attributes.contains(teams.get("attribute")),
                path + "/teams/attribute",
                "must not be one of breakdownAttributes, of which each value has a ranking of teams of its own");
        int max = board.get("maxParticipants") instanceof Integer given ? given : MAX_PARTICIPANTS;
        issues.expect(
                !(teams.get("top") instanceof Integer top) || top <= max,
                path + "/teams/top",
                "must be at most maxParticipants, " + max);
    }

    /** The maximum number of participants of a group. */
    public static final int MAX_PARTICIPANTS = 1000;

    /** The first time zone in which a date begins is UTC+14. */
    private static final int FIRST_ZONE_HOURS = 14;

    /** The last time zone in which a date ends is UTC-12. */
    private static final int LAST_ZONE_HOURS = 12;

    public Leaderboard {
        breakdownAttributes = List.copyOf(breakdownAttributes);
        // Older documents lack them.
        rankAll = rankAll != null && rankAll;
        spreadGroups = spreadGroups != null && spreadGroups;
    }

    /** Whether each of its groups is a ranking for itself, in a partition of its own choice (docs/leaderboards.md). */
    public boolean hasSpreadGroups() {
        return spreadGroups && !breakdownAttributes.isEmpty();
    }

    /** The status at a time, unless it is changed before. */
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

    /** The time at which a date begins in the first time zone. */
    public static Instant beginning(LocalDate date) {
        return date.atStartOfDay().minusHours(FIRST_ZONE_HOURS).toInstant(ZoneOffset.UTC);
    }

    /** The time at which a date has ended in all time zones: 12:00 UTC on the next day. */
    public static Instant ending(LocalDate date) {
        return date.plusDays(1).atStartOfDay().plusHours(LAST_ZONE_HOURS).toInstant(ZoneOffset.UTC);
    }

    /**
     * The teams of a leaderboard (docs/semantics.md §7).
     *
     * @param attribute key of the user attribute whose values are the teams
     * @param top the number of members that {@link TeamScore#TOP} counts; null with other scores
     * @param minMembers with fewer members with a value above 0, a team is not ranked
     */
    public record Teams(
            String attribute, TeamScore score, @Nullable Integer top, int minMembers) {

        /** Ranks teams: users with the same value of a user attribute are a team. Not with spreadGroups. */
        static final Kind<Teams> KIND = Kind.of(
                        "teams",
                        Teams.class,
                        // The key of the user attribute whose values are the teams. Users without a value are on no
                        // team,
                        // and not ranked.
                        // API: The user attribute whose values are the teams. Users without a value are on no team, and
                        // not ranked.
                        Field.reference("attribute", SharedFields.USER_ATTRIBUTES)
                                .required()
                                .adminName("attributeId"),
                        // The score of a team, from the values of its members: their sum, their average over the
                        // members
                        // with a value above 0,
                        // the greatest, or with 'top' the sum of the greatest.
                        Field.word("score", TeamScore.class).required().sameAdminWords(),
                        // How many of the greatest values count, at most maxParticipants. With 'top' only.
                        Field.count("top", 1, Leaderboard.MAX_PARTICIPANTS)
                                .of("score", "top")
                                .required(),
                        // A team with fewer members with a value above 0 is not ranked.
                        Field.count("minMembers", 1, SharedFields.MAX_COUNT)
                                .defaultsTo(1)
                                .clearable())
                .requiredAtCreation("attributeId", "score");
    }

    /** How the values of its members make the score of a team. */
    public enum TeamScore {
        SUM,
        /** Over the members with a value above 0. */
        AVERAGE,
        MAX,
        /** The sum of the greatest. */
        TOP
    }

    /** The value by which a leaderboard ranks. */
    public sealed interface RankBy {

        /** @param metric key of the metric */
        record MetricTotal(String metric) implements RankBy {}

        /** @param system key of the points system */
        record PointsTotal(String system) implements RankBy {}

        /** The current streak length. */
        record StreakLength() implements RankBy {}
    }

    /** The length of a run. @param interval at least 1 */
    public record RunLength(RunUnit unit, int interval) {

        public enum RunUnit {
            DAY,
            MONTH,
            YEAR
        }
    }

    /** The states of a leaderboard (docs/semantics.md §7). Their order is durable data. */
    public enum LeaderboardStatus {
        /** Invisible; takes no participants. */
        INACTIVE,
        /** Becomes active automatically at its start. */
        SCHEDULED,
        ACTIVE,
        /** Final; its runs remain readable. */
        FINISHED;

        /**
         * The problem of a change to another status (docs/admin-api.md A5), apart from its dates; null if it is allowed.
         */
        public @Nullable String problemWith(LeaderboardStatus wanted) {
            boolean isAllowed = wanted == this
                    || switch (this) {
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
