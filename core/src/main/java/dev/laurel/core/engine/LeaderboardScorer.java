package dev.laurel.core.engine;

import static java.util.Objects.requireNonNull;

import dev.laurel.core.engine.LeaderboardValues.ChangedRun;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Computes the user's values on leaderboards (docs/semantics.md §7). Values depend on the log alone: the leaderboards decide
 * about participants and ranks, which do not come back here. So commands, ticks and reads compute the same values.
 */
final class LeaderboardScorer {

    private final UserTransaction user;
    private final LeaderboardValues values;

    LeaderboardScorer(UserTransaction user) {
        this.user = user;
        this.values = user.boards();
    }

    /** Ends the migration to one version of the rules. */
    void migrate(long atMs) {
        updateStreak(atMs);
        values.dropRemoved(user.rules());
        lowerMissedLosses(atMs);
        reportMissedMoves();
    }

    /**
     * Lowers values of streaks that were lost while the leaderboard was inactive and received no scores, so that no user keeps
     * a lost streak there. A streak that has grown enters with its next change, as does any value from before an activation.
     */
    private void lowerMissedLosses(long atMs) {
        if (values.newest().size() > 0) {
            putStreak(atMs, true);
        }
    }

    /** Moves users who changed their group while a leaderboard was inactive, now that it is active again. Past runs stay. */
    private void reportMissedMoves() {
        int today = user.dayOf(user.newestMs());
        for (LeaderboardRules rules : user.rules().openBoards()) {
            LeaderboardState state = values.newest(rules);
            if (state != null
                    && !Objects.equals(state.group(), groupIn(rules))
                    && state.run() == currentRunOf(rules, user.newestMs(), today)) {
                values.noteChange(rules, state.run(), state);
            }
        }
    }

    /**
     * Scores a change of a total.
     *
     * @param boards the open leaderboards that compare the total
     * @param day the local date of {@code atMs}
     */
    void count(List<LeaderboardRules> boards, long atMs, int day, BigDecimal change, BigDecimal total) {
        if (change.signum() == 0) {
            return;
        }
        // By index: most metrics are on no leaderboard, and this runs with every event.
        for (int i = 0; i < boards.size(); i++) {
            LeaderboardRules rules = boards.get(i);
            int run = values.openRunOf(rules, day);
            if (run != Runs.NONE && rules.countsAt(atMs, user.zone())) {
                LeaderboardState before = values.stateIn(rules, run);
                values.put(
                        rules,
                        run,
                        before,
                        rules.isSum()
                                ? Amounts.canonical(
                                        LeaderboardState.valueOf(before).add(change))
                                : total,
                        atMs);
            }
        }
    }

    /** Scores the streak if its length has changed. @param atMs the time of the change */
    void updateStreak(long atMs) {
        int present = user.lengthUnder(user.rules());
        if (present == values.streakLength()) {
            return;
        }
        values.updateStreakLength(present);
        putStreak(atMs, false);
    }

    /** @param onlyIfLower whether higher values are not put */
    private void putStreak(long atMs, boolean onlyIfLower) {
        List<LeaderboardRules> boards = user.rules().streakBoards();
        if (boards.isEmpty()) {
            return;
        }
        // A late event may change it, too: it makes the present streak longer.
        int day = user.dayOf(Math.max(atMs, user.newestMs()));
        BigDecimal value = BigDecimal.valueOf(values.streakLength());
        for (LeaderboardRules rules : boards) {
            int run = values.openRunOf(rules, day);
            if (run != Runs.NONE) {
                LeaderboardState before = values.stateIn(rules, run);
                BigDecimal known = LeaderboardState.valueOf(before);
                if (onlyIfLower ? known.compareTo(value) > 0 : !known.equals(value)) {
                    values.put(rules, run, before, value, atMs);
                }
            }
        }
    }

    /**
     * Ends the transaction and moves the user to the groups of the present attributes.
     *
     * @return in ruleset order, one score per open leaderboard with a value above zero in the current run, before or after, and
     *         one per older run that has changed
     */
    List<Score> close() {
        int today = user.dayOf(user.newestMs());
        List<LeaderboardRules> open = user.rules().openBoards();
        if (open.isEmpty()) {
            return List.of();
        }
        var scores = new ArrayList<Score>(open.size());
        for (int i = 0; i < open.size(); i++) {
            LeaderboardRules rules = open.get(i);
            if (values.newest(rules) == null) {
                continue; // the user has no value there, in any run
            }
            int current = currentRunOf(rules, user.newestMs(), today);
            if (current != Runs.NONE) {
                closeCurrent(rules, current, scores);
            }
            List<ChangedRun> changes = values.changes();
            for (int j = 0; j < changes.size(); j++) {
                if (changes.get(j).board() == rules.number() && changes.get(j).run() != current) {
                    closeOther(rules, changes.get(j), scores);
                }
            }
        }
        return scores;
    }

    /** Lets a user who is hidden leave the rankings of all runs that may change, and any other user enter them again. */
    void changeVisibility() {
        for (LeaderboardRules rules : user.rules().openBoards()) {
            LeaderboardState newest = values.newest(rules);
            int run = newest == null ? Runs.NONE : newest.run();
            while (run != Runs.NONE && !values.isFinal(rules, run)) {
                LeaderboardState state = values.stateIn(rules, run);
                if (state != null) {
                    values.noteChange(rules, run, state);
                }
                run = run == Runs.PERPETUAL ? Runs.NONE : rules.runs().runOf(run - 1);
            }
        }
    }

