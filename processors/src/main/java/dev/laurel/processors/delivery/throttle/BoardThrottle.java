package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Runs;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.WebhookRules;
import dev.laurel.processors.core.throttle.GroupNotificationState.Ranks;
import dev.laurel.processors.core.throttle.GroupNotificationState;
import dev.laurel.processors.core.throttle.RankBaseline.RankMove;
import dev.laurel.processors.delivery.throttle.BoardEvents.RunGroup;
import dev.laurel.processors.delivery.throttle.NodeReads.NotNow;
import dev.laurel.processors.store.ThrottleStore.Due;
import dev.laurel.processors.store.ThrottleStore.OutboxEvent;
import dev.laurel.processors.store.ThrottleStore;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.BoardKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.outbox.Outgoing.LeaderboardEvent;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Throttles the events of leaderboards. A change only makes its group due; at the due time, the present ranking is compared with
 * what was sent. One task, one thread.
 */
final class BoardThrottle {

    /** The time from the end of a run's last date everywhere on earth until its end is sent (docs/webhooks.md §3). */
    private static final Duration FINISH_HELD_FOR = Duration.ofHours(1);

    /** The time from the end of a run until it is certain that no further group of it appears. */
    private static final Duration RUN_KEPT_FOR = Duration.ofDays(2);

    /** The cost of reading a ranking, compared with forwarding one event. */
    private static final int READ_WORK = 20;

    private static final int DROP_WORK = 100;

    private final ThrottleStore store;
    private final RulesetVersions rulesets;
    private final NodeReads reads;
    private final EventForwarder forwarder;
    private final RankChangeNotifier notifier;
    private final ReadYourWritesGuard writes = new ReadYourWritesGuard();

    BoardThrottle(ThrottleStore store, RulesetVersions rulesets, NodeReads reads, EventForwarder forwarder) {
        this.store = store;
        this.rulesets = rulesets;
        this.reads = reads;
        this.forwarder = forwarder;
        this.notifier = new RankChangeNotifier(store, reads, forwarder);
    }

    void accept(byte[] key, LeaderboardEvent news, long nowMs) {
        CompiledRuleset rules = rulesOf(news.tenant(), news.rulesVersion());
        BoardRules board = rules.board(news.fact().leaderboardKey());
        if (board == null) {
            throw new IllegalStateException("ruleset version " + news.rulesVersion() + " of tenant '" + news.tenant()
                    + "' has no leaderboard " + news.fact().leaderboardKey() + ", which an event names");
        }
        switch (news.fact()) {
            case Effect.LeaderboardStarted started -> accept(key, news, started, rules, board);
            case Effect.LeaderboardChanged changed -> accept(news, changed, rules, board, nowMs);
            case Effect.LeaderboardFinished finished -> accept(key, news, finished, rules, board, nowMs);
        }
    }

    private void accept(byte[] key, LeaderboardEvent news, Effect.LeaderboardStarted fact, CompiledRuleset rules,
            BoardRules board) {
        if (rules.hooks().want(WebhookEvent.LEADERBOARD_RANK_CHANGED)) {
            long untilMs = fact.runEnd() == null
                    ? Long.MAX_VALUE
                    : Leaderboard.ending(fact.runEnd()).plus(RUN_KEPT_FOR).toEpochMilli();
            store.putStartedEmpty(news.tenant(), board.number(), runOf(board, fact.runStart()), untilMs);
        }
        if (rules.hooks().want(WebhookEvent.LEADERBOARD_STARTED)) {
            forwarder.forward(key, new BoardEvents(rules, board).started(news, fact));
        }
    }

    private void accept(LeaderboardEvent news, Effect.LeaderboardChanged fact, CompiledRuleset rules, BoardRules board,
            long nowMs) {
        BoardGroup group = groupOf(news, board, fact.group());
        GroupNotificationState former = store.state(group);
        GroupNotificationState state = former == null
                ? GroupNotificationState.begun(news.rulesVersion(), fact.runStart(), fact.runEnd())
                : former.under(news.rulesVersion(), fact.runStart(), fact.runEnd());
        if (rules.hooks().want(WebhookEvent.LEADERBOARD_CHANGED)) {
            state = state.changed();
        }
        if (rules.hooks().want(WebhookEvent.LEADERBOARD_RANK_CHANGED)) {
            Ranks known = state.ranks();
            if (!known.hasBaseline() && store.hasStartedEmpty(group)) {
                known = Ranks.EMPTY;
            }
            int previousRank = fact.previousRank() == null ? 0 : fact.previousRank();
            state = state.with(known.after(new RankMove(news.id(), fact.user(), previousRank, fact.previousValue())));
        }
        writes.expect(group, fact);
        store.putState(group, former, state.timed(nowMs, ThrottleProcessor.WINDOW_MS));
    }

    private void accept(byte[] key, LeaderboardEvent news, Effect.LeaderboardFinished fact, CompiledRuleset rules,
            BoardRules board, long nowMs) {
        BoardGroup group = groupOf(news, board, fact.group());
        GroupNotificationState former = store.state(group);
        if (former != null) {
            // Due, so that the state is deleted when nothing is left to send.
            store.putState(group, former, former.over().dueAt(Math.min(nowMs, former.dueMs())));
        }
        if (!rules.hooks().want(WebhookEvent.LEADERBOARD_FINISHED)) {
            return;
        }
        long sendMs = sendMs(fact);
        var event = new BoardEvents(rules, board).finished(news, fact,
                Instant.ofEpochMilli(Math.max(nowMs, sendMs)));
        if (sendMs <= nowMs) {
            forwarder.forward(key, event);
        } else {
            store.hold(sendMs, new OutboxEvent(key, event));
        }
    }

