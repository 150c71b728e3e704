package dev.laurel.processors.ledger;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.RulesPublished;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.TeamScores.Team;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserForgotten;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserShown;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.leaderboard.TeamRanking.TeamPart;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.ledger.LeadingUsers.Lead;
import dev.laurel.processors.ledger.LedgerTopology.LeadLimits;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.boards.LeaderboardCodecs.Unsent;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LeaderboardLayout.ScoreKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Sends scores and markers of one partition of the log to the leaderboards: the scores of users who {@link LeadingUsers lead}. A score that
 * a client waits for goes out at once. The others go out together, the newest of each user. Each partition of the leaderboards gets its
 * collected scores before any other message. So a partition that has a message with some place in the log has all scores up to that place
 * (docs/leaderboards.md). One task, one thread.
 */
final class ScoreSender implements LeadingUsers.Listener {

    /** The time between two calls of {@link #flush}. */
    static final Duration ROUND = Duration.ofMillis(100);

    /** Collected scores for a partition of the leaderboards, so that a message stays far below the largest record. */
    private static final int MAX_COLLECTED = 100;

    private final ScoreForwarder outlet;
    private final LeadingUsers leading;
    private final TeamParts teams;
    private final LeaderboardLayout layout;
    private final LogCursor cursor;
    private final KeyValueStore<Bytes, byte[]> store;
    private final List<String> partitions;

    /** By partition of the leaderboards. */
    private final List<Collected> collected;

    /** The last command before the last commit that has left collected scores; otherwise -1. */
    private long restoredTo = -1;

    /** The command whose scores are sent. */
    private @Nullable Cause cause;

    /** What scores have in common that follow from a command. */
    private record Cause(long rulesVersion, LeaderboardRules board, boolean isCurrent, CommandContext at) {

        LeaderboardGroup group(int run, List<String> values) {
            return new LeaderboardGroup(at.user().tenant(), board.number(), run, values);
        }

        Scored scored(LeaderboardGroup group, Standing standing, Score.Kind kind) {
            return new Scored(
                    group.tenant(),
                    rulesVersion,
                    group.board(),
                    group.run(),
                    isCurrent,
                    standing.user(),
                    standing.name(),
                    standing.visibility(),
                    group.values(),
                    standing.value(),
                    standing.changedMs(),
                    kind,
                    at.atMs(),
                    board.isSpread());
        }

        Scored left(LeaderboardGroup group, UserId user) {
            return scored(group, new Standing(user, null, BigDecimal.ZERO, 0), Score.Kind.CHANGED);
        }
    }

    /** The newest scores of users and teams for a partition of the leaderboards that are not sent, those of the last change last. */
    private static final class Collected {

        private final Map<LeaderboardGroup, Team> teams = new LinkedHashMap<>();
        private final Map<Of, Scored> scores = new LinkedHashMap<>();
        private boolean isSilent;
        private boolean isStored;

        private record Of(LeaderboardGroup group, UserId user) {}

        int size() {
            return teams.size() + scores.size();
        }

        void add(Team team) {
            teams.put(team.group(), team);
        }

        void add(Scored scored) {
            var of = new Of(scored.inGroup(), scored.user());
            Scored former = scores.remove(of);
            boolean isChange = former != null && former.kind() == Score.Kind.CHANGED;
            scores.put(of, isChange ? Records.with(scored, "kind", Score.Kind.CHANGED) : scored);
        }
    }

    /** @param partitionState the store of the collected scores */
    ScoreSender(
            ScoreForwarder outlet,
            KeyValueStore<Bytes, byte[]> partitionState,
            UserStores users,
            LeadLimits limits,
            LeaderboardLayout layout,
            LogCursor cursor) {
        this.outlet = outlet;
        this.leading = new LeadingUsers(partitionState, users, limits, this);
        this.teams = new TeamParts(partitionState);
        this.layout = layout;
        this.cursor = cursor;
        this.store = partitionState;
        this.partitions = IntStream.range(0, layout.partitions())
                .mapToObj(Integer::toString)
                .toList();
        this.collected =
                IntStream.range(0, layout.partitions()).mapToObj(this::restored).toList();
    }

