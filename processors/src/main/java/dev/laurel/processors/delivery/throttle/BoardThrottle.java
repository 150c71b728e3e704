package dev.laurel.processors.delivery.throttle;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Runs;
import dev.laurel.processors.core.notice.BoardWatch;
import dev.laurel.processors.core.notice.BoardWatch.Ranks;
import dev.laurel.processors.core.notice.Handed;
import dev.laurel.processors.core.notice.RankMove;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.HookRules;
import dev.laurel.processors.delivery.Lookups;
import dev.laurel.processors.delivery.Lookups.NotNow;
import dev.laurel.processors.delivery.throttle.BoardEvents.RunGroup;
import dev.laurel.processors.store.ThrottleStores;
import dev.laurel.processors.store.ThrottleStores.Due;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.BoardKey;
import dev.laurel.schemas.outbox.Outgoing.BoardNews;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;

/**
 * What webhooks are told of leaderboards. News of a change only makes its group due; the next look compares the group as it is
 * then with what was told. One task, one thread.
 */
final class BoardThrottle {

    /** From the end of a run's last date everywhere on earth until its end is told (webhooks.md §3). */
    private static final Duration FINISH_HELD_FOR = Duration.ofHours(1);

    /** After a run's end nothing of it begins any more, however late it is heard of. */
    private static final Duration RUN_KEPT_FOR = Duration.ofDays(2);

    /** A look reads a ranking, compared with handing on one event. */
    private static final int LOOK_WORK = 20;

    private static final int DROP_WORK = 100;

    private final ThrottleStores stores;
    private final RulesetVersions rulesets;
    private final Lookups lookups;
    private final Handover handover;
    private final RankTelling ranks;
    private final Freshness freshness = new Freshness();

    BoardThrottle(ThrottleStores stores, RulesetVersions rulesets, Lookups lookups, Handover handover) {
        this.stores = stores;
        this.rulesets = rulesets;
        this.lookups = lookups;
        this.handover = handover;
        this.ranks = new RankTelling(stores, lookups, handover);
    }

    void hear(byte[] key, BoardNews news, long nowMs) {
        CompiledRuleset rules = rulesets.get(news.tenant(), news.rulesVersion());
        if (rules == null) {
            throw new IllegalStateException("news of a leaderboard of tenant '" + news.tenant()
                    + "' are of ruleset version " + news.rulesVersion() + ", which was never published");
        }
        BoardRules board = rules.board(news.fact().leaderboardKey());
        if (board == null) {
            throw new IllegalStateException("ruleset version " + news.rulesVersion() + " of tenant '" + news.tenant()
                    + "' has no leaderboard " + news.fact().leaderboardKey() + ", of which there are news");
        }
        switch (news.fact()) {
            case Effect.LeaderboardStarted started -> hear(key, news, started, rules, board);
            case Effect.LeaderboardChanged changed -> hear(news, changed, rules, board, nowMs);
            case Effect.LeaderboardFinished finished -> hear(key, news, finished, rules, board, nowMs);
        }
    }

    private void hear(byte[] key, BoardNews news, Effect.LeaderboardStarted fact, CompiledRuleset rules,
            BoardRules board) {
        if (rules.hooks().want(WebhookEvent.LEADERBOARD_RANK_CHANGED)) {
            long untilMs = fact.runEnd() == null
                    ? Long.MAX_VALUE
                    : Leaderboard.ending(fact.runEnd()).plus(RUN_KEPT_FOR).toEpochMilli();
            stores.putFromNothing(news.tenant(), board.number(), runOf(board, fact.runStart()), untilMs);
        }
        if (rules.hooks().want(WebhookEvent.LEADERBOARD_STARTED)) {
            handover.pass(key, new BoardEvents(rules, board).started(news, fact));
        }
    }

    private void hear(BoardNews news, Effect.LeaderboardChanged fact, CompiledRuleset rules, BoardRules board,
            long nowMs) {
        BoardGroup group = groupOf(news, board, fact.group());
        BoardWatch former = stores.watch(group);
        BoardWatch watch = former == null
                ? BoardWatch.begun(news.rulesVersion(), fact.runStart(), fact.runEnd())
                : former.under(news.rulesVersion(), fact.runStart(), fact.runEnd());
        if (rules.hooks().want(WebhookEvent.LEADERBOARD_CHANGED)) {
            watch = watch.changed();
        }
        if (rules.hooks().want(WebhookEvent.LEADERBOARD_RANK_CHANGED)) {
            Ranks known = watch.ranks();
            if (!known.hasBaseline() && stores.isFromNothing(group)) {
                known = Ranks.EMPTY;
            }
            int previousRank = fact.previousRank() == null ? 0 : fact.previousRank();
            watch = watch.with(known.after(new RankMove(news.id(), fact.user(), previousRank, fact.previousValue())));
        }
        freshness.hear(group, fact);
        stores.putWatch(group, former, watch.timed(nowMs, ThrottleStep.WINDOW_MS));
    }

