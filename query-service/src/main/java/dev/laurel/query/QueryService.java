package dev.laurel.query;

import dev.laurel.processors.Boards;
import dev.laurel.processors.Ledger;
import dev.laurel.processors.delivery.Lookups;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.http.AccessReadRoutes;
import dev.laurel.query.http.AccountReadRoutes;
import dev.laurel.query.http.ExportRoutes;
import dev.laurel.query.http.LeaderboardReadRoutes;
import dev.laurel.query.http.ObjectReadRoutes;
import dev.laurel.query.http.OwnedReadRoutes;
import dev.laurel.query.http.PointsReadRoutes;
import dev.laurel.query.http.PreviewRoutes;
import dev.laurel.query.http.RulesetReadRoutes;
import dev.laurel.query.http.SecretRoutes;
import dev.laurel.query.http.SettingsReadRoutes;
import dev.laurel.query.http.UserDirectoryRoutes;
import dev.laurel.query.http.UserReadRoutes;
import dev.laurel.query.http.WrappedRoutes;
import dev.laurel.query.locate.BoardPartitions;
import dev.laurel.query.locate.Partitions;
import dev.laurel.query.read.AccessReads;
import dev.laurel.query.read.AchievementReads;
import dev.laurel.query.read.ConfigReads;
import dev.laurel.query.read.DeliveryLookups;
import dev.laurel.query.read.LeaderboardReads;
import dev.laurel.query.read.MessagePreviews;
import dev.laurel.query.read.OwnedReads;
import dev.laurel.query.read.PointsReads;
import dev.laurel.query.read.RulesetReads;
import dev.laurel.query.read.StreakReads;
import dev.laurel.query.read.UserDirectory;
import dev.laurel.query.read.UserExports;
import dev.laurel.query.read.UserReads;
import dev.laurel.query.read.WrappedReads;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.InstantSource;
import java.util.List;

/** The read side of a node: interactive queries on the stores of its ledger and its leaderboards. Holds nothing that needs closing. */
public final class QueryService {

    private final Partitions partitions;
    private final UserReads reads;
    private final PointsReads pointsReads;
    private final AchievementReads achievementReads;
    private final StreakReads streakReads;
    private final BoardPartitions boardPartitions;
    private final LeaderboardReads leaderboardReads;
    private final WrappedReads wrappedReads;
    private final Rulesets rulesets;
    private final AccessView access;
    private final RulesetVersions ledgerRulesets;
    private final InstantSource clock;

    /** @param clock what reads take for now */
    public QueryService(Ledger ledger, Boards boards, Rulesets rulesets, AccessView access, InstantSource clock) {
        this.partitions = new Partitions(ledger);
        this.reads = new UserReads(partitions, ledger.rulesets(), clock);
        this.pointsReads = new PointsReads(partitions, ledger.rulesets(), clock);
        this.achievementReads = new AchievementReads(partitions, ledger.rulesets());
        this.streakReads = new StreakReads(partitions, ledger.rulesets(), reads);
        this.boardPartitions = new BoardPartitions(boards.layout(), partition -> boards.catchUp().isCaughtUp(partition),
                boards::reads);
        this.leaderboardReads = new LeaderboardReads(boardPartitions, ledger.rulesets(), reads::today, clock);
        this.wrappedReads = new WrappedReads(reads, partitions, boardPartitions, ledger.rulesets(), clock);
        this.rulesets = rulesets;
        this.access = access;
        this.ledgerRulesets = ledger.rulesets();
        this.clock = clock;
    }

    /** The routes to mount on a {@code HttpServer}. */
    public Routes routes() {
        var configReads = new ConfigReads(rulesets, access, clock, partitions);
        List<Routes> parts = List.of(new UserReadRoutes(reads), new PointsReadRoutes(pointsReads),
                new AccountReadRoutes(achievementReads, streakReads),
                new UserDirectoryRoutes(new UserDirectory(partitions)), new LeaderboardReadRoutes(leaderboardReads),
                new WrappedRoutes(wrappedReads), new ObjectReadRoutes(configReads), new SettingsReadRoutes(configReads),
                new OwnedReadRoutes(new OwnedReads(partitions, configReads, ledgerRulesets, clock)),
                new ExportRoutes(new UserExports(partitions, ledgerRulesets, leaderboardReads, clock)),
                new SecretRoutes(configReads),
                new PreviewRoutes(new MessagePreviews(partitions, ledgerRulesets, clock)),
                new AccessReadRoutes(new AccessReads(access), rulesets),
                new RulesetReadRoutes(new RulesetReads(rulesets, clock)));
        return routes -> parts.forEach(part -> part.mount(routes));
    }

    /** The reads without HTTP, for callers in the same process. */
    public UserReads reads() {
        return reads;
    }

    /** What delivery in the same process asks for. */
    public Lookups lookups() {
        return new DeliveryLookups(boardPartitions, reads, ledgerRulesets);
    }

    /** Whether every partition can be read here, of users and of leaderboards. */
    public boolean isReady() {
        return partitions.isReady() && boardPartitions.isReady();
    }
}
