package dev.laurel.query.read;

import static dev.laurel.query.read.PublicLeaderboard.dayOf;

import dev.laurel.core.analytics.ScoreRanges;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.query.partition.CurrentUsers.Present;
import dev.laurel.query.partition.LeaderboardQuery.FindPlaces;
import dev.laurel.query.partition.LeaderboardQuery.FindPlaces.Place;
import dev.laurel.query.partition.LeaderboardQuery.FindTeams;
import dev.laurel.query.partition.LeaderboardQuery.FindTeams.OfUser;
import dev.laurel.query.read.LeaderboardReads.RunOfUser;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.wire.LeaderboardBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the places of one user on a leaderboard. */
record UserPlaces(LeaderboardReads reads, PublicLeaderboard visible, UserKey user) {

    /** About fifty years. */
    private static final int MAX_DAYS_OF_RUN = 20_000;

    private record Scored(BigDecimal value, List<String> group) {}

    /** See {@link LeaderboardReads#ofUser}. @param run its number */
    LeaderboardBody in(int run, int days, boolean isEstimated) {
        boolean hasStarted = visible.status() != LeaderboardStatus.SCHEDULED;
        // The state of the user knows the group in a run that may change. The leaderboard stores it with its next
        // commit only, and each partition of a spread one knows its own groups.
        List<String> group =
                hasStarted && visible.board().isBrokenDown() ? find(present -> groupOf(stateIn(run, present))) : null;
        Place place = hasStarted
                ? places(group, List.of(run), days).stream().findFirst().orElse(null)
                : null;
        LeaderboardBody body = place == null ? visible.listItem().ofUser(null, null, List.of()) : bodyOf(place, days);
        if (hasTeams()) {
            body = onTeam(body, hasStarted ? teams(group, List.of(run)) : List.of(), run);
        }
        return isEstimated ? estimated(body, run, place == null ? null : place.rank()) : body;
    }

    /** See {@link LeaderboardReads#runsOf}. */
    Stream<RunOfUser> inAllRuns() {
        Runs runs = visible.board().runs();
        List<Integer> started = startedRuns(runs);
        List<OfUser> teams = hasTeams() ? teams(null, started) : List.of();
        return places(null, started, MAX_DAYS_OF_RUN).stream().map(place -> {
            LeaderboardBody body = bodyOf(place, MAX_DAYS_OF_RUN);
            return new RunOfUser(
                    runs.firstDateOf(place.run()),
                    runs.lastDateOf(place.run()),
                    hasTeams() ? onTeam(body, teams, place.run()) : body);
        });
    }

    private List<Integer> startedRuns(Runs runs) {
        var started = new ArrayList<Integer>();
        int run = runs.runOf(dayOf(visible.leaderboard().start()));
        while (run != Runs.NONE && runs.beginningMsOf(run) <= visible.now().toEpochMilli()) {
            started.add(run);
            LocalDate last = runs.lastDateOf(run);
            run = last == null || run == Runs.PERPETUAL && visible.leaderboard().runs() == null
                    ? Runs.NONE
                    : runs.runOf(dayOf(last) + 1);
        }
        return started;
    }

    private boolean hasTeams() {
        return visible.leaderboard().teams() != null;
    }

    private <T> @Nullable T find(Function<Present, @Nullable T> show) {
        return reads.node().users().<T>find(user, show).orElse(null);
    }

    private @Nullable LeaderboardState stateIn(int run, Present present) {
        return present.history().boardRun(present.state(), visible.board().number(), run);
    }

    private static @Nullable List<String> groupOf(@Nullable LeaderboardState state) {
        return state == null ? null : state.group();
    }

    /**
     * Adds the user's place among all users who have a value, from the counters of the account, which every node knows and which follow a
     * change within a second.
     *
     * @param rank of the user among the participants; null if the user is none
     */
    private LeaderboardBody estimated(LeaderboardBody body, int run, @Nullable Integer rank) {
        // Users lose their values on a leaderboard that an operator has finished, one after the other.
        boolean isCounted = visible.status() != LeaderboardStatus.SCHEDULED
                && visible.leaderboard().status() != LeaderboardStatus.FINISHED;
        Scored scored = isCounted ? find(present -> scoredIn(run, present)) : null;
        ScoreRanges.Counts among = scored == null
                ? null
                : reads.counts().scores(user.tenant(), visible.board().number(), run, scored.group, scored.value);
        if (scored == null || among == null || among.all() <= 0) {
            return body.estimated(null, null, null);
        }
        long all = among.all();
        long place = Math.clamp(rank != null ? rank : among.rankOf(scored.value, visible.size()), 1, all);
        LeaderboardBody valued = rank != null
                ? body
                : body.ofUser(null, visible.shown(scored.value), body.history().orElseThrow());
        return valued.estimated(place, CurrentCounts.percent(all - place, all), all);
    }

    /** Null if the user is not ranked in this run. */
    private @Nullable Scored scoredIn(int run, Present present) {
        LeaderboardState state = stateIn(run, present);
        List<String> group = visible.board().groupOf(present.state().profile().attributes());
        return state == null || group == null || state.value().signum() <= 0 ? null : new Scored(state.value(), group);
    }

    /** @param group of the user; null: it is not known */
    private List<Place> places(@Nullable List<String> group, List<Integer> runs, int days) {
        return reads.nodes()
                .ask(new FindPlaces(
                        visible.tenant(),
                        visible.board().number(),
                        visible.board().isBrokenDown() ? group : List.of(),
                        visible.size(),
                        user.user(),
                        runs,
                        days))
                .values();
    }

    /** @param group of the user; null: it is not known */
    private List<OfUser> teams(@Nullable List<String> group, List<Integer> runs) {
        return reads.nodes()
                .ask(new FindTeams(visible.tenant(), visible.board().number(), group, user.user(), runs))
                .values();
    }

    private LeaderboardBody onTeam(LeaderboardBody body, List<OfUser> teams, int run) {
        return teams.stream()
                .filter(team -> team.run() == run)
                .findFirst()
                .map(team -> body.onTeam(team.team(), team.rank(), visible.shown(team.value())))
                .orElseGet(() -> body.onTeam(null, null, null));
    }

    private LeaderboardBody bodyOf(Place place, int days) {
        return visible.listItem()
                .ofUser(place.rank(), visible.shown(place.value()), visible.history(place.ends(), days));
    }
}