    private Collected restored(int partition) {
        var restored = new Collected();
        Unsent unsent = LeaderboardCodecs.UNSENT.get(store, StoreKeys.unsentScores(partition));
        if (unsent != null) {
            restoredTo = Math.max(restoredTo, unsent.offset());
            restored.isSilent = unsent.isSilent();
            restored.isStored = true;
            unsent.teams().forEach(restored::add);
            unsent.scores().forEach(restored::add);
        }
        return restored;
    }

    /** Stores what is collected. Called before each commit. */
    void save() {
        leading.write();
        teams.write();
        for (int partition = 0; partition < collected.size(); partition++) {
            Collected unsent = collected.get(partition);
            if (unsent.isStored || unsent.size() > 0) {
                unsent.isStored = unsent.size() > 0;
                store.put(
                        StoreKeys.unsentScores(partition),
                        unsent.isStored
                                ? LeaderboardCodecs.UNSENT.encode(new Unsent(
                                        origin().offset(),
                                        unsent.isSilent,
                                        List.copyOf(unsent.teams.values()),
                                        List.copyOf(unsent.scores.values())))
                                : null);
            }
        }
    }

    private Origin origin() {
        return new Origin(cursor.partition(), Math.max(cursor.offset(), restoredTo));
    }

    /**
     * Sends the scores that a command has changed. They are stored.
     *
     * @param user after the command
     * @param rulesVersion under which the scores were computed
     * @param replyTo awaits the resulting ranks; null: no client waits
     * @return keys of the leaderboards that answer to {@code replyTo}, in the order of the scores
     */
    List<String> send(
            List<Score> scores, UserState user, long rulesVersion, CommandContext at, @Nullable ReplyTo replyTo) {
        if (scores.isEmpty()) {
            return List.of();
        }
        List<String> awaited = replyTo == null ? List.of() : new ArrayList<>(scores.size());
        for (Score score : scores) {
            // The answer shows the current run only.
            ReplyTo waiting = score.isCurrent() ? replyTo : null;
            if (score.kind() != Score.Kind.SAME || waiting != null) {
                cause = new Cause(rulesVersion, score.rules(), score.isCurrent(), at);
                List<Scored> concerned = follow(score, user, cause);
                if (waiting == null) {
                    collect(concerned);
                } else if (!concerned.isEmpty()) {
                    send(concerned, waiting);
                    awaited.add(score.rules().board().key());
                }
            }
        }
        return awaited;
    }

    /** Follows a score. @return what concerns the leaderboard: nothing if the user does not lead in any group, before or after */
    private List<Scored> follow(Score score, UserState user, Cause of) {
        Standing before = score.formerStanding(user.id());
        Standing after = score.standing(
                user.id(), user.profile().name(), user.preferences().shown());
        List<Scored> concerned = new ArrayList<>(2);
        if (score.isInTwoGroups()) {
            // A first value may be from before the command, which fires timers; a move is of the command.
            long movedMs =
                    score.before().signum() > 0 ? Math.max(of.at().atMs(), score.changedMs()) : score.changedMs();
            if (before != null) {
                follow(
                        of,
                        of.group(score.run(), requireNonNull(score.formerGroup())),
                        before,
                        null,
                        movedMs,
                        concerned);
            }
            if (after != null) {
                follow(of, of.group(score.run(), requireNonNull(score.group())), null, after, movedMs, concerned);
            }
        } else if (score.group() != null) {
            LeaderboardGroup group = of.group(score.run(), score.group());
            if (score.kind() == Score.Kind.CHANGED) {
                follow(of, group, before, after, score.changedMs(), concerned);
            } else if (after != null && leading.leads(group, of.board(), after)) {
                concerned.add(of.scored(group, after, score.kind()));
            }
        }
        return concerned;
    }