    private boolean hasOtherProfile() {
        return user.profile() != user.formerProfile();
    }

    private @Nullable List<String> groupIn(LeaderboardRules rules) {
        return user.preferences().shown() == Visibility.HIDDEN
                ? null
                : rules.groupOf(user.profile().attributes());
    }

    private @Nullable List<String> formerGroupIn(LeaderboardRules rules) {
        return rules.groupOf(user.formerProfile().attributes());
    }

    /** Ends a tick, which changes only values. @return the changed scores */
    List<Score> closeChanged() {
        return values.changes().isEmpty()
                ? List.of()
                : close().stream()
                        .filter(score -> score.kind() == Score.Kind.CHANGED)
                        .toList();
    }

    /**
     * The run of the user's newest local date; {@link Runs#NONE} also if it is final and cannot change any more, even if the
     * leaderboard itself reaches that time later.
     *
     * @param day the local date of {@code atMs}, the user's newest time
     */
    private int currentRunOf(LeaderboardRules rules, long atMs, int day) {
        LeaderboardState newest = values.newest(rules);
        // Timers may have fired on a later date.
        return values.openRunOf(
                rules, newest != null && newest.changedMs() > atMs ? user.dayOf(newest.changedMs()) : day);
    }

    private void closeCurrent(LeaderboardRules rules, int run, List<Score> scores) {
        LeaderboardState after = values.stateIn(rules, run);
        if (after == null) {
            return; // the user has had no value in this run
        }
        ChangedRun change = values.changeIn(rules, run);
        List<String> group = groupIn(rules);
        boolean hasMoved = hasOtherProfile() && !Objects.equals(group, formerGroupIn(rules));
        // A run that is current again, because the user flew west, has the former group until the next change.
        close(rules, true, change, after, change != null || hasMoved ? group : after.group(), scores);
    }

    /** Closes another run than the current one. The user's group does not change there. */
    private void closeOther(LeaderboardRules rules, ChangedRun change, List<Score> scores) {
        LeaderboardState after = requireNonNull(values.stateIn(rules, change.run()), "a changed run has a value");
        boolean isNew = after.group() == null || user.preferences().shown() == Visibility.HIDDEN;
        close(rules, false, change, after, isNew ? groupIn(rules) : after.group(), scores);
    }

    /**
     * Closes a run. Groups do not know of each other: the state has the group that was scored last, and the user leaves that one.
     *
     * @param group of the user in this run from now on
     */
    private void close(
            LeaderboardRules rules,
            boolean isCurrent,
            @Nullable ChangedRun change,
            LeaderboardState after,
            @Nullable List<String> group,
            List<Score> scores) {
        List<String> former = after.group();
        if (!Objects.equals(group, former)) {
            values.write(rules, after.inGroup(group));
        }
        if (group != null || former != null) {
            add(scores, rules, isCurrent, change, after, group, former);
        }
    }

    /** Adds the score of a run with a value above zero, before or after. @param change null: the value has not changed */
    private void add(
            List<Score> scores,
            LeaderboardRules rules,
            boolean isCurrent,
            @Nullable ChangedRun change,
            LeaderboardState after,
            @Nullable List<String> group,
            @Nullable List<String> former) {
        LeaderboardState before = change == null ? after : change.before();
        BigDecimal valueBefore = LeaderboardState.valueOf(before);
        if (valueBefore.signum() > 0 || after.value().signum() > 0) {
            boolean isRenamed =
                    !Objects.equals(user.profile().name(), user.formerProfile().name());
            Score.Kind kind = change != null || !Objects.equals(group, former)
                    ? Score.Kind.CHANGED
                    : isRenamed ? Score.Kind.RENAMED : Score.Kind.SAME;
            scores.add(new Score(
                    rules,
                    after.run(),
                    isCurrent,
                    group,
                    former,
                    valueBefore,
                    before == null ? 0 : before.changedMs(),
                    after.value(),
                    after.changedMs(),
                    kind));
        }
    }

    /**
     * The scores by which the leaderboards find the user's ranks: those that were sent, without the effects of timers that
     * became due since.
     *
     * @param nowMs the time of the read
     */
    List<Score> openScores(long nowMs) {
        List<LeaderboardRules> open = user.rules().openBoards();
        if (open.isEmpty()) {
            return List.of();
        }
        var scores = new ArrayList<Score>(open.size());
        long atMs = Math.max(nowMs, user.newestMs());
        int today = user.dayOf(atMs);
        for (LeaderboardRules rules : open) {
            int run = currentRunOf(rules, atMs, today);
            ChangedRun change = run == Runs.NONE ? null : values.changeIn(rules, run);
            LeaderboardState sent =
                    run == Runs.NONE ? null : change == null ? values.stateIn(rules, run) : change.before();
            List<String> group = sent == null ? null : sent.group();
            if (sent != null && sent.value().signum() > 0 && group != null) {
                scores.add(new Score(
                        rules,
                        run,
                        true,
                        group,
                        group,
                        sent.value(),
                        sent.changedMs(),
                        sent.value(),
                        sent.changedMs(),
                        Score.Kind.SAME));
            }
        }
        return scores;
    }
}
