package dev.laurel.core.leaderboard;

import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.RunLength;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a leaderboard, by local dates (docs/semantics.md §7). The name of a run is its first day, in days since 1970. A
 * leaderboard that does not repeat has one run, {@link #PERPETUAL}, even if its start changes. Pure, immutable.
 */
public final class Runs {

    /** The name of the only run of a leaderboard that does not repeat. */
    public static final int PERPETUAL = 0;

    /** No run: the date is before the start or after the end. */
    public static final int NONE = Integer.MIN_VALUE;

    private final Leaderboard board;
    private final int firstDay;
    private final int lastDay;

    /** The months of a run; 0 if runs do not repeat or are counted in days. */
    private final int months;

    Runs(Leaderboard board) {
        this.board = board;
        this.firstDay = dayOf(board.start());
        this.lastDay = board.end() == null ? Integer.MAX_VALUE : dayOf(board.end());
        this.months = board.runs() == null ? 0 : monthsOf(board.runs());
    }

    private static int monthsOf(RunLength runs) {
        return switch (runs.unit()) {
            case DAY -> 0;
            case MONTH -> runs.interval();
            case YEAR -> 12 * runs.interval();
        };
    }

    private static int dayOf(LocalDate date) {
        return Math.toIntExact(date.toEpochDay());
    }

    /** The run of a local date, or {@link #NONE}. */
    public int runOf(int day) {
        if (day < firstDay || day > lastDay) {
            return NONE;
        }
        if (board.runs() == null) {
            return PERPETUAL;
        }
        if (months == 0) {
            int interval = board.runs().interval();
            return firstDay + (day - firstDay) / interval * interval;
        }
        // Counts the steps from the start: a run that begins on the 30th of a short month does not shift later runs.
        LocalDate date = LocalDate.ofEpochDay(day);
        long passed = monthsTo(date) / months * months;
        LocalDate start = board.start().plusMonths(passed);
        return dayOf(start.isAfter(date) ? board.start().plusMonths(passed - months) : start);
    }

    private long monthsTo(LocalDate date) {
        return ChronoUnit.MONTHS.between(board.start().withDayOfMonth(1), date.withDayOfMonth(1));
    }

    /** The first local date of a run. */
    public LocalDate firstDateOf(int run) {
        return board.runs() == null ? board.start() : LocalDate.ofEpochDay(run);
    }

    /** The last local date of a run; null: no end. */
    public @Nullable LocalDate lastDateOf(int run) {
        RunLength runs = board.runs();
        if (runs == null) {
            return board.end();
        }
        LocalDate last = startAfter(LocalDate.ofEpochDay(run), runs).minusDays(1);
        return board.end() != null && board.end().isBefore(last) ? board.end() : last;
    }

    private LocalDate startAfter(LocalDate start, RunLength runs) {
        return months == 0 ? start.plusDays(runs.interval()) : board.start().plusMonths(monthsTo(start) + months);
    }

    /**
     * The oldest run of which all users are counted, see {@link dev.laurel.core.analytics.ScoreRanges}: those that may not be
     * final yet when the newest one begins somewhere on earth, which are less than three days.
     */
    public int oldestCounted(int newest) {
        int oldest = board.runs() == null ? newest : runOf(Math.max(firstDay, newest - 3));
        return oldest == NONE ? newest : oldest;
    }

    /** The runs with a date from {@code first} to {@code last}, newest first, whether they have begun or not. At most {@code limit}. */
    public List<Integer> between(int first, int last, int limit) {
        var runs = new ArrayList<Integer>();
        int day = Math.min(last, lastDay);
        while (day >= Math.max(first, firstDay) && runs.size() < limit) {
            int run = runOf(day);
            runs.add(run);
            day = dayOf(firstDateOf(run)) - 1;
        }
        return runs;
    }

    /**
     * The UTC day of a moment at which something in a run happened, in days since 1970. Since a run covers local dates, moments of its
     * first and last date may be on the day before or after in UTC: they belong to these dates.
     */
    public int dayIn(int run, long atMs) {
        int day = Math.max(DayClose.dayOf(atMs), dayOf(firstDateOf(run)));
        LocalDate last = lastDateOf(run);
        return last == null ? day : Math.min(day, dayOf(last));
    }

    /** The time from which a run is final: its last date is over everywhere on earth. */
    public long finalMsOf(int run) {
        LocalDate last = lastDateOf(run);
        return last == null ? Long.MAX_VALUE : Leaderboard.ending(last).toEpochMilli();
    }

    /** The newest run that has begun anywhere on earth by this time; {@link #NONE} also if all are over. */
    public int runBegunBy(long atMs) {
        long firstZoneMs = Math.addExact(atMs, dayMs(board.start()) - beginningMs(board.start()));
        return runOf(Math.toIntExact(Math.floorDiv(firstZoneMs, DayClose.DAY_MS)));
    }

    /** The time at which the next run after those begun by {@code atMs} begins; {@link Long#MAX_VALUE} if none follows. */
    public long nextBeginningMs(long atMs) {
        int run = runBegunBy(atMs);
        if (run == NONE) {
            long startMs = beginningMs(board.start());
            return startMs > atMs ? startMs : Long.MAX_VALUE;
        }
        RunLength runs = board.runs();
        if (runs == null) {
            return Long.MAX_VALUE;
        }
        LocalDate next = startAfter(LocalDate.ofEpochDay(run), runs);
        return board.end() != null && next.isAfter(board.end()) ? Long.MAX_VALUE : beginningMs(next);
    }

    private static long dayMs(LocalDate date) {
        return date.toEpochDay() * DayClose.DAY_MS;
    }

    private static long beginningMs(LocalDate date) {
        return Leaderboard.beginning(date).toEpochMilli();
    }

    /** The time at which a run first begins anywhere on earth. */
    public long beginningMsOf(int run) {
        return beginningMs(firstDateOf(run));
    }
}
