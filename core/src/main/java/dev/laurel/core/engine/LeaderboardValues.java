package dev.laurel.core.engine;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The working copy of a user's values on leaderboards during one transaction: in the newest run of each, and in older runs in the
 * history. Says which runs have changed. {@link LeaderboardScorer} decides about the values.
 */
final class LeaderboardValues {

    private final HistoryOverlay history;
    private final CommandContext context;
    private IntKeyedMap<LeaderboardState> newest;
    private int streakLength;

    /** The runs with changes in this transaction, in the order of the first change. */
    private List<ChangedRun> changes = List.of();

    /** @param before the state at the beginning of the transaction; null: no value */
    record ChangedRun(int board, int run, @Nullable LeaderboardState before) {}

    LeaderboardValues(
            IntKeyedMap<LeaderboardState> before, HistoryOverlay history, CommandContext context, int streakLength) {
        this.newest = before;
        this.history = history;
        this.context = context;
        this.streakLength = streakLength;
    }

    /** The states in the newest run with a value, by the number of the leaderboard. */
    IntKeyedMap<LeaderboardState> newest() {
        return newest;
    }

    @Nullable
    LeaderboardState newest(LeaderboardRules rules) {
        return newest.get(rules.number());
    }

    List<ChangedRun> changes() {
        return changes;
    }

    /** The length of the streak in the values so far. */
    int streakLength() {
        return streakLength;
    }

    void updateStreakLength(int length) {
        streakLength = length;
    }

    /** The run of this local date; {@link Runs#NONE} also if it is final. */
    int openRunOf(LeaderboardRules rules, int day) {
        int run = rules.runs().runOf(day);
        // No run is final before its days are over in UTC; finding the exact moment takes a calendar.
        boolean mayBeFinal = run != Runs.NONE && (day + 1) * LocalDays.MS_PER_DAY <= context.clockMs();
        return mayBeFinal && isFinal(rules, run) ? Runs.NONE : run;
    }

    boolean isFinal(LeaderboardRules rules, int run) {
        return rules.runs().finalMsOf(run) <= context.clockMs();
    }

    @Nullable
    LeaderboardState stateIn(LeaderboardRules rules, int run) {
        LeaderboardState state = newest(rules);
        if (state == null || state.run() == run) {
            return state;
        }
        return state.run() < run ? null : history.boardRun(rules.number(), run);
    }

    /** Null: the run has not changed. */
    @Nullable
    ChangedRun changeIn(LeaderboardRules rules, int run) {
        // Catching up over a long time goes from run to run, so that the newest one is the most likely.
        for (int i = changes.size() - 1; i >= 0; i--) {
            ChangedRun candidate = changes.get(i);
            if (candidate.run() == run && candidate.board() == rules.number()) {
                return candidate;
            }
        }
        return null;
    }

    /** Changes the value in a run, from the state {@code before}. */
    void put(LeaderboardRules rules, int run, @Nullable LeaderboardState before, BigDecimal value, long atMs) {
        noteChange(rules, run, before);
        write(
                rules,
                new LeaderboardState(
                        run,
                        value,
                        before == null ? atMs : Math.max(before.changedMs(), atMs),
                        before == null ? null : before.group()));
    }

    /** Notes a change in a run, so that it is scored. @param before the state before the first change */
    void noteChange(LeaderboardRules rules, int run, @Nullable LeaderboardState before) {
        if (changeIn(rules, run) == null) {
            if (changes.isEmpty()) {
                changes = new ArrayList<>(2);
            }
            changes.add(new ChangedRun(rules.number(), run, before));
        }
    }

    /** Writes a state without noting a change. */
    void write(LeaderboardRules rules, LeaderboardState state) {
        LeaderboardState present = newest(rules);
        if (present != null && present.run() > state.run()) {
            history.put(new HistoryWrite.PutBoardRun(rules.number(), state));
            return;
        }
        if (present != null && present.run() < state.run() && !isFinal(rules, present.run())) {
            // Late events may still change it.
            history.put(new HistoryWrite.PutBoardRun(rules.number(), present));
        }
        replace(rules, state);
    }

    /** Replaces the state in the newest run. */
    void replace(LeaderboardRules rules, LeaderboardState state) {
        newest = newest.with(rules.number(), state);
    }

    /** Removes values on leaderboards that the rules no longer have. Their numbers are not reused. */
    void dropRemoved(CompiledRuleset rules) {
        newest = newest.retaining(rules::keepsBoard);
    }
}
