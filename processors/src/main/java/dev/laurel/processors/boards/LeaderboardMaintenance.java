package dev.laurel.processors.boards;

import dev.laurel.core.leaderboard.DayClose;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.boards.LeaderboardGroups.Group;
import dev.laurel.processors.store.boards.LeaderboardStores;
import dev.laurel.processors.store.boards.LeaderboardStores.Found;
import dev.laurel.processors.store.boards.LeaderboardStores.OpenGroup;
import dev.laurel.processors.store.users.TenantSchedule;
import dev.laurel.processors.store.users.TenantSchedule.Kind;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies time and rules to the groups of one partition: closes days, starts runs and makes them final, shrinks groups. A group is
 * brought up to date before its next change; sweeps do the same for all other groups, a few at a time. When time has moved, a sweep goes
 * through all groups; when rules of a tenant have changed, through those of the tenant. One task, one thread.
 */
final class LeaderboardMaintenance {

    /** Groups that one step reads. */
    private static final int MAX_EXAMINED = 1_000;

    /** Participants of the groups that one step brings up to date: a day end may have to be written for each of them. */
    private static final int MAX_PARTICIPANTS = 5_000;

    /** Groups of one tenant that a turn of its sweep reads. */
    private static final int MAX_EXAMINED_OF_TENANT = 200;

    /** A time at which the run of a tenant is due as soon as the time is known. */
    private static final long AT_ONCE = 0;

    private final RulesetVersions rulesets;
    private final LeaderboardProgress watermarks;
    private final LeaderboardStores stores;
    private final LeaderboardGroups groups;
    private final LeaderboardEffects effects;
    private final LeaderboardLayout layout;
    private final int partition;
    private final TenantSchedule schedule;

    /** The tenants whose groups are swept, the one whose turn is next first. */
    private final LinkedHashMap<TenantId, Sweep> tenantSweeps = new LinkedHashMap<>();

    /** The sweep of the groups of all tenants; null: there is none. */
    private @Nullable Sweep everything;

    private boolean areTenantsFirst;

    /**
     * A sweep of groups. One that is requested again continues to its end first, so that it reaches the last group however often that
     * happens.
     *
     * @param sweptTo the last group that it has examined; null if it begins
     */
    private record Sweep(@Nullable LeaderboardGroup sweptTo, boolean isOnceMore) {

        static final Sweep BEGUN = new Sweep(null, false);

        Sweep requestedAgain() {
            return new Sweep(sweptTo, sweptTo != null);
        }
    }

    /** The work that may still be done in a step. */
    private static final class Work {

        /** Groups to bring up to date, and tenants whose rules are read. */
        private int left;

        private int examined = MAX_EXAMINED;
        private int participants = MAX_PARTICIPANTS;
        private @Nullable TenantId tenant;

        Work(int left) {
            this.left = left;
        }

        boolean isUsedUp() {
            return left <= 0 || participants <= 0 || examined <= 0;
        }

        /** Takes the reading of the rules of a tenant, which costs nothing if they were read last. @return false: no work is left for it */
        boolean takeRulesOf(TenantId next) {
            if (next.equals(tenant)) {
                return true;
            }
            if (left <= 0) {
                return false;
            }
            tenant = next;
            left--;
            return true;
        }
    }

    LeaderboardMaintenance(
            RulesetVersions rulesets,
            LeaderboardProgress watermarks,
            LeaderboardStores stores,
            LeaderboardGroups groups,
            LeaderboardEffects effects,
            LeaderboardLayout layout,
            int partition) {
        this.rulesets = rulesets;
        this.watermarks = watermarks;
        this.stores = stores;
        this.groups = groups;
        this.effects = effects;
        this.layout = layout;
        this.partition = partition;
        this.schedule = stores.schedule();
        // The position of a sweep is not stored, since a sweep without work is quick.
        clockMoved();
    }

    /** The rules in force: the newest in any partition of the log. */
    CompiledRuleset rulesOf(TenantId tenant) {
        return rulesets.published(tenant, watermarks.newestVersion(tenant));
    }

    /**
     * Whether the run accepts no more scores: its time is over in all partitions of the log, or an administrator ended it and all
     * partitions know. The end of an inactive leaderboard can still be changed, so the run that it ends does not become final.
     */
    boolean isOver(TenantId tenant, LeaderboardRules rules, int run) {
        Leaderboard board = rules.board();
        if (board.status() == LeaderboardStatus.INACTIVE
                && board.end() != null
                && board.end().equals(rules.runs().lastDateOf(run))) {
            return false;
        }
        return watermarks.clockMs() >= rules.runs().finalMsOf(run) || isFinished(tenant, rules);
    }

    private boolean isFinished(TenantId tenant, LeaderboardRules rules) {
        if (rules.board().status() != LeaderboardStatus.FINISHED) {
            return false;
        }
        CompiledRuleset oldest = rulesets.get(tenant, watermarks.oldestVersion(tenant));
        LeaderboardRules ofOldest = oldest == null ? null : oldest.board(rules.number());
        return ofOldest != null && ofOldest.board().status() == LeaderboardStatus.FINISHED;
    }