    private void follow(
            Cause of,
            LeaderboardGroup group,
            @Nullable Standing before,
            @Nullable Standing after,
            long atMs,
            List<Scored> concerned) {
        followTeam(of, group, before, after, atMs);
        Lead lead = leading.follow(group, of.board(), before, after);
        if (lead == Lead.LEADS) {
            concerned.add(of.scored(group, requireNonNull(after), Score.Kind.CHANGED));
        } else if (lead == Lead.LEFT) {
            concerned.add(of.left(group, requireNonNull(before).user()));
        }
    }

    /** Collects the part of a team's score if the group is a team. */
    private void followTeam(
            Cause of, LeaderboardGroup group, @Nullable Standing before, @Nullable Standing after, long atMs) {
        if (of.board().board().teams() != null && (before != null || after != null)) {
            TeamPart part =
                    teams.follow(group, of.board(), before, after, atMs, of.at().clockMs());
            makeRoom(layout.partitionOf(group, of.board()), 1).add(new Team(of.rulesVersion(), group, part));
        }
    }

    @Override
    public void left(LeaderboardGroup group, UserId user) {
        collect(List.of(requireNonNull(cause).left(group, user)));
    }

    @Override
    public void joined(LeaderboardGroup group, Standing standing) {
        collect(List.of(requireNonNull(cause).scored(group, standing, Score.Kind.CHANGED)));
    }

    /** Collects scores of one user. Those of a move in one partition go out together. */
    private void collect(List<Scored> scores) {
        for (Scored scored : scores) {
            int partition = layout.partitionOf(ScoreKey.of(scored));
            makeRoom(partition, scored == scores.getFirst() ? scores.size() : 0).add(scored);
        }
    }

    /** Sends what is collected if so many scores more are too many, or if other output follows from them. */
    private Collected makeRoom(int partition, int more) {
        Collected unsent = collected.get(partition);
        if (more > 0 && unsent.size() + more > MAX_COLLECTED || unsent.isSilent != cursor.isSilent()) {
            flush(partition);
            unsent.isSilent = cursor.isSilent();
        }
        return unsent;
    }

    /** Sends what a client waits for: the last group answers, which is the one that the user enters if there are two. */
    private void send(List<Scored> concerned, ReplyTo replyTo) {
        int partition = layout.partitionOf(ScoreKey.of(concerned.getLast()));
        List<Scored> ofPartition = concerned;
        int other = layout.partitionOf(ScoreKey.of(concerned.getFirst()));
        if (other != partition) {
            collect(List.of(concerned.getFirst()));
            flush(other);
            ofPartition = List.of(concerned.getLast());
        }
        Map<LeaderboardGroup, Team> unsent = collected.get(partition).teams;
        List<Team> ofTeams = unsent.isEmpty()
                ? List.of()
                : ofPartition.stream()
                        .map(scored -> unsent.remove(scored.inGroup()))
                        .filter(Objects::nonNull)
                        .toList();
        flush(partition);
        outlet.send(origin(), ofTeams, ofPartition, cursor.isSilent(), replyTo);
    }

    /** Sends the collected scores. Called once in each {@link #ROUND}. */
    void flush() {
        for (int partition = 0; partition < collected.size(); partition++) {
            flush(partition);
        }
    }

    private void flush(int partition) {
        Collected unsent = collected.get(partition);
        if (unsent.size() > 0) {
            outlet.send(
                    origin(),
                    List.copyOf(unsent.teams.values()),
                    List.copyOf(unsent.scores.values()),
                    unsent.isSilent,
                    null);
            unsent.teams.clear();
            unsent.scores.clear();
        }
    }

    /**
     * Takes an erased user from all leaderboards, after the scores that come before.
     *
     * @param last the user as last stored
     * @param runs the states in all runs that may still change, by the number of the leaderboard
     */
    void forget(UserState last, Map<Integer, List<LeaderboardState>> runs, CompiledRuleset rules, CommandContext at) {
        runs.forEach((number, states) -> {
            LeaderboardRules board = rules.board(number);
            if (board != null) {
                cause = new Cause(rules.version(), board, false, at);
                states.forEach(state -> forget(last.id(), state, requireNonNull(cause)));
            }
        });
        TenantId tenant = at.user().tenant();
        sendAll(new UserForgotten(tenant, last.id()), at.atMs(), null);
    }

