package dev.laurel.query.read;

import static dev.laurel.query.read.PublicLeaderboard.dayOf;

import dev.laurel.core.analytics.ScoreRanges;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.core.leaderboard.TeamRanking.Team;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.view.LeaderboardBodies;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.partition.CurrentUsers.Present;
import dev.laurel.query.partition.LeaderboardQuery.FindPlaces;
import dev.laurel.query.partition.LeaderboardQuery.FindPlaces.Place;
import dev.laurel.query.partition.LeaderboardQuery.FindTeams;
import dev.laurel.query.partition.LeaderboardQuery.FindTeams.OfUser;
import dev.laurel.query.partition.LeaderboardQuery.MergeGroups;
import dev.laurel.query.partition.LeaderboardQuery.MergeGroups.MergedGroups;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery.ShowScores;
import dev.laurel.schemas.access.Hmac;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.LeaderboardBody.TeamBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads about leaderboards (docs/application-api.md §4 and §7), from the partitions that hold them. It treats inactive
 * leaderboards as unknown. Thread-safe.
 *
 * @param node its rankings are read; {@code nodes} find the places of a user
 * @param todayOf finds a user's local date, in days since 1970
 * @param pseudonymKey of anonymous users; null until the instance has one
 */
public record LeaderboardReads(
        LocalNode node,
        Nodes nodes,
        CurrentCounts counts,
        ToIntFunction<UserKey> todayOf,
        Supplier<byte @Nullable []> pseudonymKey) {

    /** The purpose for which {@code pseudonymKey} is derived. */
    public static final String PSEUDONYMS = "leaderboard pseudonyms";

    private static final int PSEUDONYM_BYTES = 10;

    /** The maximum number of groups that one request merges. It reads each of them. */
    static final int MAX_GROUPS = 10_000;

    /** About fifty years. */
    private static final int MAX_DAYS_OF_RUN = 20_000;

    /**
     * The requested part of a leaderboard.
     *
     * @param offset the number of places to skip, from the first one or from that of {@code user}
     * @param limit the number of places to show
     * @param run a date in the requested run, null for the run of today
     * @param user the id of a user, null to count from the first place
     * @param attributes values of breakdown attributes, by their keys
     * @param among these users only, who are ranked among themselves; null: all
     * @param viewer the user who reads, who is shown by id and name; null: unknown
     * @param team whose members are ranked; null: the teams are, if there are any
     */
    public record Page(
            int offset,
            int limit,
            @Nullable LocalDate run,
            @Nullable String user,
            Map<String, String> attributes,
            @Nullable List<UserId> among,
            @Nullable UserId viewer,
            @Nullable String team) {}

    /** Active and scheduled leaderboards, and finished ones if requested, oldest first. */
    public List<LeaderboardBody> all(TenantId tenant, boolean includeFinished) {
        CompiledRuleset rules = node.users().rulesets().newest(tenant);
        Instant now = node.users().clock().instant();
        return rules.boards().stream()
                .map(LeaderboardRules::board)
                .filter(board -> switch (board.statusAt(now)) {
                    case INACTIVE -> false;
                    case SCHEDULED, ACTIVE -> true;
                    case FINISHED -> includeFinished;
                })
                .sorted(Comparator.comparing(Leaderboard::created))
                .map(board -> LeaderboardBodies.listItem(board, rules, now))
                .toList();
    }

    /** @throws NotReadyException while this node cannot read the leaderboard */
    public LeaderboardBody rankings(TenantId tenant, String key, Page page) {
        return read(tenant, key, visible -> {
            expectSelection(visible.leaderboard(), page);
            int run = runOf(visible, page.run(), LocalDays.dayOf(visible.now().toEpochMilli(), ZoneOffset.UTC));
            Page asked = inTeam(visible.board(), page);
            return visible.listItem()
                    .ranked(
                            visible.status() == LeaderboardStatus.SCHEDULED
                                    ? List.of()
                                    : isOfTeams(visible.leaderboard(), page)
                                            ? teamsOf(visible, run, page)
                                            : page.among() != null
                                                    ? placesAmong(visible, run, asked, page.among())
                                                    : placesOf(visible, run, asked));
        });
    }

    /**
     * The place and the history of one user, in the user's own group.
     *
     * @param run a date in the requested run, null for the run of the user's local date
     * @param days the number of entries of history, the newest ones
     * @param isEstimated whether the user's place among all users is added
     * @throws NotReadyException while the user or the leaderboard cannot be read now
     */
    public LeaderboardBody ofUser(UserKey user, String key, @Nullable LocalDate run, int days, boolean isEstimated) {
        int today = todayOf.applyAsInt(user);
        return read(user.tenant(), key, visible -> {
            int number = runOf(visible, run, today);
            boolean isScheduled = visible.status() == LeaderboardStatus.SCHEDULED;
            // Users lose their values on a leaderboard that an operator has finished, one after the other.
            boolean isCounted = !isScheduled && visible.leaderboard().status() != LeaderboardStatus.FINISHED;
            // The state of the user knows the group in a run that may change. The leaderboard stores it with its next
            // commit only, and each
            // partition of a spread one knows its own groups.
            List<String> group = isScheduled || !visible.board().isBrokenDown()
                    ? null
                    : groupOf(user, visible.board().number(), number);
            Place place = isScheduled
                    ? null
                    : placesOf(visible, group, List.of(number), user.user(), days).stream()
                            .findFirst()
                            .orElse(null);
            LeaderboardBody body =
                    place == null ? visible.listItem().ofUser(null, null, List.of()) : bodyOf(visible, place, days);
            if (visible.leaderboard().teams() != null) {
                body = isScheduled
                        ? body.onTeam(null, null, null)
                        : onTeam(body, visible, teamsOf(visible, group, List.of(number), user.user()), number);
            }
            if (!isEstimated) {
                return body;
            }
            return isCounted
                    ? estimated(body, user, visible, number, place == null ? null : place.rank())
                    : body.estimated(null, null, null);
        });
    }

    /** The place of a user in one run. @param end null if the run has none */
    public record RunOfUser(LocalDate start, @Nullable LocalDate end, LeaderboardBody leaderboard) {}

    /**
     * Every run of every leaderboard in which the user takes part, with all of its history, oldest first. It reads each run.
     *
     * @throws NotReadyException while one of the leaderboards cannot be read now
     */
    public List<RunOfUser> runsOf(UserKey user) {
        CompiledRuleset rules = node.users().rulesets().newest(user.tenant());
        Instant now = node.users().clock().instant();
        var found = new ArrayList<RunOfUser>();
        for (PublicLeaderboard visible : PublicLeaderboard.started(user.tenant(), rules, now)) {
            Runs runs = visible.board().runs();
            List<Integer> started = startedRuns(visible);
            boolean hasTeams = visible.leaderboard().teams() != null;
            List<OfUser> teams = hasTeams ? teamsOf(visible, null, started, user.user()) : List.of();
            for (Place place : placesOf(visible, null, started, user.user(), MAX_DAYS_OF_RUN)) {
                LeaderboardBody body = bodyOf(visible, place, MAX_DAYS_OF_RUN);
                found.add(new RunOfUser(
                        runs.firstDateOf(place.run()),
                        runs.lastDateOf(place.run()),
                        hasTeams ? onTeam(body, visible, teams, place.run()) : body));
            }
        }
        return found;
    }

    private static List<Integer> startedRuns(PublicLeaderboard visible) {
        Runs runs = visible.board().runs();
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

    private <T> T read(TenantId tenant, String key, Function<PublicLeaderboard, T> show) {
        return new FreshRulesetRetry(node.users().rulesets()).read(tenant, rules -> {
            LeaderboardRules board = rules.board(key);
            Instant now = node.users().clock().instant();
            if (board == null || board.board().statusAt(now) == LeaderboardStatus.INACTIVE) {
                throw new Refused(Refusal.unknown("leaderboard", key));
            }
            return show.apply(new PublicLeaderboard(tenant, board, rules, now));
        });
    }

    private static boolean isOfTeams(Leaderboard board, Page page) {
        return board.teams() != null && page.team() == null && page.among() == null;
    }

    /** The page with the team among the attributes. */
    private static Page inTeam(LeaderboardRules board, Page page) {
        if (page.team() == null) {
            return page;
        }
        var attributes = new HashMap<>(page.attributes());
        attributes.put(board.keys().getLast(), page.team());
        return Records.with(page, "attributes", attributes);
    }

    /** Checks that the attributes and the team select a ranking. */
    private static void expectSelection(Leaderboard board, Page page) {
        Map<String, String> attributes = page.attributes();
        if (board.teams() == null && page.team() != null) {
            throw Refused.because("team must not be given: the leaderboard '" + board.key() + "' has no teams.");
        }
        if (isOfTeams(board, page) && page.user() != null) {
            throw Refused.because("userId must not be given without team: the leaderboard '" + board.key()
                    + "' ranks teams, and the members of each.");
        }
        List<String> keys = board.breakdownAttributes();
        if (keys.isEmpty() && !attributes.isEmpty()) {
            throw Refused.because("userAttributes must not be given: the leaderboard '" + board.key()
                    + "' has no breakdown attributes.");
        }
        if (!keys.isEmpty() && attributes.isEmpty()) {
            throw Refused.because(
                    "userAttributes is required, with values of one or more of: " + String.join(", ", keys) + ".");
        }
        for (String key : attributes.keySet()) {
            if (!keys.contains(key)) {
                throw Refused.because(
                        "userAttributes has the key '" + key + "', must be one of: " + String.join(", ", keys) + ".");
            }
        }
    }

    /**
     * The requested run. Without a date there is always one. The first run always exists, later ones from their beginning on.
     *
     * @param date in the run; null for the run of {@code today}, or the first or last run if there is none
     * @throws Refused if it does not exist
     */
    private static int runOf(PublicLeaderboard visible, @Nullable LocalDate date, int today) {
        Runs runs = visible.board().runs();
        Leaderboard board = visible.leaderboard();
        // A leaderboard that an operator has finished has no later runs.
        Instant last = board.finished() == null ? visible.now() : board.finished();
        int first = runs.runOf(dayOf(board.start()));
        if (date != null) {
            int run = runs.runOf(dayOf(date));
            if (run == Runs.NONE || run != first && runs.beginningMsOf(run) > last.toEpochMilli()) {
                throw new Refused(Refusal.unknownRun(board.key(), date));
            }
            return run;
        }
        int day = today;
        if (board.finished() != null) {
            day = Math.min(day, LocalDays.dayOf(last.toEpochMilli(), ZoneOffset.UTC));
        }
        if (board.end() != null) {
            day = Math.min(day, dayOf(board.end()));
        }
        int run = runs.runOf(day);
        return run == Runs.NONE ? first : run;
    }

    private List<TeamBody> teamsOf(PublicLeaderboard visible, int run, Page page) {
        List<String> keys = visible.leaderboard().breakdownAttributes();
        if (page.attributes().size() < keys.size()) {
            throw Refused.because("userAttributes must have a value of each of: " + String.join(", ", keys)
                    + ". The teams of each group have a ranking of their own.");
        }
        LeaderboardGroup group =
                visible.group(run, keys.stream().map(page.attributes()::get).toList());
        TeamRanking ranking = node.boards()
                .read(node.boards().layout().partitionOf(group, visible.board()), reads -> reads.teams(group));
        if (ranking.areTooMany()) {
            throw Refused.because("The leaderboard '" + visible.leaderboard().key() + "' has more than "
                    + TeamRanking.MAX_TEAMS + " teams, which is the most that are ranked. Name a team.");
        }
        var teams = new ArrayList<TeamBody>();
        int first = Math.min(page.offset(), ranking.count());
        int last = (int) Math.min(ranking.count(), first + (long) page.limit());
        for (Team team : ranking.bestFirst().subList(first, last)) {
            teams.add(new TeamBody(
                    team.name(),
                    team.name(),
                    team.name(),
                    team.members(),
                    LeaderboardBodies.shown(team.value(), visible.rules()),
                    first + teams.size() + 1));
        }
        return teams;
    }

    private Ranking rankingOf(PublicLeaderboard visible, int run, Map<String, String> attributes) {
        List<String> keys = visible.board().keys();
        List<@Nullable String> values =
                keys.stream().<@Nullable String>map(attributes::get).toList();
        if (attributes.size() == keys.size()) {
            LeaderboardGroup group =
                    visible.group(run, keys.stream().map(attributes::get).toList());
            return node.boards()
                    .read(
                            node.boards().layout().partitionOf(group, visible.board()),
                            reads -> reads.ranking(group, visible.size()));
        }
        var query =
                new MergeGroups(visible.tenant(), visible.board().number(), run, values, visible.size(), MAX_GROUPS);
        MergedGroups merged = visible.board().isSpread()
                ? nodes.ask(query)
                : node.boards()
                        .read(
                                node.boards()
                                        .layout()
                                        .partitionOf(
                                                visible.tenant(),
                                                visible.board().number()),
                                query::answer);
        if (merged.groups() > MAX_GROUPS) {
            throw Refused.because("userAttributes must have a value of each of: "
                    + String.join(", ", visible.leaderboard().breakdownAttributes())
                    + ". The leaderboard has more than " + MAX_GROUPS + " groups, which is the most that are merged.");
        }
        return merged.ranking();
    }

    private List<RankingBody> placesOf(PublicLeaderboard visible, int run, Page page) {
        Ranking ranking = rankingOf(visible, run, page.attributes());
        if (page.user() == null) {
            return show(visible, ranking, 1, 1, page);
        }
        if (UserId.problemWith(page.user()) != null) {
            return List.of();
        }
        var user = new UserId(page.user());
        int rank = ranking.rankOf(user);
        return rank > 0
                ? show(visible, ranking, rank, rank, page)
                : isFinal(visible, run) ? List.of() : placesBehind(visible, run, ranking.size(), user, page);
    }

    /** @param from the place in the ranking from which {@code page} counts; @param rank that is shown there */
    private List<RankingBody> show(PublicLeaderboard visible, Ranking ranking, int from, long rank, Page page) {
        long first = from + (long) page.offset();
        long last = Math.min(ranking.size(), first + page.limit() - 1);
        var places = new ArrayList<RankingBody>();
        for (long at = first; at <= last; at++) {
            Standing standing = ranking.at((int) at);
            boolean isNamed = standing.visibility() == Visibility.PUBLIC
                    || standing.user().equals(page.viewer());
            places.add(new RankingBody(
                    isNamed ? standing.user().value() : pseudonym(visible, standing.user()),
                    isNamed ? standing.name() : null,
                    Math.toIntExact(rank + at - from),
                    LeaderboardBodies.shown(standing.value(), visible.rules())));
        }
        return places;
    }

    /** The name of an anonymous user on a leaderboard, by which the user is found nowhere else. */
    private String pseudonym(PublicLeaderboard visible, UserId user) {
        byte[] key = pseudonymKey.get();
        if (key == null) {
            throw new NotReadyException("the key of pseudonyms is not written yet");
        }
        byte[] hash = Hmac.sha256(key, visible.board().number() + "/" + new UserKey(visible.tenant(), user).text());
        return "anonymous-" + HexFormat.of().formatHex(hash, 0, PSEUDONYM_BYTES);
    }

    private static boolean isFinal(PublicLeaderboard visible, int run) {
        return visible.leaderboard().status() == LeaderboardStatus.FINISHED
                || visible.board().runs().finalMsOf(run) <= visible.now().toEpochMilli();
    }

    /** The places of a user who is no participant, and of those who follow: estimated ranks, if the user has a value. */
    private List<RankingBody> placesBehind(
            PublicLeaderboard visible, int run, int participants, UserId user, Page page) {
        List<Standing> own = scoresOf(visible, run, List.of(user), page.attributes());
        List<String> keys = visible.board().keys();
        if (own.isEmpty() || page.attributes().size() < keys.size()) {
            return List.of();
        }
        LeaderboardGroup group =
                visible.group(run, keys.stream().map(page.attributes()::get).toList());
        Ranking outside = node.boards()
                .read(node.boards().layout().partitionOf(group, visible.board()), reads -> reads.outside(group));
        int known = outside.rankOf(user);
        BigDecimal value = own.getFirst().value();
        ScoreRanges.Counts among =
                counts.scores(visible.tenant(), visible.board().number(), run, group.values(), value);
        long rank = Math.max(participants + Math.max(known, 1), among.rankOf(value, visible.size()));
        return known > 0 ? show(visible, outside, known, rank, page) : show(visible, Ranking.of(own), 1, rank, page);
    }

    /** The places of some users among themselves. Who is anonymous has none, since the id that was asked for would tell the pseudonym. */
    private List<RankingBody> placesAmong(PublicLeaderboard visible, int run, Page page, List<UserId> users) {
        Set<UserId> wanted = Set.copyOf(users);
        List<Standing> scores;
        if (isFinal(visible, run)) {
            // The states of users have no final runs.
            Ranking ranking = rankingOf(visible, run, page.attributes());
            scores = IntStream.rangeClosed(1, ranking.size())
                    .mapToObj(ranking::at)
                    .filter(standing -> wanted.contains(standing.user()))
                    .toList();
        } else {
            scores = scoresOf(visible, run, List.copyOf(wanted), page.attributes());
        }
        Ranking among = Ranking.of(scores.stream()
                .filter(standing -> standing.visibility() == Visibility.PUBLIC
                        || standing.user().equals(page.viewer()))
                .toList());
        return show(visible, among, 1, 1, page);
    }

    private List<Standing> scoresOf(
            PublicLeaderboard visible, int run, List<UserId> users, Map<String, String> attributes) {
        List<String> keys = visible.board().keys();
        return nodes.ask(new ShowScores(visible.tenant(), visible.board().number(), run, users)).values().stream()
                .filter(score -> IntStream.range(0, keys.size())
                        .allMatch(i -> !attributes.containsKey(keys.get(i))
                                || score.group().get(i).equals(attributes.get(keys.get(i)))))
                .map(score -> new Standing(
                        new UserId(score.user()), score.name(), score.visibility(), score.value(), score.changedMs()))
                .toList();
    }

    /**
     * Adds the user's place among all users who have a value, from the counters of the account, which every node knows and which follow a
     * change within a second.
     *
     * @param rank of the user among the participants; null if the user is none
     */
    private LeaderboardBody estimated(
            LeaderboardBody body, UserKey user, PublicLeaderboard visible, int run, @Nullable Integer rank) {
        LeaderboardRules board = visible.board();
        Scored scored = node.users()
                .find(user, present -> scoredOf(present, board, run))
                .orElse(null);
        if (scored == null) {
            return body.estimated(null, null, null);
        }
        ScoreRanges.Counts among = counts.scores(user.tenant(), board.number(), run, scored.group, scored.value);
        long all = among.all();
        if (all <= 0) {
            return body.estimated(null, null, null);
        }
        long estimated =
                rank != null ? rank : among.rankOf(scored.value, board.board().maxParticipants());
        long place = Math.clamp(estimated, 1, all);
        LeaderboardBody valued = rank != null
                ? body
                : body.ofUser(null, visible.shown(scored.value), body.history().orElseThrow());
        return valued.estimated(place, CurrentCounts.percent(all - place, all), all);
    }

    private record Scored(BigDecimal value, List<String> group) {}

    /** Null if the user is not ranked in this run. */
    private static @Nullable Scored scoredOf(Present present, LeaderboardRules board, int run) {
        LeaderboardState state = present.history().boardRun(present.state(), board.number(), run);
        List<String> group = board.groupOf(present.state().profile().attributes());
        return state == null || group == null || state.value().signum() <= 0 ? null : new Scored(state.value(), group);
    }

    private @Nullable List<String> groupOf(UserKey user, int board, int run) {
        return node.users()
                .find(user, present -> {
                    LeaderboardState state = present.history().boardRun(present.state(), board, run);
                    return state == null ? null : state.group();
                })
                .orElse(null);
    }

    /** @param group of the user; null: it is not known */
    private List<Place> placesOf(
            PublicLeaderboard visible, @Nullable List<String> group, List<Integer> runs, UserId user, int days) {
        return nodes.ask(new FindPlaces(
                        visible.tenant(),
                        visible.board().number(),
                        visible.board().isBrokenDown() ? group : List.of(),
                        visible.size(),
                        user,
                        runs,
                        days))
                .values();
    }

    /** @param group of the user; null: it is not known */
    private List<OfUser> teamsOf(
            PublicLeaderboard visible, @Nullable List<String> group, List<Integer> runs, UserId user) {
        return nodes.ask(new FindTeams(visible.tenant(), visible.board().number(), group, user, runs))
                .values();
    }

    private static LeaderboardBody onTeam(
            LeaderboardBody body, PublicLeaderboard visible, List<OfUser> teams, int run) {
        return teams.stream()
                .filter(team -> team.run() == run)
                .findFirst()
                .map(team -> body.onTeam(team.team(), team.rank(), visible.shown(team.value())))
                .orElseGet(() -> body.onTeam(null, null, null));
    }

    private static LeaderboardBody bodyOf(PublicLeaderboard visible, Place place, int days) {
        return visible.listItem()
                .ofUser(place.rank(), visible.shown(place.value()), visible.history(place.ends(), days));
    }
}
