package dev.laurel.query.read;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardGroup.View;
import dev.laurel.core.leaderboard.PartitionLeaderboards;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.core.leaderboard.RunFigures.DayChanges;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.core.leaderboard.TeamRanking.Team;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.LeaderboardPartitions;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.partition.CurrentUsers;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.read.YearReviews.BestRanks;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength;
import dev.laurel.schemas.ruleset.Leaderboard.TeamScore;
import dev.laurel.schemas.ruleset.Leaderboard.Teams;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.StreakSettings;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/** Leaderboards by streak length in memory. A test sets their rankings. */
public final class InMemoryLeaderboards implements PartitionLeaderboards {

    public static final Instant NOW = Instant.parse("2026-03-04T09:00:00Z");
    private static final LeaderboardLayout LAYOUT = new LeaderboardLayout(2);
    private static final int NEW_YEAR = (int) LocalDate.parse("2026-01-01").toEpochDay();

    private final List<Leaderboard> boards = new ArrayList<>();
    private final Map<LeaderboardGroup, Ranking> rankings = new LinkedHashMap<>();
    private final Map<LeaderboardGroup, Ranking> outside = new HashMap<>();
    private final Map<LeaderboardGroup, TeamRanking> teams = new HashMap<>();
    private final Map<String, List<DayEnd>> days = new HashMap<>();
    private final Map<String, List<LeaderboardGroup>> stays = new HashMap<>();
    private final Map<List<Object>, List<DayEnd>> daysOfRuns = new HashMap<>();
    private final Set<String> unknownUsers = new HashSet<>();
    private LocalDate localToday = LocalDate.parse("2026-03-04");
    private boolean isOpen = true;
    private boolean isServed = true;
    private boolean knowsGroups = true;
    private Settings settings = Settings.DEFAULT;
    private Instant now = NOW;
    private boolean areFinal;
    private int figuresRead;

    /** Builds a leaderboard of at most three participants that is active since the start of the year. */
    public static BoardBuilder board(int number, String key) {
        return new BoardBuilder(number, key);
    }

    /** Builds a leaderboard. */
    public static final class BoardBuilder {

        private final int number;
        private final String key;
        private LeaderboardStatus status = LeaderboardStatus.ACTIVE;
        private LocalDate start = LocalDate.parse("2026-01-01");
        private LocalDate end;
        private RunLength runs;
        private List<String> breakdown = List.of();
        private Instant created = Instant.parse("2026-01-01T00:00:00Z");
        private Instant finished;
        private boolean isSpread;
        private Teams teams;

        private BoardBuilder(int number, String key) {
            this.number = number;
            this.key = key;
        }

        public BoardBuilder status(LeaderboardStatus is) {
            status = is;
            return this;
        }

        public BoardBuilder from(String date) {
            start = LocalDate.parse(date);
            return this;
        }

        public BoardBuilder to(String date) {
            end = LocalDate.parse(date);
            return this;
        }

        public BoardBuilder every(int interval, RunLength.RunUnit unit) {
            runs = new RunLength(unit, interval);
            return this;
        }

        public BoardBuilder by(String... attributes) {
            breakdown = List.of(attributes);
            return this;
        }

        public BoardBuilder created(String at) {
            created = Instant.parse(at);
            return this;
        }

        public BoardBuilder finishedAt(String at) {
            finished = Instant.parse(at);
            return status(LeaderboardStatus.FINISHED);
        }

        public BoardBuilder spread() {
            isSpread = true;
            return this;
        }

        public BoardBuilder inTeamsBy(String attribute) {
            teams = new Teams(attribute, TeamScore.SUM, null, 1);
            return this;
        }

        private Leaderboard build() {
            return new Leaderboard(
                    number,
                    new UUID(0, number),
                    key,
                    "Board " + key,
                    null,
                    status,
                    new RankBy.StreakLength(),
                    start,
                    end,
                    null,
                    null,
                    3,
                    breakdown,
                    runs,
                    created,
                    created,
                    finished,
                    false,
                    isSpread,
                    teams);
        }
    }

    public InMemoryLeaderboards with(BoardBuilder builder) {
        boards.add(builder.build());
        return this;
    }

    /** @param standings "user value" or "user value VISIBILITY" each, in the order in which they were reached */
    public InMemoryLeaderboards rank(int board, int run, List<String> group, String... standings) {
        rankings.put(new LeaderboardGroup(TenantId.NONE, board, run, group), ranking(standings));
        return this;
    }

