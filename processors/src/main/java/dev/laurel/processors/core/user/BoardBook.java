package dev.laurel.processors.core.user;

import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Runs;
import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.command.Amounts;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What the user of a turn comes to on leaderboards (semantics.md §7). A value follows from the log alone: who takes part, and
 * at which rank, is decided elsewhere and never comes back here. So commands, ticks and reads make the same of it, but for
 * {@link BoardState#changedOffset}, the place in the log of whichever came first.
 */
final class BoardBook {

    private final UserTurn turn;
    private final CommandContext context;
    private final Profile profileBefore;

    /** What has changed in this turn, in the order of the first change. */
    private List<Touched> touched = List.of();

    /** The length of the streak that the leaderboards know of. */
    private int length;

    /** Whether that length is known; it is not in states of versions that kept streaks otherwise. */
    private boolean isLengthKnown = true;

    /** @param before null if there was nothing */
    private record Touched(int board, int run, BoardState before) {}

    /** The turn stands at its beginning. */
    BoardBook(UserTurn turn, CommandContext context) {
        this.turn = turn;
        this.context = context;
        this.profileBefore = turn.profile;
        this.length = lengthUnder(turn.rules);
    }

    private int lengthUnder(CompiledRuleset rules) {
        return rules.streak().isEnabled() && turn.preferences.wantsStreak() ? turn.streak.length() : 0;
    }

    /**
     * The user is going to be brought up to newer rules.
     *
     * @param former the rules of before, null if they are not known, or nothing can be said of the streak under them
     */
    void startFrom(CompiledRuleset former) {
        isLengthKnown = former != null;
        length = former == null ? 0 : lengthUnder(former);
    }

    /** Rules have come into force. Numbers are never used again: values under those that are gone are dead weight. */
    void settle(long atMs) {
        if (isLengthKnown) {
            noteStreak(atMs);
        } else {
            isLengthKnown = true;
            length = lengthUnder(turn.rules);
        }
        turn.boards = turn.boards.retaining(turn.rules::keepsBoard);
        noteHiddenLosses(atMs);
        tellHiddenMoves();
    }

    /**
     * Leaderboards that are inactive hear of no loss. Once they are active again nobody stays on them with a streak that is
     * over; one that has grown enters with its next change, as any value from before an activation does.
     */
    private void noteHiddenLosses(long atMs) {
        if (turn.boards.size() == 0) {
            return;
        }
        int day = turn.dayOf(Math.max(atMs, turn.newestMs));
        BigDecimal value = BigDecimal.valueOf(length);
        for (BoardRules rules : turn.rules.streakBoards()) {
            int run = openRunOf(rules, day);
            BoardState before = run == Runs.NONE ? null : stateIn(rules, run);
            if (before != null && before.value().compareTo(value) > 0) {
                put(rules, run, before, value, atMs);
            }
        }
    }

    /** Who has moved while a leaderboard was inactive moves there when it is active again. */
    private void tellHiddenMoves() {
        for (BoardRules rules : turn.rules.openBoards()) {
            BoardState state = turn.boards.get(rules.number());
            if (state != null && state.changedOffset() == Score.UNHEARD) {
                touch(rules, state.run(), state);
                write(rules, state.movedAt(context.offset()));
            }
        }
    }

    /**
     * A total has changed.
     *
     * @param boards open ones that compare it
     * @param day local date of {@code atMs}
     */
    void count(List<BoardRules> boards, long atMs, int day, BigDecimal change, BigDecimal total) {
        if (change.signum() == 0) {
            return;
        }
        // By index: most metrics are on no leaderboard, and this is asked with every event.
        for (int i = 0; i < boards.size(); i++) {
            BoardRules rules = boards.get(i);
            int run = openRunOf(rules, day);
            if (run != Runs.NONE && rules.countsAt(atMs, turn.zone())) {
                BoardState before = stateIn(rules, run);
                put(rules, run, before,
                        rules.isSum() ? Amounts.canonical(BoardState.valueOf(before).add(change)) : total, atMs);
            }
        }
    }

    /** The streak may have become longer, or have been lost. @param atMs when that was, if so */
    void noteStreak(long atMs) {
        int present = lengthUnder(turn.rules);
        if (present == length) {
            return;
        }
        length = present;
        List<BoardRules> boards = turn.rules.streakBoards();
        if (boards.isEmpty()) {
            return;
        }
        // A late event may change it, too: what has become longer is the present streak.
        int day = turn.dayOf(Math.max(atMs, turn.newestMs));
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

    /** The run for which counts what happens on this local date; {@link Runs#NONE} if there is none or it is final. */
    private int openRunOf(BoardRules rules, int day) {
        int run = rules.runs().runOf(day);
        // No run is final before its days are over in UTC; finding the exact moment takes a calendar.
        boolean mayBeFinal = run != Runs.NONE && (day + 1) * LocalDays.MS_PER_DAY <= context.clockMs();
        return mayBeFinal && isFinal(rules, run) ? Runs.NONE : run;
    }

    private boolean isFinal(BoardRules rules, int run) {
        return rules.runs().finalMsOf(run) <= context.clockMs();
    }

    /** Null if the user has come to nothing in that run. */
    private BoardState stateIn(BoardRules rules, int run) {
        BoardState newest = turn.boards.get(rules.number());
        if (newest == null || newest.run() == run) {
            return newest;
        }
        return newest.run() < run ? null : turn.history.boardRun(rules.number(), run);
    }

    private void put(BoardRules rules, int run, BoardState before, BigDecimal value, long atMs) {
        touch(rules, run, before);
        write(rules, new BoardState(run, value, before == null ? atMs : Math.max(before.changedMs(), atMs),
                context.offset()));
    }

    private void touch(BoardRules rules, int run, BoardState before) {
        if (touchedOf(rules, run) == null) {
            if (touched.isEmpty()) {
                touched = new ArrayList<>(2);
            }
            touched.add(new Touched(rules.number(), run, before));
        }
    }

    /** Null if nothing has changed there. */
    private Touched touchedOf(BoardRules rules, int run) {
        // What makes up for a long time goes from run to run: the last ones are the likely ones.
        for (int i = touched.size() - 1; i >= 0; i--) {
            Touched candidate = touched.get(i);
            if (candidate.run() == run && candidate.board() == rules.number()) {
                return candidate;
            }
        }
        return null;
    }

    private void write(BoardRules rules, BoardState state) {
        BoardState newest = turn.boards.get(rules.number());
        if (newest != null && newest.run() > state.run()) {
            turn.history.putBoardRun(rules.number(), state);
            return;
        }
        if (newest != null && newest.run() < state.run() && !isFinal(rules, newest.run())) {
            // Late events may change it yet.
            turn.history.putBoardRun(rules.number(), newest);
        }
        turn.boards = turn.boards.with(rules.number(), state);
    }

    /**
     * The end of the turn: moves the user to the groups that the attributes call for.
     *
     * @return in ruleset order, one for each open leaderboard where the user is or was above zero in the current run, and one
     *         for each older run that has changed
     */
    List<Score> close() {
        if (turn.profile != profileBefore && turn.boards.size() > 0) {
            noteHiddenMoves();
        }
        List<BoardRules> open = turn.rules.openBoards();
        if (open.isEmpty()) {
            return List.of();
        }
        var scores = new ArrayList<Score>(open.size());
        int today = turn.dayOf(turn.newestMs);
        for (int i = 0; i < open.size(); i++) {
            BoardRules rules = open.get(i);
            if (turn.boards.get(rules.number()) == null) {
                continue; // it has nothing of this user, in any run
            }
            int current = currentRunOf(rules, turn.newestMs, today);
            if (current != Runs.NONE) {
                closeCurrent(rules, current, scores);
            }
            for (int j = 0; j < touched.size(); j++) {
                if (touched.get(j).board() == rules.number() && touched.get(j).run() != current) {
                    closeOther(rules, touched.get(j), scores);
                }
            }
        }
        return scores;
    }

    /**
     * Leaderboards that are inactive keep their users where they are. Who has moved by the time they are active again must not
     * be taken for one who was in the new group all the time.
     */
    private void noteHiddenMoves() {
        for (BoardRules rules : turn.rules.boards()) {
            BoardState state = rules.isOpen() || !rules.isBrokenDown() ? null : turn.boards.get(rules.number());
            if (state != null && !Objects.equals(rules.groupOf(turn.profile.attributes()),
                    rules.groupOf(profileBefore.attributes()))) {
                turn.boards = turn.boards.with(rules.number(), state.movedAt(Score.UNHEARD));
            }
        }
    }

    /** The same after a tick, which can change values only: those that it has changed. */
    List<Score> closeChanged() {
        return touched.isEmpty()
                ? List.of()
                : close().stream().filter(score -> score.kind() == Score.Kind.CHANGED).toList();
    }

    /**
     * The run of the user's newest local date. {@link Runs#NONE} also if it is final: nothing of it changes any more, though the
     * leaderboard itself may come to that time later.
     *
     * @param day that of {@code atMs}, the user's newest time
     */
    private int currentRunOf(BoardRules rules, long atMs, int day) {
        BoardState newest = turn.boards.get(rules.number());
        // Timers may have gone on to a later date.
        boolean isLater = newest != null && newest.changedMs() > atMs;
        return openRunOf(rules, isLater ? turn.dayOf(newest.changedMs()) : day);
    }

    private void closeCurrent(BoardRules rules, int run, List<Score> scores) {
        BoardState after = stateIn(rules, run);
        Touched change = touchedOf(rules, run);
        BoardState before = change == null ? after : change.before();
        List<String> group = rules.groupOf(turn.profile.attributes());
        List<String> former = turn.profile == profileBefore ? group : rules.groupOf(profileBefore.attributes());
        boolean isRenamed = !Objects.equals(turn.profile.name(), profileBefore.name());
        boolean hasMoved = !Objects.equals(group, former);
        if (hasMoved && after != null) {
            write(rules, after.movedAt(context.offset()));
        }
        BigDecimal valueBefore = BoardState.valueOf(before);
        BigDecimal value = BoardState.valueOf(after);
        boolean isRanked = valueBefore.signum() > 0 || value.signum() > 0;
        long formerOffset = before == null ? -1 : before.changedOffset();
        // Who was told of in a group may have lost it since, unheard.
        if (isRanked && (group != null || former != null || formerOffset == Score.UNHEARD)) {
            Score.Kind kind = change != null || hasMoved
                    ? Score.Kind.CHANGED
                    : isRenamed ? Score.Kind.RENAMED : Score.Kind.SAME;
            scores.add(new Score(rules, run, true, group, former, valueBefore, value, after.changedMs(), formerOffset,
                    kind));
        }
    }

    /** In a run that is not the current one nobody moves: the user stays in the group of that time. */
    private void closeOther(BoardRules rules, Touched change, List<Score> scores) {
        BoardState after = stateIn(rules, change.run());
        BigDecimal before = BoardState.valueOf(change.before());
        if (before.signum() > 0 || after.value().signum() > 0) {
            List<String> group = rules.groupOf(turn.profile.attributes());
            scores.add(new Score(rules, change.run(), false, group, group, before, after.value(), after.changedMs(),
                    change.before() == null ? -1 : change.before().changedOffset(), Score.Kind.CHANGED));
        }
    }

    /**
     * What to ask the leaderboards with where the user stands: what they were told, before anything that fell due since.
     *
     * @param nowMs the present for who asks
     */
    List<Score> asked(long nowMs) {
        List<BoardRules> open = turn.rules.openBoards();
        if (open.isEmpty()) {
            return List.of();
        }
        var scores = new ArrayList<Score>(open.size());
        long atMs = Math.max(nowMs, turn.newestMs);
        int today = turn.dayOf(atMs);
        for (BoardRules rules : open) {
            int run = currentRunOf(rules, atMs, today);
            Touched change = run == Runs.NONE ? null : touchedOf(rules, run);
            BoardState told = run == Runs.NONE ? null : change == null ? stateIn(rules, run) : change.before();
            List<String> group = rules.groupOf(turn.profile.attributes());
            if (told != null && told.value().signum() > 0 && group != null) {
                scores.add(new Score(rules, run, true, group, group, told.value(), told.value(), told.changedMs(),
                        told.changedOffset(), Score.Kind.SAME));
            }
        }
        return scores;
    }
}
