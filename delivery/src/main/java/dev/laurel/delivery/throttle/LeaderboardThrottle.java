package dev.laurel.delivery.throttle;

import static dev.laurel.delivery.throttle.GroupNotices.NOT_DUE;
import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.MessageRules.WebhookRules;
import dev.laurel.delivery.throttle.LeaderboardEvents.RunGroup;
import dev.laurel.delivery.throttle.NodeReads.NotNow;
import dev.laurel.delivery.throttle.RankDiff.Change;
import dev.laurel.delivery.throttle.RankDiff.FormerRank;
import dev.laurel.delivery.throttle.RankDiff.Move;
import dev.laurel.delivery.throttle.ThrottleStore.Due;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.LeaderboardKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.outbox.Outgoing.LeaderboardEvent;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.UserBody;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Throttles the events of leaderboards. A change only makes its group due; at the due time, the present ranking is compared with the
 * ranks before the moves that were received, and with those that were sent within the window. One task, one thread.
 */
final class LeaderboardThrottle {

    /** The most events about ranks of one check of a group; the next check sends the rest. */
    static final int MAX_SENT = 250;

    /**
     * The number of checks after which a ranking is accepted as it is: under later rules the newest change may never appear on the
     * leaderboard.
     */
    static final int MAX_CHECKS = 20;

    /** The time after an event within which those that follow it are merged. */
    static final long WINDOW_MS = Duration.ofMinutes(15).toMillis();

    /** The time from the end of a run's last date everywhere on earth until its end is sent (docs/webhooks.md §3). */
    private static final Duration FINISH_HELD_FOR = Duration.ofHours(1);

    /** The age from which on due notices get the present time: they are not stale because a node could not answer before. */
    private static final long MAX_LATE_MS = Duration.ofMinutes(1).toMillis();

    /** The cost of reading a ranking, compared with sending one event. */
    private static final int READ_WORK = 20;

    private static final int MAX_REMEMBERED = 10_000;

    private final ThrottleStore store;
    private final RulesetVersions rulesets;
    private final NodeReads reads;
    private final Deliveries deliveries;

    /**
     * The newest change of each group. A ranking may not have it, because the event of a change is written before the change is stored,
     * and because the answering node may be behind. A group changes in the order of its events, so the newest one is sufficient. In
     * memory only: after a restart it is old.
     */
    private final Map<LeaderboardGroup, Expected> newest = bounded();

    /** The group that each user of a leaderboard with breakdown left last. In memory only: the user enters another one at once. */
    private final Map<Member, LeaderboardGroup> left = bounded();

    /** @param value null: the user has left the group */
    private record Expected(String user, @Nullable BigDecimal value, int checks) {}

    private record Member(TenantId tenant, int board, int run, UserId user) {}

    LeaderboardThrottle(ThrottleStore store, RulesetVersions rulesets, NodeReads reads, Deliveries deliveries) {
        this.store = store;
        this.rulesets = rulesets;
        this.reads = reads;
        this.deliveries = deliveries;
    }

