package dev.laurel.query.read;

import dev.laurel.core.analytics.ScoreRanges;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.PartitionLeaderboards;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.core.leaderboard.TeamRanking.Team;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.view.LeaderboardBodies;
import dev.laurel.query.locate.LeaderboardPartitions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.partition.LeaderboardQuery;
import dev.laurel.query.partition.LeaderboardQuery.MergeGroups;
import dev.laurel.query.partition.LeaderboardQuery.MergeGroups.MergedGroups;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery.ShowScores;
import dev.laurel.query.partition.UserQuery.ShowScores.ShownScore;
import dev.laurel.query.read.LeaderboardReads.Page;
import dev.laurel.schemas.access.Hmac;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.wire.LeaderboardBody.PlaceBody;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.LeaderboardBody.TeamBody;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Reads a part of the places in a run of a leaderboard: those of users, or of teams. @param page with the team among the attributes */
record RankedPlaces(LeaderboardReads reads, PublicLeaderboard visible, int run, Page page) {

    private static final int PSEUDONYM_BYTES = 10;

    /** @throws Refused if the page does not select a ranking that exists */
    static RankedPlaces of(LeaderboardReads reads, PublicLeaderboard visible, Page page) {
        expectSelection(visible.leaderboard(), page);
        int today = LocalDays.dayOf(visible.now().toEpochMilli(), ZoneOffset.UTC);
        return new RankedPlaces(reads, visible, visible.runOf(page.run(), today), inTeam(visible, page));
    }

    private static Page inTeam(PublicLeaderboard visible, Page page) {
        if (page.team() == null) {
            return page;
        }
        var attributes = new HashMap<>(page.attributes());
        attributes.put(visible.board().keys().getLast(), page.team());
        return Records.with(page, "attributes", attributes);
    }