    private void hear(byte[] key, BoardNews news, Effect.LeaderboardFinished fact, CompiledRuleset rules,
            BoardRules board, long nowMs) {
        BoardGroup group = groupOf(news, board, fact.group());
        BoardWatch former = stores.watch(group);
        if (former != null) {
            // Due, so that it is forgotten when nothing is left to be told.
            stores.putWatch(group, former, former.over().dueAt(Math.min(nowMs, former.dueMs())));
        }
        if (!rules.hooks().want(WebhookEvent.LEADERBOARD_FINISHED)) {
            return;
        }
        long sendMs = sendMs(fact);
        var event = new BoardEvents(rules, board).finished(news, fact,
                Instant.ofEpochMilli(Math.max(nowMs, sendMs)));
        if (sendMs <= nowMs) {
            handover.pass(key, event);
        } else {
            stores.hold(sendMs, new Handed(key, event));
        }
    }

    /** When the end of a run is told at the earliest. One that was ended by hand is told of at once. */
    private static long sendMs(Effect.LeaderboardFinished fact) {
        if (fact.runEnd() == null || fact.at().isBefore(Leaderboard.ending(fact.runEnd()))) {
            return Long.MIN_VALUE;
        }
        return Leaderboard.ending(fact.runEnd()).plus(FINISH_HELD_FOR).toEpochMilli();
    }

    private static BoardGroup groupOf(BoardNews news, BoardRules board, List<Effect.GroupValue> values) {
        return new BoardGroup(news.tenant(), board.number(), runOf(board, news.fact().runStart()),
                BoardEvents.valuesOf(values));
    }

    private static int runOf(BoardRules board, LocalDate runStart) {
        return board.board().runs() == null ? Runs.PERPETUAL : Math.toIntExact(runStart.toEpochDay());
    }

    /** Whether it has to be looked at because of newer rules. */
    boolean isOutdated(BoardGroup group) {
        CompiledRuleset rules = rulesets.newest(group.tenant());
        HookRules hooks = rules.hooks();
        boolean areRanksAskedFor = hooks.want(WebhookEvent.LEADERBOARD_RANK_CHANGED);
        return rules.board(group.board()) == null
                || !areRanksAskedFor && (!hooks.want(WebhookEvent.LEADERBOARD_CHANGED)
                        || !stores.watch(group).ranks().equals(Ranks.UNKNOWN));
    }

    void makeDue(BoardGroup group, long nowMs) {
        BoardWatch watch = stores.watch(group);
        stores.putWatch(group, watch, watch.dueAt(Math.min(watch.dueMs(), nowMs)));
    }

    /** A group's time has come. @return how much work it was */
    int lookAt(Due due, BoardGroup group, long nowMs) {
        BoardWatch former = stores.watch(group);
        if (former == null || former.dueMs() != due.atMs()) {
            stores.deleteDue(due);
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
        BoardWatch watch = isAskedForChanges ? former : former.unchanged();
        if (!isAskedForRanks && !watch.ranks().equals(Ranks.UNKNOWN)) {
            // Should somebody ask again, that begins with how all stand then.
            ranks.forget(group);
            watch = watch.with(Ranks.UNKNOWN);
        }
        int told = 0;
        if (watch.isChangeDue(nowMs, ThrottleStep.WINDOW_MS) || watch.areRanksDue(nowMs)) {
            try {
                List<RankingBody> ranking = lookups.ranking(group.tenant(), board.board().key(), watch.runStart(),
                        group.values());
                if (!freshness.isFresh(group, ranking)) {
                    return LOOK_WORK;
                }
                Told result = tell(group, watch, board, ranking, nowMs);
                watch = result.watch();
                told = result.events();
            } catch (NotNow _) {
                // Stays due: the next look asks again.
                return LOOK_WORK;
            }
        }
        watch = watch.timed(nowMs, ThrottleStep.WINDOW_MS);
        if (watch.isDone(nowMs, ThrottleStep.WINDOW_MS)) {
            drop(group, former);
            return DROP_WORK;
        }
        stores.putWatch(group, former, watch);
        return LOOK_WORK + told;
    }

    private record Told(BoardWatch watch, int events) {}

    private Told tell(BoardGroup group, BoardWatch due, BoardRules newest, List<RankingBody> ranking, long nowMs) {
        // The body is that of the rules by which it happened.
        CompiledRuleset rules = rulesets.get(group.tenant(), due.rulesVersion());
        var events = new BoardEvents(rules, rules.board(group.board()));
        byte[] key = new BoardKey(group.tenant(), newest.board().key()).bytes();
        BoardWatch watch = due;
        int told = 0;
        if (watch.isChangeDue(nowMs, ThrottleStep.WINDOW_MS)) {
            var run = new RunGroup(watch.runStart(), watch.runEnd(), group.values());
            handover.keep(key, events.changed(run, ranking, watch.toldMs(), Instant.ofEpochMilli(nowMs)));
            watch = watch.toldOfChange(nowMs);
            told++;
        }
        if (watch.areRanksDue(nowMs)) {
            RankTelling.Result result = ranks.tell(key, group, watch, events, ranking, nowMs);
            watch = watch.with(result.ranks());
            told += result.told();
        }
        return new Told(watch, told);
    }

    private void drop(BoardGroup group, BoardWatch watch) {
        ranks.forget(group);
        stores.deleteWatch(group, watch);
    }
}
