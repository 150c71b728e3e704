package dev.laurel.processors.boardsim;

import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A second implementation of one user's values on leaderboards (docs/semantics.md §5 to §7), as simple as possible and without
 * production code. Supports the rules of {@link LeaderboardRulebook}.
 */
final class UserTruth {

    /** A value in a run. */
    record Mark(BigDecimal value, long changedMs) {}

    /** @param clockMs the time of the user's partition of the log by its ticks */
    record Now(List<Leaderboard> boards, long clockMs) {}

    /** A command. @param metric null: no event; @param visibility null: unchanged */
    record Input(
            long atMs,
            String metric,
            BigDecimal value,
            String name,
            ZoneId zone,
            Map<String, String> attributes,
            Visibility visibility) {}

    private static final ZoneId UTC = ZoneId.of("UTC");

    final String user;
    private final long createdMs;
    private ZoneId zone;
    private String name;
    private final Map<String, String> attributes = new HashMap<>();
    private Visibility visibility = Visibility.PUBLIC;
    private long newestMs = Long.MIN_VALUE;
    private long settledMs = Long.MIN_VALUE;
    private final Map<String, BigDecimal> totals = new HashMap<>();
    private final Map<String, Long> crossed = new HashMap<>();
    private long points;
    private long intervals;
    private final TreeSet<LocalDate> met = new TreeSet<>();
    private int length;

    /** The values, by leaderboard and run. */
    private final Map<Integer, Map<Integer, Mark>> marks = new HashMap<>();

    /** The groups in which the user was scored last, by leaderboard and run. */
    private final Map<List<Integer>, List<String>> scoredGroups = new HashMap<>();

    /** Leaderboards and runs that the present command or tick has changed. */
    private final Set<List<Integer>> counted = new HashSet<>();

    UserTruth(String user, long createdMs) {
        this.user = user;
        this.createdMs = createdMs;
    }

    private ZoneId zone() {
        return zone == null ? UTC : zone;
    }

    private LocalDate dateOf(long ms) {
        return Instant.ofEpochMilli(ms).atZone(zone()).toLocalDate();
    }

    String name() {
        return name;
    }

    private List<String> groupOf(Leaderboard board) {
        if (visibility == Visibility.HIDDEN) {
            return null;
        }
        var values = new ArrayList<String>();
        for (String key : LeaderboardRulebook.keysOf(board)) {
            values.add(attributes.get(key));
        }
        return values.contains(null) ? null : values;
    }

    /** The group in a run: that of the last score; null: none. */
    List<String> groupIn(Leaderboard board, int run) {
        return scoredGroups.get(List.of(board.number(), run));
    }

    Visibility visibility() {
        return visibility;
    }

    /** The value in a run; null if there is none. */
    Mark mark(int board, int run) {
        return marks.getOrDefault(board, Map.of()).get(run);
    }

    Map<Integer, Mark> runsOf(int board) {
        return marks.getOrDefault(board, Map.of());
    }

    /** The run of the user's newest date, by a command or by a timer that has changed the value. */
    int currentRun(Leaderboard board) {
        long latestMs = runsOf(board.number()).values().stream()
                .mapToLong(Mark::changedMs)
                .max()
                .orElse(newestMs);
        return Calendars.runOf(board, dateOf(Math.max(newestMs, latestMs)));
    }

    /**
     * Takes over the length of a streak that has changed while a leaderboard was inactive: it arrives there when the user is processed
     * under the rules that activate it.
     *
     * @return whether the score has the present length
     */
    boolean adopt(Leaderboard board, int run, BigDecimal value, long changedMs) {
        if (!(board.rankBy() instanceof RankBy.StreakLength) || value.compareTo(BigDecimal.valueOf(length)) != 0) {
            return false;
        }
        marks.computeIfAbsent(board.number(), _ -> new HashMap<>())
                .put(run, new Mark(value.stripTrailingZeros(), changedMs));
        scoredGroups.put(List.of(board.number(), run), groupOf(board));
        return true;
    }

    /** Applies a command. */
    void take(Input told, Now now) {
        counted.clear();
        var former = copyOfMarks();
        var formerGroups = new HashMap<Integer, List<String>>();
        now.boards().forEach(board -> formerGroups.put(board.number(), groupOf(board)));
        fire(told.atMs(), now);
        if (told.zone() != null) {
            zone = told.zone();
        }
        if (told.name() != null) {
            name = told.name();
        }
        told.attributes().forEach((key, value) -> {
            if (value.isEmpty()) {
                attributes.remove(key);
            } else {
                attributes.put(key, value);
            }
        });
        if (told.visibility() != null && told.visibility() != visibility) {
            visibility = told.visibility();
            now.boards()
                    .forEach(board -> runsOf(board.number()).keySet().stream()
                            .filter(run -> !Calendars.isFinal(board, run, now.clockMs()))
                            .forEach(run -> counted.add(List.of(board.number(), run))));
        }
        newestMs = Math.max(newestMs, told.atMs());
        settledMs = Math.max(settledMs, told.atMs());
        if (told.metric() != null) {
            event(told, now);
        }
        follow(former, formerGroups, now);
    }

    /** Applies a tick. */
    void tick(long atMs, Now now) {
        counted.clear();
        var former = copyOfMarks();
        fire(atMs, now);
        follow(former, Map.of(), now);
    }

    private Map<Integer, Map<Integer, Mark>> copyOfMarks() {
        var copy = new HashMap<Integer, Map<Integer, Mark>>();
        marks.forEach((board, runs) -> copy.put(board, new HashMap<>(runs)));
        return copy;
    }