    /** Sets who stands behind the participants. Arguments as of {@link #rank}. */
    public InMemoryLeaderboards behind(int board, int run, List<String> group, String... standings) {
        outside.put(new LeaderboardGroup(TenantId.NONE, board, run, group), ranking(standings));
        return this;
    }

    private static Ranking ranking(String... standings) {
        var participants = new ArrayList<Standing>();
        for (String standing : standings) {
            String[] words = standing.split(" ");
            participants.add(new Standing(
                    new UserId(words[0]),
                    words[0].equals("ida") ? "Ida Laine" : null,
                    words.length > 2 ? Visibility.valueOf(words[2]) : Visibility.PUBLIC,
                    new BigDecimal(words[1]),
                    participants.size()));
        }
        return Ranking.of(participants);
    }

    /** @param ranked best first */
    public InMemoryLeaderboards teams(int board, int run, List<String> group, Team... ranked) {
        teams.put(
                new LeaderboardGroup(TenantId.NONE, board, run, group), TeamRanking.of(List.of(ranked), ranked.length));
        return this;
    }

    public InMemoryLeaderboards dayEnds(String user, DayEnd... ends) {
        days.put(user, List.of(ends));
        return this;
    }

    /** Sets the places of a participant at the ends of days. */
    public InMemoryLeaderboards stay(String user, int board, int run, List<String> group, DayEnd... ends) {
        var groupOfRun = new LeaderboardGroup(TenantId.NONE, board, run, group);
        stays.computeIfAbsent(user, _ -> new ArrayList<>()).add(groupOfRun);
        daysOfRuns.put(List.of(groupOfRun, user), List.of(ends));
        return this;
    }

    public void localDate(String date) {
        localToday = LocalDate.parse(date);
    }

    public void now(String at) {
        now = Instant.parse(at);
    }

    public void removeUser(String user) {
        unknownUsers.add(user);
    }