    private static <K, V> Map<K, V> bounded() {
        return new LinkedHashMap<>(16, 0.75f, true) {

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > MAX_REMEMBERED;
            }
        };
    }

    void accept(byte[] key, LeaderboardEvent news, long nowMs) {
        CompiledRuleset rules = rulesOf(news.tenant(), news.rulesVersion());
        LeaderboardRules board = rules.board(news.fact().leaderboardKey());
        if (board == null) {
            throw new IllegalStateException("ruleset version " + news.rulesVersion() + " of tenant '" + news.tenant()
                    + "' has no leaderboard " + news.fact().leaderboardKey() + ", which an event names");
        }
        WebhookRules hooks = rules.hooks();
        switch (news.fact()) {
            case Effect.LeaderboardStarted started
            when hooks.want(WebhookEvent.LEADERBOARD_STARTED) ->
                deliveries.add(key, new LeaderboardEvents(rules, board).started(news, started));
            case Effect.LeaderboardChanged changed -> accept(news, changed, hooks, board, nowMs);
            case Effect.LeaderboardFinished finished
            when hooks.want(WebhookEvent.LEADERBOARD_FINISHED) ->
                deliveries.addAtItsTime(
                        key, new LeaderboardEvents(rules, board).finished(news, finished, sendAt(finished)));
            case Effect.LeaderboardStarted _, Effect.LeaderboardFinished _ -> {
                // No webhook asks for it.
            }
        }
    }

    private void accept(
            LeaderboardEvent news,
            Effect.LeaderboardChanged fact,
            WebhookRules hooks,
            LeaderboardRules board,
            long nowMs) {
        int run = board.board().runs() == null
                ? Runs.PERPETUAL
                : Math.toIntExact(fact.runStart().toEpochDay());
        var group = new LeaderboardGroup(news.tenant(), board.number(), run, LeaderboardEvents.valuesOf(fact.group()));
        GroupNotices former = store.notices(group);
        GroupNotices notices = former == null
                ? GroupNotices.none(news.rulesVersion(), fact.runStart(), fact.runEnd())
                : former.under(news.rulesVersion(), fact.runStart(), fact.runEnd());
        if (hooks.want(WebhookEvent.LEADERBOARD_CHANGED)) {
            notices = notices.changed(true);
        }
        if (hooks.want(WebhookEvent.LEADERBOARD_RANK_CHANGED)) {
            if (board.isBrokenDown()) {
                followBetweenGroups(group, fact);
            }
            int previousRank = fact.previousRank() == null ? 0 : fact.previousRank();
            notices = notices.moved(new Move(fact.user(), previousRank, fact.previousValue(), false));
        }
        newest.put(group, new Expected(fact.user().value(), fact.value(), 0));
        GroupNotices timed = notices.timed(nowMs, WINDOW_MS, notices.dueMs());
        if (timed.dueMs() != NOT_DUE) {
            store.change(group, timed);
        }
    }

    /** Makes the notice that a user has left a group one of the group that the user enters. */
    private void followBetweenGroups(LeaderboardGroup group, Effect.LeaderboardChanged fact) {
        var member = new Member(group.tenant(), group.board(), group.run(), fact.user());
        if (fact.rank() == null) {
            left.put(member, group);
            return;
        }
        LeaderboardGroup from = left.remove(member);
        GroupNotices waiting = from == null || from.equals(group) ? null : store.notices(from);
        if (from == null || waiting == null) {
            return;
        }
        FormerRank notified = store.notifiedRank(from, fact.user());
        waiting.moves().stream()
                .filter(move -> move.user().equals(fact.user()) && move.previousRank() > 0)
                .findFirst()
                .ifPresent(move -> {
                    store.putNotified(
                            group,
                            fact.user(),
                            notified == null
                                    ? new FormerRank(move.previousRank(), move.previousValue(), FormerRank.NEVER, true)
                                    : Records.with(notified, "isElsewhere", true));
                    store.deleteNotified(from, fact.user());
                    store.change(from, waiting.gone(fact.user()));
                });
    }

    /** The time at which the end of a run is sent: at once if an operator has ended the run. */
    private static Instant sendAt(Effect.LeaderboardFinished fact) {
        if (fact.runEnd() == null || fact.at().isBefore(Leaderboard.ending(fact.runEnd()))) {
            return fact.at();
        }
        return Leaderboard.ending(fact.runEnd()).plus(FINISH_HELD_FOR);
    }

    /** Sends what is due of a group. @return the amount of work done */
    int onDue(Due due, LeaderboardGroup group, long nowMs) {
        GroupNotices former = store.notices(group);
        if (former == null || former.dueMs() != due.atMs()) {
            store.deleteDue(due);
            return 1;
        }
        CompiledRuleset rules = rulesets.newest(group.tenant());
        LeaderboardRules board = rules.board(group.board());
        boolean areRanksAskedFor = rules.hooks().want(WebhookEvent.LEADERBOARD_RANK_CHANGED);
        boolean areChangesAskedFor = rules.hooks().want(WebhookEvent.LEADERBOARD_CHANGED);
        if (board == null || !areRanksAskedFor && !areChangesAskedFor) {
            forgetRanks(group);
            store.delete(group, former);
            return READ_WORK;
        }
        GroupNotices notices = areChangesAskedFor ? former : former.changed(false);
        if (!areRanksAskedFor) {
            forgetRanks(group);
            notices = notices.compared(RankDiff.NOTHING);
        }
        List<RankingBody> ranking = List.of();
        if (notices.isChangeDue(nowMs, WINDOW_MS) || notices.areRanksDue(nowMs)) {
            try {
                ranking = reads.ranking(group.tenant(), board.board().key(), notices.runStart(), group.values());
            } catch (NotNow _) {
                // Stays due: the next check reads again.
                return READ_WORK;
            }
            if (!isFresh(group, ranking)) {
                return READ_WORK;
            }
            if (due.atMs() < nowMs - MAX_LATE_MS) {
                notices = notices.dueAt(nowMs);
                store.change(group, notices);
                store.write();
            }
        }
        // The body follows the rules in force when the change happened.
        CompiledRuleset ofEvent = rulesOf(group.tenant(), notices.rulesVersion());
        var events = new LeaderboardEvents(
                ofEvent, requireNonNull(ofEvent.board(group.board()), "the rules of an event have its leaderboard"));
        return READ_WORK
                + new Sending(
                                group,
                                events,
                                new LeaderboardKey(group.tenant(), board.board().key()).bytes(),
                                nowMs)
                        .send(notices, ranking);
    }

    private boolean isFresh(LeaderboardGroup group, List<RankingBody> ranking) {
        Expected expected = newest.get(group);
        if (expected == null) {
            return true;
        }
        BigDecimal shown = ranking.stream()
                .filter(place -> place.userId().equals(expected.user()))
                .map(RankingBody::value)
                .findFirst()
                .orElse(null);
        boolean isThere =
                expected.value() == null ? shown == null : shown != null && shown.compareTo(expected.value()) == 0;
        if (isThere || expected.checks() >= MAX_CHECKS) {
            newest.remove(group);
            return true;
        }
        newest.put(group, Records.with(expected, "checks", expected.checks() + 1));
        return false;
    }

    private CompiledRuleset rulesOf(TenantId tenant, long version) {
        CompiledRuleset rules = rulesets.get(tenant, version);
        if (rules == null) {
            throw new IllegalStateException("an event of a leaderboard of tenant '" + tenant
                    + "' names ruleset version " + version + ", which was never published");
        }
        return rules;
    }

    private void forgetRanks(LeaderboardGroup group) {
        store.notifiedRanks(group).keySet().forEach(user -> store.deleteNotified(group, user));
    }

    /** The sending of what is due of a group. @param key of the leaderboard in the outbox */
    private final class Sending {

        private final LeaderboardGroup group;
        private final LeaderboardEvents events;
        private final byte[] key;
        private final long nowMs;

        /** When the window of the first user ends. */
        private long expiryMs = NOT_DUE;

        private int sent;

        private Sending(LeaderboardGroup group, LeaderboardEvents events, byte[] key, long nowMs) {
            this.group = group;
            this.events = events;
            this.key = key;
            this.nowMs = nowMs;
        }

        /** @return the number of events */
        private int send(GroupNotices due, List<RankingBody> ranking) {
            var run = new RunGroup(due.runStart(), due.runEnd(), group.values());
            // The time that is stored: an event that is made again after a crash has the same id and the same time.
            Instant at = Instant.ofEpochMilli(due.dueMs());
            GroupNotices notices = due;
            if (notices.isChangeDue(nowMs, WINDOW_MS)) {
                deliveries.add(key, events.changed(run, ranking, notices.notifiedMs(), at));
                notices = notices.changeNotified(nowMs);
                sent++;
            }
            if (notices.areRanksDue(nowMs)) {
                Map<UserId, FormerRank> former = RankDiff.before(ranking, notices.moves());
                former.putAll(store.notifiedRanks(group));
                RankDiff diff = RankDiff.of(ranking, former, nowMs, WINDOW_MS);
                diff.expired().forEach(user -> store.deleteNotified(group, user));
                expiryMs = diff.expiryMs();
                if (sendRanks(diff, run, at)) {
                    notices = notices.compared(diff.nextMs());
                }
            } else {
                expireRanks();
            }
            notices = notices.timed(nowMs, WINDOW_MS, expiryMs);
            if (notices.dueMs() == NOT_DUE) {
                store.delete(group, due);
            } else {
                store.change(group, notices);
            }
            return sent;
        }

        /** @return whether all changes were sent; the others stay due */
        private boolean sendRanks(RankDiff diff, RunGroup run, Instant at) {
            int ranks = 0;
            for (Change change : diff.due()) {
                if (ranks == MAX_SENT) {
                    return false;
                }
                Optional<UserBody> user;
                try {
                    user = reads.user(new UserKey(group.tenant(), change.user()));
                } catch (NotNow _) {
                    return false;
                }
                if (user.isEmpty()) {
                    // The user was erased.
                    store.deleteNotified(group, change.user());
                    continue;
                }
                deliveries.add(key, events.rankChanged(run, user.get(), change, at));
                store.putNotified(group, change.user(), new FormerRank(change.rank(), change.value(), nowMs, false));
                expiryMs = Math.min(expiryMs, nowMs + WINDOW_MS);
                ranks++;
                sent++;
            }
            return true;
        }

        /** Deletes ranks whose window has ended. No user has moved since they were compared, so they are the present ones. */
        private void expireRanks() {
            store.notifiedRanks(group).forEach((user, rank) -> {
                long untilMs = rank.silentUntilMs(WINDOW_MS);
                if (untilMs <= nowMs) {
                    store.deleteNotified(group, user);
                } else {
                    expiryMs = Math.min(expiryMs, untilMs);
                }
            });
        }
    }
}