    /** The earliest time at which the end of a run is sent: at once if an operator has ended the run. */
    private static long sendMs(Effect.LeaderboardFinished fact) {
        if (fact.runEnd() == null || fact.at().isBefore(Leaderboard.ending(fact.runEnd()))) {
            return Long.MIN_VALUE;
        }
        return Leaderboard.ending(fact.runEnd()).plus(FINISH_HELD_FOR).toEpochMilli();
    }

    private static BoardGroup groupOf(LeaderboardEvent news, BoardRules board, List<Effect.GroupValue> values) {
        return new BoardGroup(news.tenant(), board.number(), runOf(board, news.fact().runStart()),
                BoardEvents.valuesOf(values));
    }

    private static int runOf(BoardRules board, LocalDate runStart) {
        return board.board().runs() == null ? Runs.PERPETUAL : Math.toIntExact(runStart.toEpochDay());
    }

    /** Makes a group due if newer rules no longer ask for what is stored about it, so that its state is deleted. */
    void makeDueIfObsolete(BoardGroup group, long nowMs) {
        GroupNotificationState state = store.state(group);
        if (state != null && isObsolete(group, state)) {
            store.putState(group, state, state.dueAt(Math.min(state.dueMs(), nowMs)));
        }
    }

    private boolean isObsolete(BoardGroup group, GroupNotificationState state) {
        CompiledRuleset rules = rulesets.newest(group.tenant());
        WebhookRules hooks = rules.hooks();
        boolean areRanksAskedFor = hooks.want(WebhookEvent.LEADERBOARD_RANK_CHANGED);
        return rules.board(group.board()) == null
                || !areRanksAskedFor && (!hooks.want(WebhookEvent.LEADERBOARD_CHANGED)
                        || !state.ranks().equals(Ranks.UNKNOWN));
    }

    /** Sends what is due of a group. @return the amount of work done */
    int onDue(Due due, BoardGroup group, long nowMs) {
        GroupNotificationState former = store.state(group);
        if (former == null || former.dueMs() != due.atMs()) {
            store.deleteDue(due);
            return 1;
        }
        CompiledRuleset newest = rulesets.newest(group.tenant());
        BoardRules board = newest.board(group.board());
        boolean isAskedForRanks = newest.hooks().want(WebhookEvent.LEADERBOARD_RANK_CHANGED);
        boolean isAskedForChanges = newest.hooks().want(WebhookEvent.LEADERBOARD_CHANGED);
        if (board == null || !isAskedForRanks && !isAskedForChanges) {
            drop(group, former);
            return DROP_WORK;
        }
        GroupNotificationState state = isAskedForChanges ? former : former.unchanged();
        if (!isAskedForRanks && !state.ranks().equals(Ranks.UNKNOWN)) {
            // A webhook that asks again starts with the ranking of that time.
            notifier.forget(group);
            state = state.with(Ranks.UNKNOWN);
        }
        int sent = 0;
        if (state.isChangeDue(nowMs, ThrottleProcessor.WINDOW_MS) || state.areRanksDue(nowMs)) {
            try {
                List<RankingBody> ranking = reads.ranking(group.tenant(), board.board().key(), state.runStart(),
                        group.values());
                if (!writes.isFresh(group, ranking)) {
                    return READ_WORK;
                }
                Sent result = send(group, state, board, ranking, nowMs);
                state = result.state();
                sent = result.events();
            } catch (NotNow _) {
                // Stays due: the next check reads again.
                return READ_WORK;
            }
        }
        state = state.timed(nowMs, ThrottleProcessor.WINDOW_MS);
        if (state.isDone(nowMs, ThrottleProcessor.WINDOW_MS)) {
            drop(group, former);
            return DROP_WORK;
        }
        store.putState(group, former, state);
        return READ_WORK + sent;
    }

    private CompiledRuleset rulesOf(TenantId tenant, long version) {
        CompiledRuleset rules = rulesets.get(tenant, version);
        if (rules == null) {
            throw new IllegalStateException("an event of a leaderboard of tenant '" + tenant
                    + "' names ruleset version " + version + ", which was never published");
        }
        return rules;
    }

    private record Sent(GroupNotificationState state, int events) {}

    private Sent send(BoardGroup group, GroupNotificationState due, BoardRules newest, List<RankingBody> ranking,
            long nowMs) {
        // The body follows the rules in force when the change happened.
        CompiledRuleset rules = rulesOf(group.tenant(), due.rulesVersion());
        BoardRules board = requireNonNull(rules.board(group.board()), "the rules of an event have its leaderboard");
        var events = new BoardEvents(rules, board);
        byte[] key = new BoardKey(group.tenant(), newest.board().key()).bytes();
        GroupNotificationState state = due;
        int sent = 0;
        if (state.isChangeDue(nowMs, ThrottleProcessor.WINDOW_MS)) {
            var run = new RunGroup(state.runStart(), state.runEnd(), group.values());
            forwarder.forwardFromClock(key,
                    events.changed(run, ranking, state.notifiedMs(), Instant.ofEpochMilli(nowMs)));
            state = state.changeNotified(nowMs);
            sent++;
        }
        if (state.areRanksDue(nowMs)) {
            RankChangeNotifier.Result result = notifier.send(key, group, state, events, ranking, nowMs);
            state = state.with(result.ranks());
            sent += result.sent();
        }
        return new Sent(state, sent);
    }

    private void drop(BoardGroup group, GroupNotificationState state) {
        notifier.forget(group);
        store.deleteState(group, state);
    }
}