    private void forget(UserId user, LeaderboardState state, Cause of) {
        List<String> values = state.group();
        if (values != null && state.value().signum() > 0) {
            LeaderboardGroup group = of.group(state.run(), values);
            var standing = new Standing(user, null, state.value(), state.changedMs());
            // Teams keep what users had whose run was final here, since the part may be deleted.
            if (of.board().runs().finalMsOf(state.run()) > of.at().clockMs()) {
                followTeam(of, group, standing, null, of.at().atMs());
            }
            if (leading.follow(group, of.board(), standing, null) == Lead.LEFT) {
                collect(List.of(of.left(group, user)));
            }
        }
    }

    /** Shows a user otherwise on all leaderboards if a command has changed that, after its scores. */
    void show(UserState before, UserState after, CommandContext at) {
        Visibility visibility = after.preferences().shown();
        if (visibility != before.preferences().shown()) {
            sendAll(new UserShown(at.user().tenant(), after.id(), visibility), at.atMs(), null);
        }
    }

    /**
     * Sends a message to every partition of the leaderboards, after the scores that come before it.
     *
     * @param atMs time of the command
     * @param replyTo awaits an answer of each of the {@link #partitions}; null: no client waits
     */
    void sendAll(LeaderboardMessage message, long atMs, @Nullable ReplyTo replyTo) {
        flush();
        outlet.send(null, origin(), message, atMs, cursor.isSilent(), replyTo);
    }

    /**
     * Sends new rules to the partitions whose leaderboards they change, after the scores that come before them: once to each. Every
     * partition of the log sends them, since a leaderboard that an operator ends awaits the scores before them. Rules that leaderboards
     * share come from one partition only.
     *
     * @param isHome whether this is that partition
     */
    void sendRules(RulesPublished message, CompiledRuleset former, CompiledRuleset rules, boolean isHome, long atMs) {
        Collection<ScoreKey> concerned = concerned(message.tenant(), former.document(), rules.document(), isHome);
        if (concerned.isEmpty()) {
            return;
        }
        flush();
        concerned.forEach(key -> outlet.send(key, origin(), message, atMs, cursor.isSilent(), null));
        former.document().leaderboards().stream()
                .filter(board -> !rules.keepsBoard(board.number()))
                .forEach(board -> {
                    leading.deleteAll(message.tenant(), board.number());
                    if (board.teams() != null) {
                        teams.deleteAll(message.tenant(), board.number());
                    }
                });
    }

    /** One changed leaderboard in each partition that has any, in the order of partitions. */
    private Collection<ScoreKey> concerned(TenantId tenant, Ruleset former, Ruleset rules, boolean isHome) {
        boolean isEachConcerned = former.version() == 0
                || isHome
                        && !(former.webhooks().equals(rules.webhooks())
                                && former.settings().equals(rules.settings()));
        var unchanged = isEachConcerned ? Set.<Leaderboard>of() : Set.copyOf(former.leaderboards());
        var concerned = new TreeMap<Integer, ScoreKey>();
        var kept = new HashSet<Integer>();
        for (Leaderboard board : rules.leaderboards()) {
            kept.add(board.number());
            if (!unchanged.contains(board)) {
                addPartitions(concerned, tenant, board);
            }
        }
        for (Leaderboard board : former.leaderboards()) {
            if (!kept.contains(board.number())) {
                addPartitions(concerned, tenant, board);
            }
        }
        return concerned.values();
    }

    /** Adds the partitions that have groups of a leaderboard: its home, or all of them. */
    private void addPartitions(Map<Integer, ScoreKey> concerned, TenantId tenant, Leaderboard board) {
        int last = board.hasSpreadGroups() ? layout.partitions() - 1 : 0;
        for (int shift = 0; shift <= last; shift++) {
            var key = new ScoreKey(tenant, board.number(), shift);
            concerned.putIfAbsent(layout.partitionOf(key), key);
        }
    }

    /** The names under which the partitions of the leaderboards answer to {@link #sendAll}. */
    List<String> partitions() {
        return partitions;
    }
}