    public void showIntegers() {
        settings = new Settings(
                0,
                settings.defaultTimeZone(),
                settings.weekStartsOn(),
                true,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** How often figures of runs were read. */
    public int figuresRead() {
        return figuresRead;
    }

    /** As before a commit: rankings are known, but not who is in which. */
    void forgetGroups() {
        knowsGroups = false;
    }

    public void close() {
        isOpen = false;
    }

    public void fallBehind() {
        setServed(false);
    }

    public void setServed(boolean served) {
        isServed = served;
    }

    /** Makes all runs final. */
    public void endAllRuns() {
        areFinal = true;
    }

    /** A node without users. */
    public LocalNode localNode() {
        return new LocalNode(
                new CurrentUsers(new InMemoryUsers().partitions(), rulesets(), () -> now),
                partitions(),
                () -> null,
                () -> null);
    }

    public LeaderboardPartitions partitions() {
        return new LeaderboardPartitions(LAYOUT, _ -> isServed, this::partOf);
    }

    /** Everything but the groups of spread leaderboards that are in other partitions. */
    private InMemoryLeaderboards partOf(int partition) {
        Set<Integer> spread = boards.stream()
                .filter(Leaderboard::hasSpreadGroups)
                .map(Leaderboard::number)
                .collect(Collectors.toSet());
        if (spread.isEmpty()) {
            return this;
        }
        Predicate<LeaderboardGroup> isElsewhere =
                group -> spread.contains(group.board()) && LAYOUT.partitionOf(group, true) != partition;
        var part = new InMemoryLeaderboards();
        part.isOpen = isOpen;
        part.knowsGroups = knowsGroups;
        part.areFinal = areFinal;
        part.rankings.putAll(rankings);
        part.rankings.keySet().removeIf(isElsewhere);
        part.days.putAll(days);
        part.daysOfRuns.putAll(daysOfRuns);
        stays.forEach((user, all) ->
                part.stays.put(user, all.stream().filter(isElsewhere.negate()).toList()));
        return part;
    }

    private RulesetVersions rulesets() {
        var document = new Ruleset(
                TenantId.NONE,
                1,
                Instant.EPOCH,
                100,
                List.of(),
                List.of(),
                List.of(),
                StreakSettings.DEFAULT,
                List.of(),
                boards,
                settings,
                List.of(),
                Notifications.NONE,
                List.of(),
                null,
                null);
        return new RulesetVersions(new SingleRuleset(document), Duration.ZERO);
    }

    /** Lookups of leaderboards only. */
    DeliveryLookups lookups() {
        return new DeliveryLookups(localNode(), rulesets());
    }

    BestRanks bestRanks() {
        return new BestRanks(localNode(), rulesets(), () -> now);
    }

    public LeaderboardReads reads() {
        return new LeaderboardReads(
                localNode(),
                localNode(),
                new CurrentCounts(localNode()),
                user -> {
                    if (unknownUsers.contains(user.user().value())) {
                        throw new Refused(Refusal.unknown("user", user.user().value()));
                    }
                    return Math.toIntExact(localToday.toEpochDay());
                },
                () -> null);
    }

    private record SingleRuleset(Ruleset document) implements Rulesets {

        @Override
        public Ruleset newest(TenantId tenant) {
            return document;
        }

        @Override
        public Ruleset version(TenantId tenant, long version) {
            return document;
        }

        @Override
        public boolean awaitNewest(Duration timeout) {
            return true;
        }

        @Override
        public Ruleset await(TenantId tenant, long version, Duration timeout) {
            return document;
        }
    }

    private List<DayEnd> daysOf(LeaderboardGroup group, UserId user) {
        List<DayEnd> own = daysOfRuns.get(List.of(group, user.value()));
        return own != null ? own : days.getOrDefault(user.value(), List.of());
    }

    private void expectOpen() {
        if (!isOpen) {
            throw new InvalidStateStoreException("closed");
        }
    }

    @Override
    public Ranking ranking(LeaderboardGroup group, int limit) {
        expectOpen();
        return rankings.getOrDefault(group, Ranking.EMPTY).best(limit);
    }

    @Override
    public Ranking outside(LeaderboardGroup group) {
        return outside.getOrDefault(group, Ranking.EMPTY);
    }

    @Override
    public List<List<String>> groups(TenantId tenant, int board, int run, int limit) {
        expectOpen();
        return rankings.keySet().stream()
                .filter(group -> group.board() == board && group.run() == run)
                .map(LeaderboardGroup::values)
                .limit(limit)
                .toList();
    }

    /** Everybody in a group has changed rank, once on the first day of 2026. */
    @Override
    public RunFigures figures(TenantId tenant, int board, int run) {
        expectOpen();
        figuresRead++;
        var count = new RunFigures.Count();
        List<Ranking> groups = rankings.entrySet().stream()
                .filter(entry ->
                        entry.getKey().board() == board && entry.getKey().run() == run)
                .map(Map.Entry::getValue)
                .toList();
        groups.forEach(count::include);
        groups.forEach(ranking -> count.count(new View(ranking, List.of(), ranking.size())));
        return count.figures(
                List.of(new DayChanges(
                        NEW_YEAR, groups.stream().mapToLong(Ranking::size).sum())),
                areFinal);
    }

    @Override
    public TeamRanking teams(LeaderboardGroup group) {
        expectOpen();
        return teams.getOrDefault(group, TeamRanking.EMPTY);
    }

    @Override
    public List<Long> histogram(TenantId tenant, int board, int run, BigDecimal lowest, BigDecimal highest) {
        expectOpen();
        var count = new RunFigures.Count(lowest, highest);
        rankings.entrySet().stream()
                .filter(entry ->
                        entry.getKey().board() == board && entry.getKey().run() == run)
                .forEach(entry -> count.count(new View(entry.getValue(), List.of(), 0)));
        return count.histogram();
    }

    @Override
    public List<String> groupOf(TenantId tenant, int board, int run, UserId user) {
        expectOpen();
        return rankings.entrySet().stream()
                .filter(entry -> knowsGroups
                        && entry.getKey().board() == board
                        && entry.getKey().run() == run
                        && entry.getValue().rankOf(user) > 0)
                .map(entry -> entry.getKey().values())
                .findFirst()
                .orElse(null);
    }

    @Override
    public List<DayEnd> dayEnds(LeaderboardGroup group, UserId user, int count) {
        expectOpen();
        List<DayEnd> all = daysOf(group, user);
        return all.subList(Math.max(0, all.size() - count), all.size());
    }

    @Override
    public List<DayEnd> dayEnds(LeaderboardGroup group, UserId user, int firstDay, int lastDay) {
        expectOpen();
        List<DayEnd> all =
                daysOf(group, user).stream().filter(end -> end.day() <= lastDay).toList();
        int from = 0;
        while (from + 1 < all.size() && all.get(from + 1).day() < firstDay) {
            from++;
        }
        return all.subList(from, all.size());
    }

    @Override
    public List<LeaderboardGroup> groupsOf(
            TenantId tenant, int board, UserId user, int firstRun, int lastRun, int limit) {
        expectOpen();
        return stays.getOrDefault(user.value(), List.of()).stream()
                .filter(group -> group.board() == board && group.run() >= firstRun && group.run() <= lastRun)
                .sorted(Comparator.comparingInt(LeaderboardGroup::run))
                .limit(limit)
                .toList();
    }
}