    /** Takes note of the groups in which the user is scored after a change of values or attributes. */
    private void follow(Map<Integer, Map<Integer, Mark>> former, Map<Integer, List<String>> formerGroups, Now now) {
        for (Leaderboard board : now.boards()) {
            if (!Calendars.isOpen(board)) {
                continue;
            }
            int current = currentRun(board);
            List<String> present = groupOf(board);
            runsOf(board.number()).forEach((run, mark) -> {
                boolean isLive = run == current && !Calendars.isFinal(board, run, now.clockMs());
                boolean hasChanged = !mark.equals(
                                former.getOrDefault(board.number(), Map.of()).get(run))
                        || counted.contains(List.of(board.number(), run));
                boolean hasMoved = isLive
                        && formerGroups.containsKey(board.number())
                        && !Objects.equals(present, formerGroups.get(board.number()));
                List<Integer> place = List.of(board.number(), run);
                List<String> scored = scoredGroups.get(place);
                // A user who was hidden or shown while the leaderboard was inactive, which those with groups never are.
                boolean isOutdated =
                        isLive && LeaderboardRulebook.keysOf(board).isEmpty() && (present == null) != (scored == null);
                boolean mayMove = run == current || scored == null || visibility == Visibility.HIDDEN;
                if (isOutdated || (hasChanged || hasMoved) && mayMove) {
                    scoredGroups.put(place, present);
                }
            });
        }
    }

    /** Fires all timers that are due by then, in order. */
    private void fire(long untilMs, Now now) {
        while (true) {
            long awardMs = createdMs + (intervals + 1) * LeaderboardRulebook.INTERVAL_MS;
            long lossMs = lossMs();
            long dueMs = Math.min(awardMs, lossMs);
            if (dueMs > untilMs) {
                return;
            }
            if (lossMs == dueMs) {
                // Other timers do not end the day of a streak: the next command decides which day is the present one.
                settledMs = Math.max(settledMs, dueMs);
            }
            if (awardMs == dueMs) {
                intervals++;
                award(LeaderboardRulebook.INTERVAL_POINTS, dueMs, now);
            }
            relength(dueMs, now);
        }
    }

    /** When the streak is lost without further events: at the end of the day after the last met one. */
    private long lossMs() {
        if (length == 0) {
            return Long.MAX_VALUE;
        }
        LocalDate last = met.floor(dateOf(settledMs));
        if (last == null) {
            // A move to the west has made the only dates those of the future. Such users are on no leaderboard of
            // streaks.
            return Long.MAX_VALUE;
        }
        return last.plusDays(2).atStartOfDay(zone()).toInstant().toEpochMilli();
    }

    private void event(Input told, Now now) {
        BigDecimal total = totals.merge(told.metric(), told.value(), BigDecimal::add);
        for (Leaderboard board : now.boards()) {
            if (told.value().signum() != 0
                    && board.rankBy() instanceof RankBy.MetricTotal(String metric)
                    && metric.equals(told.metric())) {
                count(board, told.atMs(), told.value(), total, now);
            }
        }
        if (told.value().signum() > 0) {
            met.add(dateOf(told.atMs()));
        }
        relength(told.atMs(), now);
        Long threshold = LeaderboardRulebook.THRESHOLDS.get(told.metric());
        if (threshold != null) {
            long reached = total.divide(BigDecimal.valueOf(threshold), 0, RoundingMode.FLOOR)
                    .longValueExact();
            long before = crossed.getOrDefault(told.metric(), 0L);
            if (reached > before) {
                crossed.put(told.metric(), reached);
                award((reached - before) * LeaderboardRulebook.THRESHOLD_POINTS.get(told.metric()), told.atMs(), now);
            }
        }
    }

    private void award(long asked, long atMs, Now now) {
        long awarded = Math.max(asked, -points);
        points += awarded;
        if (awarded == 0) {
            return;
        }
        for (Leaderboard board : now.boards()) {
            if (board.rankBy() instanceof RankBy.PointsTotal) {
                count(board, atMs, BigDecimal.valueOf(awarded), BigDecimal.valueOf(points), now);
            }
        }
    }

    private void relength(long atMs, Now now) {
        LocalDate day = dateOf(settledMs);
        if (!met.contains(day)) {
            day = day.minusDays(1);
        }
        int next = 0;
        for (; met.contains(day); day = day.minusDays(1)) {
            next++;
        }
        if (next == length) {
            return;
        }
        length = next;
        for (Leaderboard board : now.boards()) {
            if (board.rankBy() instanceof RankBy.StreakLength) {
                count(board, atMs, BigDecimal.ZERO, BigDecimal.valueOf(length), now);
            }
        }
    }

    private void count(Leaderboard board, long atMs, BigDecimal change, BigDecimal whole, Now now) {
        int run = Calendars.runOf(board, dateOf(atMs));
        if (!Calendars.isOpen(board)
                || run == Calendars.NONE
                || Calendars.isFinal(board, run, now.clockMs())
                || !Calendars.isInWindow(board, Instant.ofEpochMilli(atMs), zone())) {
            return;
        }
        Map<Integer, Mark> runs = marks.computeIfAbsent(board.number(), _ -> new HashMap<>());
        Mark before = runs.get(run);
        BigDecimal formerValue = before == null ? BigDecimal.ZERO : before.value();
        BigDecimal value = Calendars.isSum(board) ? formerValue.add(change) : whole;
        // A total that changed while the leaderboard was inactive and is now as before counts as a change.
        if (change.signum() != 0 || value.compareTo(formerValue) != 0) {
            counted.add(List.of(board.number(), run));
            runs.put(
                    run,
                    new Mark(value.stripTrailingZeros(), before == null ? atMs : Math.max(before.changedMs(), atMs)));
        }
    }
}