    /** Opens a group for its first participant. */
    void open(Group group, LeaderboardRules rules) {
        groups.open(
                group,
                new OpenGroup(
                        watermarks.isClockKnown() ? lastDay() : DayClose.NEVER,
                        false,
                        rules.board().maxParticipants()));
    }

    /** Brings a group up to date: applies what has become due since its last change. */
    void bringUpToDate(Group group, CompiledRuleset rules, LeaderboardRules board) {
        if (group.isFinal() || !group.isOpen() && group.ranking().size() == 0) {
            return;
        }
        if (!group.isOpen()) {
            // Only the participants were stored: the two stores are not written atomically.
            open(group, board);
            mark(group);
        }
        boolean isOver = isOver(group.id().tenant(), board, group.id().run());
        long dueMs = isOver ? endMs(group, board) : startOfTodayMs();
        if (rules.publishedMs() < dueMs) {
            limit(group, rules, board);
        }
        closeDays(group);
        if (isOver) {
            finish(group, board);
        } else {
            limit(group, rules, board);
        }
    }

    private long startOfTodayMs() {
        return watermarks.isClockKnown() ? DayClose.beginningMsOf(lastDay() + 1) : LeaderboardProgress.UNKNOWN;
    }

    /** The last day that is over. */
    private int lastDay() {
        return DayClose.dayOf(watermarks.clockMs()) - 1;
    }

    /** Removes the lowest participants if the rules allow fewer than there are, or adds the first of those outside if they allow more. */
    private void limit(Group group, CompiledRuleset rules, LeaderboardRules board) {
        int max = board.board().maxParticipants();
        OpenGroup open = group.open();
        if (open.maxParticipants() == max) {
            return;
        }
        while (group.ranking().size() > max) {
            mark(group);
            effects.limited(board, group.id(), groups.exclude(group), rules.publishedMs());
        }
        while (group.ranking().size() < max && group.firstOutside() != null) {
            mark(group);
            effects.limited(board, group.id(), groups.admit(group), rules.publishedMs());
        }
        groups.open(group, new OpenGroup(group.open().closedDay(), group.open().hasChanged(), max));
    }

    /** Notes that a group is about to change, so that the end of the day is recorded. */
    void mark(Group group) {
        OpenGroup open = group.open();
        if (!open.hasChanged()) {
            groups.open(group, new OpenGroup(open.closedDay(), true, open.maxParticipants()));
        }
    }

    private void closeDays(Group group) {
        OpenGroup open = group.open();
        if (!watermarks.isClockKnown()) {
            return;
        }
        int lastDay = lastDay();
        if (open.closedDay() != DayClose.NEVER && open.closedDay() >= lastDay) {
            return;
        }
        boolean isOfToday = open.closedDay() == DayClose.NEVER
                && group.ranking().size() > 0
                && DayClose.newestDay(group.ranking()) > lastDay;
        if (isOfToday) {
            // The first time that is known: everything in the group has happened since the midnight before it.
            groups.open(group, new OpenGroup(lastDay, open.hasChanged(), open.maxParticipants()));
            return;
        }
        if (open.hasChanged()) {
            groups.record(group, DayClose.dayToClose(group.ranking(), open.closedDay(), lastDay));
        }
        groups.closed(group, group.open(), lastDay);
    }

    private void finish(Group group, LeaderboardRules board) {
        long endMs = endMs(group, board);
        if (group.open().hasChanged()) {
            groups.record(group, DayClose.dayOf(endMs));
        }
        effects.finished(board, group.id(), group.ranking(), endMs);
        groups.makeFinal(group);
    }

    private static long endMs(Group group, LeaderboardRules board) {
        Leaderboard leaderboard = board.board();
        long finalMs = board.runs().finalMsOf(group.id().run());
        return leaderboard.finished() == null
                ? finalMs
                : Math.min(finalMs, leaderboard.finished().toEpochMilli());
    }

    /** Called when time has moved: any group may have something due. */
    void clockMoved() {
        everything = everything == null ? Sweep.BEGUN : everything.requestedAgain();
    }

    /** Called when a partition of the log uses other rules. @param former the rules that it used before */
    void rulesChanged(TenantId tenant, CompiledRuleset former, CompiledRuleset rules) {
        start(tenant);
        if (!rules.document().leaderboards().equals(former.document().leaderboards())) {
            tenantSweeps.merge(tenant, Sweep.BEGUN, (known, _) -> known.requestedAgain());
        }
    }

    /** Whether {@link #step} would have work. */
    boolean hasWork() {
        return everything != null || !tenantSweeps.isEmpty() || isRunDue();
    }

    private boolean isRunDue() {
        return watermarks.isClockKnown() && schedule.firstMs(Kind.RUNS) <= watermarks.clockMs();
    }