    private static boolean isOfTeams(Leaderboard board, Page page) {
        return board.teams() != null && page.team() == null && page.among() == null;
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

    List<? extends PlaceBody> read() {
        if (visible.status() == LeaderboardStatus.SCHEDULED) {
            return List.of();
        }
        return isOfTeams(visible.leaderboard(), page)
                ? teams()
                : page.among() != null ? usersAmong(Set.copyOf(page.among())) : users();
    }

    private List<TeamBody> teams() {
        List<String> keys = visible.leaderboard().breakdownAttributes();
        if (page.attributes().size() < keys.size()) {
            throw Refused.because("userAttributes must have a value of each of: " + String.join(", ", keys)
                    + ". The teams of each group have a ranking of their own.");
        }
        TeamRanking ranking = readGroup(keys, PartitionLeaderboards::teams);
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
                    shown(team.value()),
                    first + teams.size() + 1));
        }
        return teams;
    }

    private BigDecimal shown(BigDecimal value) {
        return LeaderboardBodies.shown(value, visible.rules());
    }

    private LeaderboardGroup group(List<String> keys) {
        return visible.group(run, keys.stream().map(page.attributes()::get).toList());
    }

    /** Reads the group that has the requested values of these attributes. */
    private <T> T readGroup(List<String> keys, BiFunction<PartitionLeaderboards, LeaderboardGroup, T> read) {
        LeaderboardGroup group = group(keys);
        LeaderboardPartitions boards = reads.node().boards();
        return boards.read(
                boards.layout().partitionOf(group, visible.board()), partition -> read.apply(partition, group));
    }

    private boolean isOneGroup() {
        return page.attributes().size() == visible.board().keys().size();
    }

    /** The requested values of the attributes that divide the leaderboard; null: any. */
    private List<@Nullable String> wanted() {
        return visible.board().keys().stream()
                .<@Nullable String>map(page.attributes()::get)
                .toList();
    }

    private Ranking ranking() {
        if (isOneGroup()) {
            return readGroup(visible.board().keys(), (partition, group) -> partition.ranking(group, visible.size()));
        }
        var query = new MergeGroups(
                visible.tenant(), visible.board().number(), run, wanted(), visible.size(), LeaderboardReads.MAX_GROUPS);
        Nodes nodes = visible.board().isSpread() ? reads.nodes() : reads.node();
        MergedGroups merged = nodes.ask(query);
        if (merged.groups() > LeaderboardReads.MAX_GROUPS) {
            throw Refused.because("userAttributes must have a value of each of: "
                    + String.join(", ", visible.leaderboard().breakdownAttributes())
                    + ". The leaderboard has more than " + LeaderboardReads.MAX_GROUPS
                    + " groups, which is the most that are merged.");
        }
        return Ranking.of(merged.participants());
    }

    private List<RankingBody> users() {
        Ranking ranking = ranking();
        if (page.user() == null) {
            return show(ranking, 1, 1);
        }
        if (UserId.problemWith(page.user()) != null) {
            return List.of();
        }
        var user = new UserId(page.user());
        int rank = ranking.rankOf(user);
        return rank > 0 ? show(ranking, rank, rank) : isFinal() ? List.of() : usersBehind(ranking.size(), user);
    }

    /** @param from the place in the ranking from which the page counts; @param rank that is shown there */
    private List<RankingBody> show(Ranking ranking, int from, long rank) {
        long first = from + (long) page.offset();
        long last = Math.min(ranking.size(), first + page.limit() - 1);
        var places = new ArrayList<RankingBody>();
        for (long at = first; at <= last; at++) {
            Standing standing = ranking.at((int) at);
            boolean isNamed = isNamed(standing);
            places.add(new RankingBody(
                    isNamed ? standing.user().value() : pseudonym(standing.user()),
                    isNamed ? standing.name() : null,
                    Math.toIntExact(rank + at - from),
                    shown(standing.value())));
        }
        return places;
    }

    private boolean isNamed(Standing standing) {
        return standing.visibility() == Visibility.PUBLIC || standing.user().equals(page.viewer());
    }

    /** The name of an anonymous user on a leaderboard, by which the user is found nowhere else. */
    private String pseudonym(UserId user) {
        byte[] key = reads.pseudonymKey().get();
        if (key == null) {
            throw new NotReadyException("the key of pseudonyms is not written yet");
        }
        byte[] hash = Hmac.sha256(key, visible.board().number() + "/" + new UserKey(visible.tenant(), user).text());
        return "anonymous-" + HexFormat.of().formatHex(hash, 0, PSEUDONYM_BYTES);
    }

    private boolean isFinal() {
        return visible.leaderboard().status() == LeaderboardStatus.FINISHED
                || visible.board().runs().finalMsOf(run) <= visible.now().toEpochMilli();
    }

    /** The places of a user who is no participant, and of those who follow: estimated ranks, if the user has a value. */
    private List<RankingBody> usersBehind(int participants, UserId user) {
        List<Standing> own = scores(Set.of(user));
        if (own.isEmpty() || !isOneGroup()) {
            return List.of();
        }
        List<String> keys = visible.board().keys();
        Ranking outside = readGroup(keys, PartitionLeaderboards::outside);
        int known = outside.rankOf(user);
        BigDecimal value = own.getFirst().value();
        ScoreRanges.Counts among = reads.counts()
                .scores(
                        visible.tenant(),
                        visible.board().number(),
                        run,
                        group(keys).values(),
                        value);
        long rank = Math.max(participants + Math.max(known, 1), among.rankOf(value, visible.size()));
        return known > 0 ? show(outside, known, rank) : show(Ranking.of(own), 1, rank);
    }

    /** The places of some users among themselves. Who is anonymous has none, since the id that was asked for would tell the pseudonym. */
    private List<RankingBody> usersAmong(Set<UserId> users) {
        // The states of users have no final runs.
        List<Standing> scores = isFinal()
                ? ranking().bestFirst().stream()
                        .filter(standing -> users.contains(standing.user()))
                        .toList()
                : scores(users);
        return show(Ranking.of(scores.stream().filter(this::isNamed).toList()), 1, 1);
    }

    private List<Standing> scores(Set<UserId> users) {
        List<@Nullable String> wanted = wanted();
        var query = new ShowScores(visible.tenant(), visible.board().number(), run, List.copyOf(users));
        return reads.nodes().ask(query).values().stream()
                .filter(score -> LeaderboardQuery.areWanted(score.group(), wanted))
                .map(ShownScore::standing)
                .toList();
    }
}
