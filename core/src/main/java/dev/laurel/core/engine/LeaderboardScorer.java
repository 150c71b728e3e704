package dev.laurel.core.engine;

import dev.laurel.core.leaderboard.BoardRules;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.BoardState;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.Profile;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.schemas.input.Amounts;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * Computes the user's values on leaderboards (docs/semantics.md §7). Values depend on the log alone: the leaderboards decide
 * about participants and ranks, which do not come back here. So commands, ticks and reads compute the same values, except
 * for {@link BoardState#changedOffset}, the position of the one processed first.
 */
final class LeaderboardScorer {

    private final UserTransaction user;
    private final CommandContext context;
    private final Profile profileBefore;

    /** The runs with changes in this transaction, in the order of the first change. */
    private List<ChangedRun> changes = List.of();

    /** The length of the streak in the scores so far. */
    private int length;

    /** @param before null: no value */
    private record ChangedRun(int board, int run, @Nullable BoardState before) {}

    /** @param user at the beginning of the transaction */
    LeaderboardScorer(UserTransaction user, CommandContext context) {
        this.user = user;
        this.context = context;
        this.profileBefore = user.profile();
        this.length = lengthUnder(user.rules());
    }

    private int lengthUnder(CompiledRuleset rules) {
        return rules.streak().isEnabled() && user.preferences().wantsStreak() ? user.streak().length() : 0;
    }

    /** Begins a migration to newer rules. @param former the rules so far */
    void beginMigration(CompiledRuleset former) {
        length = lengthUnder(former);
    }

    /** Ends the migration to one version of the rules. */
    void migrate(long atMs) {
        updateStreak(atMs);
        user.dropRemovedBoards();
        lowerMissedLosses(atMs);
        reportMissedMoves();
    }

    /**
     * Lowers values of streaks that were lost while the leaderboard was inactive and received no scores, so that no user keeps
     * a lost streak there. A streak that has grown enters with its next change, as does any value from before an activation.
     */
    private void lowerMissedLosses(long atMs) {
        if (user.boards().size() == 0) {
            return;
        }
        int day = user.dayOf(Math.max(atMs, user.newestMs()));
        BigDecimal value = BigDecimal.valueOf(length);
        for (BoardRules rules : user.rules().streakBoards()) {
            int run = openRunOf(rules, day);
            BoardState before = run == Runs.NONE ? null : stateIn(rules, run);
            if (before != null && before.value().compareTo(value) > 0) {
                put(rules, run, before, value, atMs);
            }
        }
    }

    /** Reports users who changed their group while a leaderboard was inactive, now that it is active again. Past runs stay. */
    private void reportMissedMoves() {
        int today = user.dayOf(user.newestMs());
        for (BoardRules rules : user.rules().openBoards()) {
            BoardState state = user.boards().get(rules.number());
            if (state != null && hasMissedMove(rules, state)
                    && state.run() == currentRunOf(rules, user.newestMs(), today)) {
                noteChange(rules, state.run(), state);
                write(rules, state.movedAt(context.offset()));
            }
        }
    }

    private boolean hasMissedMove(BoardRules rules, BoardState state) {
        return rules.isSpread()
                ? !Objects.equals(state.group(), rules.groupOf(user.profile().attributes()))
                : state.changedOffset() == Score.UNREPORTED;
    }

    /**
     * Scores a change of a total.
     *
     * @param boards the open leaderboards that compare the total
     * @param day the local date of {@code atMs}
     */
    void count(List<BoardRules> boards, long atMs, int day, BigDecimal change, BigDecimal total) {
        if (change.signum() == 0) {
            return;
        }
        // By index: most metrics are on no leaderboard, and this runs with every event.
        for (int i = 0; i < boards.size(); i++) {
            BoardRules rules = boards.get(i);
            int run = openRunOf(rules, day);
            if (run != Runs.NONE && rules.countsAt(atMs, user.zone())) {
                BoardState before = stateIn(rules, run);
                put(rules, run, before,
                        rules.isSum() ? Amounts.canonical(BoardState.valueOf(before).add(change)) : total, atMs);
            }
        }
    }

    /** Scores the streak if its length has changed. @param atMs the time of the change */
    void updateStreak(long atMs) {
        int present = lengthUnder(user.rules());
        if (present == length) {
            return;
        }
        length = present;
        List<BoardRules> boards = user.rules().streakBoards();
        if (boards.isEmpty()) {
            return;
        }
        // A late event may change it, too: it makes the present streak longer.
        int day = user.dayOf(Math.max(atMs, user.newestMs()));
        BigDecimal value = BigDecimal.valueOf(present);
        for (BoardRules rules : boards) {
            int run = openRunOf(rules, day);
            if (run != Runs.NONE) {
                BoardState before = stateIn(rules, run);
                if (!BoardState.valueOf(before).equals(value)) {
                    put(rules, run, before, value, atMs);
                }
            }
        }
    }

    /** The run of this local date; {@link Runs#NONE} also if it is final. */
    private int openRunOf(BoardRules rules, int day) {
        int run = rules.runs().runOf(day);
        // No run is final before its days are over in UTC; finding the exact moment takes a calendar.
        boolean mayBeFinal = run != Runs.NONE && (day + 1) * LocalDays.MS_PER_DAY <= context.clockMs();
        return mayBeFinal && isFinal(rules, run) ? Runs.NONE : run;
    }

    private boolean isFinal(BoardRules rules, int run) {
        return rules.runs().finalMsOf(run) <= context.clockMs();
    }

    private @Nullable BoardState stateIn(BoardRules rules, int run) {
        BoardState newest = user.boards().get(rules.number());
        if (newest == null || newest.run() == run) {
            return newest;
        }
        return newest.run() < run ? null : user.history().boardRun(rules.number(), run);
    }

    private void put(BoardRules rules, int run, @Nullable BoardState before, BigDecimal value, long atMs) {
        noteChange(rules, run, before);
        write(rules, new BoardState(run, value, before == null ? atMs : Math.max(before.changedMs(), atMs),
                context.offset(), before == null ? null : before.group()));
    }

    private void noteChange(BoardRules rules, int run, @Nullable BoardState before) {
        if (changeIn(rules, run) == null) {
            if (changes.isEmpty()) {
                changes = new ArrayList<>(2);
            }
            changes.add(new ChangedRun(rules.number(), run, before));
        }
    }

    private @Nullable ChangedRun changeIn(BoardRules rules, int run) {
        // Catching up over a long time goes from run to run, so that the newest one is the most likely.
        for (int i = changes.size() - 1; i >= 0; i--) {
            ChangedRun candidate = changes.get(i);
            if (candidate.run() == run && candidate.board() == rules.number()) {
                return candidate;
            }
        }
        return null;
    }

    private void write(BoardRules rules, BoardState state) {
        BoardState newest = user.boards().get(rules.number());
        if (newest != null && newest.run() > state.run()) {
            user.history().put(new HistoryWrite.PutBoardRun(rules.number(), state));
            return;
        }
        if (newest != null && newest.run() < state.run() && !isFinal(rules, newest.run())) {
            // Late events may still change it.
            user.history().put(new HistoryWrite.PutBoardRun(rules.number(), newest));
        }
        user.putBoard(rules.number(), state);
    }

    /**
     * Ends the transaction and moves the user to the groups of the present attributes.
     *
     * @return in ruleset order, one score per open leaderboard with a value above zero in the current run, before or after, and
     *         one per older run that has changed
     */
    List<Score> close() {
        int today = user.dayOf(user.newestMs());
        if (user.profile() != profileBefore && user.boards().size() > 0) {
            markMissedMoves(today);
        }
        List<BoardRules> open = user.rules().openBoards();
        if (open.isEmpty()) {
            return List.of();
        }
        var scores = new ArrayList<Score>(open.size());
        for (int i = 0; i < open.size(); i++) {
            BoardRules rules = open.get(i);
            if (user.boards().get(rules.number()) == null) {
                continue; // the user has no value there, in any run
            }
            int current = currentRunOf(rules, user.newestMs(), today);
            if (current != Runs.NONE) {
                closeCurrent(rules, current, scores);
            }
            for (int j = 0; j < changes.size(); j++) {
                if (changes.get(j).board() == rules.number() && changes.get(j).run() != current) {
                    closeOther(rules, changes.get(j), scores);
                }
            }
        }
        return scores;
    }

    /**
     * Marks a change of group on an inactive leaderboard and in a past run, which keep their users where they are. When the leaderboard is
     * active again, or the user is back in the run after flying west, the mark shows that the user was not in the new group before.
     *
     * @param today the user's newest local date
     */
    private void markMissedMoves(int today) {
        for (BoardRules rules : user.rules().boards()) {
            // The state of a spread leaderboard has the group.
            BoardState state = rules.isBrokenDown() && !rules.isSpread() ? user.boards().get(rules.number()) : null;
            if (state != null
                    && !Objects.equals(rules.groupOf(user.profile().attributes()),
                            rules.groupOf(profileBefore.attributes()))
                    && (!rules.isOpen() || state.run() != currentRunOf(rules, user.newestMs(), today))) {
                user.putBoard(rules.number(), state.movedAt(Score.UNREPORTED));
            }
        }
    }

    /** Ends a tick, which changes only values. @return the changed scores */
    List<Score> closeChanged() {
        return changes.isEmpty()
                ? List.of()
                : close().stream().filter(score -> score.kind() == Score.Kind.CHANGED).toList();
    }

    /**
     * The run of the user's newest local date; {@link Runs#NONE} also if it is final and cannot change any more, even if the
     * leaderboard itself reaches that time later.
     *
     * @param day the local date of {@code atMs}, the user's newest time
     */
    private int currentRunOf(BoardRules rules, long atMs, int day) {
        BoardState newest = user.boards().get(rules.number());
        // Timers may have fired on a later date.
        return openRunOf(rules,
                newest != null && newest.changedMs() > atMs ? user.dayOf(newest.changedMs()) : day);
    }

    private void closeCurrent(BoardRules rules, int run, List<Score> scores) {
        BoardState after = stateIn(rules, run);
        if (after == null) {
            return; // the user has had no value in this run
        }
        ChangedRun change = changeIn(rules, run);
        BoardState before = change == null ? after : change.before();
        List<String> group = rules.groupOf(user.profile().attributes());
        if (rules.isSpread()) {
            boolean moves = change != null || user.profile() != profileBefore
                    && !Objects.equals(group, rules.groupOf(profileBefore.attributes()));
            closeSpread(rules, true, change, after, moves ? group : after.group(), scores);
            return;
        }
        List<String> former = user.profile() == profileBefore ? group : rules.groupOf(profileBefore.attributes());
        boolean isRenamed = !Objects.equals(user.profile().name(), profileBefore.name());
        boolean hasMoved = !Objects.equals(group, former);
        if (hasMoved) {
            write(rules, after.movedAt(context.offset()));
        }
        BigDecimal valueBefore = BoardState.valueOf(before);
        BigDecimal value = after.value();
        boolean isRanked = valueBefore.signum() > 0 || value.signum() > 0;
        long formerOffset = before == null ? -1 : isFormerRun(rules, run) ? Score.UNREPORTED : before.changedOffset();
        // The leaderboard may know the user in a group that the user has left since.
        if (isRanked && (group != null || former != null || formerOffset == Score.UNREPORTED)) {
            Score.Kind kind = change != null || hasMoved
                    ? Score.Kind.CHANGED
                    : isRenamed ? Score.Kind.RENAMED : Score.Kind.SAME;
            scores.add(new Score(rules, run, true, group, former, valueBefore, value, after.changedMs(), formerOffset,
                    kind));
        }
    }

    /** Whether the user has been in a later run, and may have changed the group there. */
    private boolean isFormerRun(BoardRules rules, int run) {
        BoardState newest = user.boards().get(rules.number());
        return rules.isBrokenDown() && newest != null && newest.run() > run;
    }

    /**
     * Closes a run of a spread leaderboard, whose groups do not know of each other: the state has the group that was scored last, and the
     * user leaves that one.
     *
     * @param group of the user in this run from now on
     */
    private void closeSpread(BoardRules rules, boolean isCurrent, @Nullable ChangedRun change, BoardState after,
            @Nullable List<String> group, List<Score> scores) {
        BoardState before = change == null ? after : change.before();
        List<String> former = after.group();
        boolean hasMoved = !Objects.equals(group, former);
        if (hasMoved) {
            write(rules, after.movedAt(context.offset()).inGroup(group));
        }
        BigDecimal valueBefore = BoardState.valueOf(before);
        boolean isRanked = valueBefore.signum() > 0 || after.value().signum() > 0;
        if (isRanked && (group != null || former != null)) {
            boolean isRenamed = !Objects.equals(user.profile().name(), profileBefore.name());
            Score.Kind kind = change != null || hasMoved
                    ? Score.Kind.CHANGED
                    : isRenamed ? Score.Kind.RENAMED : Score.Kind.SAME;
            scores.add(new Score(rules, after.run(), isCurrent, group, former, valueBefore, after.value(),
                    after.changedMs(), before == null ? -1 : before.changedOffset(), kind));
        }
    }

    /** Closes another run than the current one. The user's group does not change there. */
    private void closeOther(BoardRules rules, ChangedRun change, List<Score> scores) {
        BoardState after = requireNonNull(stateIn(rules, change.run()), "a changed run has a value");
        if (rules.isSpread()) {
            closeSpread(rules, false, change, after,
                    after.group() != null ? after.group() : rules.groupOf(user.profile().attributes()), scores);
            return;
        }
        BigDecimal before = BoardState.valueOf(change.before());
        if (before.signum() > 0 || after.value().signum() > 0) {
            List<String> group = rules.groupOf(user.profile().attributes());
            scores.add(new Score(rules, change.run(), false, group, group, before, after.value(), after.changedMs(),
                    change.before() == null ? -1 : change.before().changedOffset(), Score.Kind.CHANGED));
        }
    }

    /**
     * The scores by which the leaderboards find the user's ranks: those that were sent, without the effects of timers that
     * became due since.
     *
     * @param nowMs the time of the read
     */
    List<Score> openScores(long nowMs) {
        List<BoardRules> open = user.rules().openBoards();
        if (open.isEmpty()) {
            return List.of();
        }
        var scores = new ArrayList<Score>(open.size());
        long atMs = Math.max(nowMs, user.newestMs());
        int today = user.dayOf(atMs);
        for (BoardRules rules : open) {
            int run = currentRunOf(rules, atMs, today);
            ChangedRun change = run == Runs.NONE ? null : changeIn(rules, run);
            BoardState sent = run == Runs.NONE ? null : change == null ? stateIn(rules, run) : change.before();
            List<String> group = rules.groupOf(user.profile().attributes());
            if (sent != null && sent.value().signum() > 0 && group != null) {
                scores.add(new Score(rules, run, true, group, group, sent.value(), sent.value(), sent.changedMs(),
                        sent.changedOffset(), Score.Kind.SAME));
            }
        }
        return scores;
    }
}