    /** Does a part of the work. @param maxWork maximum of groups to bring up to date, and of tenants whose rules are read */
    void step(int maxWork) {
        var work = new Work(maxWork);
        startRuns(work);
        // Both kinds of sweeps progress, even if one of them uses up the work of each step.
        areTenantsFirst = !areTenantsFirst;
        if (areTenantsFirst) {
            sweepTenants(work);
            sweepAll(work);
        } else {
            sweepAll(work);
            sweepTenants(work);
        }
    }

    private void startRuns(Work work) {
        while (work.left > 0 && isRunDue()) {
            for (TenantId tenant : schedule.due(Kind.RUNS, watermarks.clockMs(), work.left)) {
                work.takeRulesOf(tenant);
                start(tenant);
            }
        }
    }

    private void sweepTenants(Work work) {
        while (!tenantSweeps.isEmpty() && !work.isUsedUp()) {
            Map.Entry<TenantId, Sweep> first = tenantSweeps.pollFirstEntry();
            Sweep rest = sweep(first.getValue(), first.getKey(), MAX_EXAMINED_OF_TENANT, work);
            work.examined--;
            if (rest != null) {
                tenantSweeps.putLast(first.getKey(), rest);
            }
        }
    }

    private void sweepAll(Work work) {
        if (everything != null && !work.isUsedUp()) {
            everything = sweep(everything, null, work.examined, work);
        }
    }

    /** Gives a sweep a turn. @param tenant of the groups; null: all tenants @return what is left of it; null: nothing */
    private @Nullable Sweep sweep(Sweep sweep, @Nullable TenantId tenant, int limit, Work work) {
        List<Found> next = stores.openGroupsAfter(tenant, sweep.sweptTo(), limit);
        int done = bringUpToDate(next, work);
        if (done < next.size() || next.size() == limit) {
            return new Sweep(done == 0 ? sweep.sweptTo() : next.get(done - 1).group(), sweep.isOnceMore());
        }
        return sweep.isOnceMore() ? Sweep.BEGUN : null;
    }

    /** Brings groups up to date until the work is used up. @return the number of those that are */
    private int bringUpToDate(List<Found> next, Work work) {
        int done = 0;
        for (Found found : next) {
            if (!work.takeRulesOf(found.group().tenant())) {
                return done;
            }
            CompiledRuleset rules = rulesOf(found.group().tenant());
            LeaderboardRules board = rules.board(found.group().board());
            if (board != null && isBehind(found, board)) {
                if (work.isUsedUp()) {
                    return done;
                }
                work.participants -= bringUpToDate(found.group(), rules, board);
                work.left--;
            }
            work.examined--;
            done++;
        }
        return done;
    }

    private boolean isBehind(Found found, LeaderboardRules board) {
        OpenGroup open = found.open();
        return open.maxParticipants() != board.board().maxParticipants()
                || open.hasChanged() && watermarks.isClockKnown() && open.closedDay() < lastDay()
                || isOver(found.group().tenant(), board, found.group().run());
    }

    /** Keeps no group in memory that was not there, so that it does not displace others. @return the number of its participants */
    private int bringUpToDate(LeaderboardGroup id, CompiledRuleset rules, LeaderboardRules board) {
        boolean isHeld = groups.isHeld(id);
        Group group = groups.of(id);
        int participants = group.ranking().size();
        bringUpToDate(group, rules, board);
        if (!isHeld) {
            groups.drop(id);
        }
        return participants;
    }

    /** Announces the newest run of each leaderboard that has started, and schedules the next one. */
    private void start(TenantId tenant) {
        long nextMs = Long.MAX_VALUE;
        for (LeaderboardRules board : rulesOf(tenant).openBoards()) {
            if (layout.partitionOf(tenant, board.number()) == partition) {
                if (watermarks.isClockKnown()) {
                    start(tenant, board);
                    nextMs = Math.min(nextMs, board.runs().nextBeginningMs(watermarks.clockMs()));
                } else {
                    nextMs = AT_ONCE;
                }
            }
        }
        schedule.put(Kind.RUNS, tenant, nextMs == Long.MAX_VALUE ? TenantSchedule.NEVER : nextMs);
    }

    private void start(TenantId tenant, LeaderboardRules board) {
        int run = board.runs().runBegunBy(watermarks.clockMs());
        Integer announced = stores.announcedRun(tenant, board.number());
        if (run == Runs.NONE || announced != null && announced >= run) {
            return;
        }
        long beginningMs = board.runs().beginningMsOf(run);
        effects.started(
                tenant,
                board,
                run,
                board.board().activated() == null
                        ? beginningMs
                        : Math.max(beginningMs, board.board().activated().toEpochMilli()));
        stores.putAnnouncedRun(tenant, board.number(), run);
        if (!board.isBrokenDown()) {
            // Opened without participants, so that its end is announced, too.
            Group group = groups.of(new LeaderboardGroup(tenant, board.number(), run, List.of()));
            if (!group.isOpen() && !group.isFinal()) {
                open(group, board);
            }
        }
    }
}
