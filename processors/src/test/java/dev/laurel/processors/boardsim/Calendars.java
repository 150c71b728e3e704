package dev.laurel.processors.boardsim;

import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A second implementation of runs, times of day and ends, as simple as possible: it tries runs one after the other. */
final class Calendars {

    /** No run. */
    static final int NONE = Integer.MIN_VALUE;

    private Calendars() {}

    /** The first day of a leaderboard's k-th run. */
    private static LocalDate start(Leaderboard board, long k) {
        long steps = k * board.runs().interval();
        return switch (board.runs().unit()) {
            case DAY -> board.start().plusDays(steps);
            case MONTH -> board.start().plusMonths(steps);
            case YEAR -> board.start().plusYears(steps);
        };
    }

    /** The run of a date, named as in production by its first day; 0 if there is only one run. */
    static int runOf(Leaderboard board, LocalDate date) {
        if (date.isBefore(board.start()) || board.end() != null && date.isAfter(board.end())) {
            return NONE;
        }
        if (board.runs() == null) {
            return 0;
        }
        long k = 0;
        while (!start(board, k + 1).isAfter(date)) {
            k++;
        }
        return Math.toIntExact(start(board, k).toEpochDay());
    }

    /** Null: no end. */
    static LocalDate lastDateOf(Leaderboard board, int run) {
        if (board.runs() == null) {
            return board.end();
        }
        long k = 0;
        while (start(board, k).toEpochDay() < run) {
            k++;
        }
        LocalDate last = start(board, k + 1).minusDays(1);
        return board.end() != null && board.end().isBefore(last) ? board.end() : last;
    }

    /** Whether a run is final at this time of the clock: half a day after its end in UTC. */
    static boolean isFinal(Leaderboard board, int run, long clockMs) {
        return clockMs >= endMsOf(board, run);
    }

    static long endMsOf(Leaderboard board, int run) {
        LocalDate last = lastDateOf(board, run);
        return last == null
                ? Long.MAX_VALUE
                : last.plusDays(1)
                        .atTime(LocalTime.NOON)
                        .toInstant(ZoneOffset.UTC)
                        .toEpochMilli();
    }

    static boolean isOpen(Leaderboard board) {
        return board.status() == LeaderboardStatus.ACTIVE || board.status() == LeaderboardStatus.SCHEDULED;
    }

    static boolean isInWindow(Leaderboard board, Instant at, ZoneId zone) {
        LocalTime time = at.atZone(zone).toLocalTime();
        return (board.startTime() == null || time.compareTo(board.startTime()) >= 0)
                && (board.endTime() == null || time.compareTo(board.endTime()) < 0);
    }

    static boolean isSum(Leaderboard board) {
        return board.runs() != null || board.startTime() != null || board.endTime() != null;
    }
}
