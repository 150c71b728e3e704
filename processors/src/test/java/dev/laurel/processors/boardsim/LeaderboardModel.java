package dev.laurel.processors.boardsim;

import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.Score;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A second implementation of leaderboards (docs/semantics.md §7), as simple as possible: it keeps all users that it has heard of and
 * sorts them for each read. The first ones take part.
 */
final class LeaderboardModel {

    /** @param only the group of a spread leaderboard, each of which is ranked as if it were alone; null on all other leaderboards */
    record BoardRun(int board, int run, List<String> only) {

        BoardRun(int board, int run) {
            this(board, run, null);
        }
    }

    record Entry(String user, String name, List<String> group, BigDecimal value, long changedMs) {}

    /** What reports show of a run. @param changes of rank, of all days */
    record Figures(
            long participants,
            long changedRank,
            BigDecimal lowest,
            BigDecimal highest,
            List<Long> histogram,
            long changes) {}

    /** @param previousRank null: did not take part; @param rank null: does not take part now */
    record Change(Integer previousRank, Integer rank, BigDecimal threshold, List<String> group) {}

    /** What a participant had in a group before leaving it. */
    private record Left(BoardRun place, List<String> group, int rank, boolean hasChangedRank) {}

    /** What was left by the newest command of a partition of the log that a client waited for, by user, leaderboard and run. */
    private record Departures(long offset, Map<List<Object>, Object> left) {}

    /** The end of a UTC day. @param rank null, as for {@code value}: did not take part */
    record DayEnd(int day, Integer rank, BigDecimal value) {}

    /** The history of a group. */
    private static final class Days {

        private final Map<String, List<DayEnd>> ends = new HashMap<>();
        private Map<String, DayEnd> last = Map.of();

        /** The first day that is not closed; null: the clock is unknown. */
        private Integer next;

        private boolean beganBeforeTime;
        private boolean isOver;
    }

    static final Comparator<Entry> BEST_FIRST = (a, b) -> {
        if (a.value().compareTo(b.value()) != 0) {
            return b.value().compareTo(a.value());
        }
        return a.changedMs() != b.changedMs()
                ? Long.compare(a.changedMs(), b.changedMs())
                : a.user().compareTo(b.user());
    };

    /** All users that are known, of final runs the participants. */
    private final Map<BoardRun, Map<String, Entry>> entries = new HashMap<>();

    /** The known users whose change has ever changed their rank. */
    private final Map<BoardRun, Set<String>> changedRank = new HashMap<>();

    /** The participants who keep their places and do not show them: those who were hidden when the run was final. */
    private final Map<BoardRun, Set<String>> hidden = new HashMap<>();

    private final Map<BoardRun, Map<List<String>, Days>> days = new HashMap<>();
    private long clockMs = Long.MIN_VALUE;
    private final Map<Integer, Integer> limits = new HashMap<>();

    /** The limits that were applied last. */
    private final Map<BoardRun, Integer> applied = new HashMap<>();

    private final Set<Integer> spread = new HashSet<>();
    private final Map<Integer, Departures> departures = new HashMap<>();
    private final Map<BoardRun, Long> rankChanges = new HashMap<>();

    Set<BoardRun> places() {
        return entries.keySet();
    }

    /** Best first. */
    List<Entry> ranking(BoardRun place, List<String> group) {
        return entries.getOrDefault(place, Map.of()).values().stream()
                .filter(e -> e.group().equals(group))
                .sorted(BEST_FIRST)
                .limit(applied.getOrDefault(place, 0))
                .toList();
    }

    /** What reads show of the ranking. */
    List<Entry> shown(BoardRun place, List<String> group) {
        return ranking(place, group).stream()
                .filter(e -> !hidden.getOrDefault(place, Set.of()).contains(e.user()))
                .toList();
    }

    Set<List<String>> groups(BoardRun place) {
        var groups = new HashSet<List<String>>();
        entries.getOrDefault(place, Map.of()).values().forEach(e -> groups.add(e.group()));
        return groups;
    }

    /** The rank of a user; null: does not take part. */
    private Integer rankOf(BoardRun place, List<String> group, String user) {
        List<Entry> ranking = ranking(place, group);
        for (int i = 0; i < ranking.size(); i++) {
            if (ranking.get(i).user().equals(user)) {
                return i + 1;
            }
        }
        return null;
    }

    /** The places that this one is part of: the groups of a spread leaderboard. */
    private List<BoardRun> allOf(BoardRun place) {
        return entries.keySet().stream()
                .filter(of -> of.board() == place.board() && of.run() == place.run())
                .toList();
    }

    /** The figures of a run over all groups. */
    Figures figures(BoardRun place) {
        List<BoardRun> all = allOf(place);
        List<BigDecimal> values = all.stream()
                .flatMap(this::participants)
                .map(Entry::value)
                .sorted()
                .toList();
        var histogram = new ArrayList<>(Collections.nCopies(20, 0L));
        for (BigDecimal value : values) {
            BigDecimal width = values.getLast().subtract(values.getFirst());
            int range = width.signum() == 0
                    ? 19
                    : value.subtract(values.getFirst())
                            .multiply(BigDecimal.valueOf(20))
                            .divideToIntegralValue(width)
                            .intValueExact();
            histogram.set(Math.min(19, range), histogram.get(Math.min(19, range)) + 1);
        }
        long changed = all.stream()
                .mapToLong(of -> participants(of)
                        .filter(one -> changedRank.getOrDefault(of, Set.of()).contains(one.user()))
                        .count())
                .sum();
        return new Figures(
                values.size(),
                changed,
                values.isEmpty() ? null : values.getFirst(),
                values.isEmpty() ? null : values.getLast(),
                histogram,
                all.stream().mapToLong(of -> rankChanges.getOrDefault(of, 0L)).sum());
    }

    private Stream<Entry> participants(BoardRun place) {
        return groups(place).stream().flatMap(group -> shown(place, group).stream());
    }

    private BigDecimal thresholdOf(BoardRun place, List<String> group) {
        List<Entry> ranking = ranking(place, group);
        return ranking.size() < applied.getOrDefault(place, 0)
                ? BigDecimal.ZERO
                : ranking.getLast().value();
    }

    /** Begins a message. @return what users leave by it, which {@link #apply} takes */
    Map<List<Object>, Object> begin(int partition, long offset, boolean isOld, boolean isAwaited) {
        if (isOld || !isAwaited) {
            return new HashMap<>();
        }
        Departures of = departures.get(partition);
        if (of == null || of.offset() != offset) {
            of = new Departures(offset, new HashMap<>());
            departures.put(partition, of);
        }
        return of.left();
    }

    /** @param isIgnored whether the score changes nothing: it is old, or the run is final */
    Change apply(BoardRun place, Scored scored, Map<List<Object>, Object> departed, boolean isIgnored) {
        String user = scored.user().value();
        List<String> group = scored.group();
        Map<String, Entry> users = entries.computeIfAbsent(place, _ -> new HashMap<>());
        Set<String> changed = changedRank.computeIfAbsent(place, _ -> new HashSet<>());
        Integer previous = rankOf(place, group, user);
        List<Object> run = List.of(user, place.board(), place.run());
        Left left = previous == null ? (Left) departed.get(run) : null;
        if (left != null && spread.contains(place.board()) && !left.group().equals(group)) {
            left = null;
        }
        if (!isIgnored) {
            take(place, scored, users, changed, left);
        }
        Integer rank = rankOf(place, group, user);
        if (!isIgnored && previous != null && rank == null) {
            departed.put(run, new Left(place, group, previous, changed.contains(user)));
            if (scored.value().signum() <= 0) {
                changed.remove(user);
            }
        } else if (previous != null && rank != null && !previous.equals(rank)) {
            changed.add(user);
            rankChanges.merge(place, 1L, Long::sum);
        }
        if (previous != null || rank != null) {
            Integer shown = previous != null ? previous : left == null ? null : (Integer) left.rank();
            return new Change(shown, rank, thresholdOf(place, group), group);
        }
        return left == null
                ? new Change(null, null, null, null)
                : new Change(left.rank(), null, thresholdOf(left.place(), left.group()), left.group());
    }

    private void take(BoardRun place, Scored scored, Map<String, Entry> users, Set<String> changed, Left left) {
        String user = scored.user().value();
        Entry before = users.get(user);
        if (scored.value().signum() <= 0) {
            if (before != null && rankOf(place, scored.group(), user) == null) {
                changed.remove(user);
            }
            users.remove(user);
        } else if (before != null || scored.kind() == Score.Kind.CHANGED) {
            // Names do not change in past runs.
            String name = scored.isCurrent() || before == null ? scored.name() : before.name();
            if (left != null && left.hasChangedRank()) {
                changed.add(user);
            } else if (left != null) {
                changed.remove(user);
            }
            applied.putIfAbsent(place, limits.get(place.board()));
            var after = new Entry(user, name, scored.group(), scored.value().stripTrailingZeros(), scored.changedMs());
            if (!after.equals(users.put(user, after))) {
                hidden.getOrDefault(place, new HashSet<>()).remove(user);
            }
            Days of =
                    days.computeIfAbsent(place, _ -> new HashMap<>()).computeIfAbsent(scored.group(), _ -> new Days());
            of.beganBeforeTime |= clockMs == Long.MIN_VALUE;
            if (of.next == null && clockMs != Long.MIN_VALUE) {
                of.next = dayOf(clockMs);
            }
        }
    }

    private static int dayOf(long ms) {
        return Math.toIntExact(Math.floorDiv(ms, 86_400_000L));
    }

    /** The history of a user in a group, oldest first. */
    List<DayEnd> dayEnds(BoardRun place, List<String> group, String user) {
        Days of = days.getOrDefault(place, Map.of()).get(group);
        return of == null ? List.of() : of.ends.getOrDefault(user, List.of());
    }

    /** Whether the group began before the clock was known, so that the day of its first end is undefined. */
    boolean beganBeforeTime(BoardRun place, List<String> group) {
        Days of = days.getOrDefault(place, Map.of()).get(group);
        return of != null && of.beganBeforeTime;
    }

    /** The groups that ever had participants. */
    Set<List<String>> groupsWithDays(BoardRun place) {
        return days.getOrDefault(place, Map.of()).keySet();
    }

    /**
     * Applies the time of all partitions of the log, or a change of rules.
     *
     * @param endMsOf when a run became final; null: it is not
     */
    void moveClock(long nowMs, Function<BoardRun, Long> endMsOf) {
        clockMs = nowMs;
        if (nowMs == Long.MIN_VALUE) {
            return;
        }
        days.forEach((place, groups) -> groups.forEach((group, of) -> {
            if (of.isOver) {
                return;
            }
            int today = dayOf(nowMs);
            if (of.next == null
                    && ranking(place, group).stream().anyMatch(entry -> dayOf(entry.changedMs()) >= today)) {
                of.next = today;
            }
            if (of.next == null || of.next < today) {
                // All changes happened since the first of these days, since time moved at once.
                close(of, ranking(place, group), of.next == null ? firstDay(ranking(place, group), today) : of.next);
                of.next = today;
            }
            Long endMs = endMsOf.apply(place);
            if (endMs != null) {
                close(of, ranking(place, group), dayOf(endMs));
                of.isOver = true;
                List<Entry> last = ranking(place, group);
                entries.get(place).values().removeIf(e -> e.group().equals(group) && !last.contains(e));
            }
        }));
    }

    /** Imported history belongs to the day of its newest value while the clock does not move. */
    private static int firstDay(List<Entry> ranking, int today) {
        return Math.min(
                today - 1,
                ranking.stream()
                        .mapToInt(entry -> dayOf(entry.changedMs()))
                        .max()
                        .orElse(today - 1));
    }

    private static void close(Days of, List<Entry> ranking, int day) {
        var now = new HashMap<String, DayEnd>();
        for (Entry entry : ranking) {
            now.put(entry.user(), new DayEnd(day, now.size() + 1, entry.value()));
        }
        var users = new HashSet<>(now.keySet());
        users.addAll(of.last.keySet());
        for (String user : users) {
            DayEnd before = of.last.getOrDefault(user, new DayEnd(day, null, null));
            DayEnd after = now.getOrDefault(user, new DayEnd(day, null, null));
            if (!Objects.equals(before.rank(), after.rank()) || !Objects.equals(before.value(), after.value())) {
                of.ends.computeIfAbsent(user, _ -> new ArrayList<>()).add(after);
            }
        }
        of.last = now;
    }

    void limit(int board, int maxParticipants, boolean isSpread) {
        limits.put(board, maxParticipants);
        if (isSpread) {
            spread.add(board);
        } else {
            spread.remove(board);
        }
    }

    /** Applies the limits, except to final runs. */
    void limitAll(Predicate<BoardRun> isFinal) {
        applied.replaceAll((place, limit) -> isFinal.test(place) ? limit : limits.get(place.board()));
    }

    /** Shows or hides the places of a user, in final runs as well. */
    void show(String user, boolean isHidden) {
        entries.forEach((place, users) -> {
            Set<String> those = hidden.computeIfAbsent(place, _ -> new HashSet<>());
            if (isHidden && users.containsKey(user)) {
                those.add(user);
            } else {
                those.remove(user);
            }
        });
    }

    void forget(String user) {
        entries.values().forEach(users -> users.remove(user));
        changedRank.values().forEach(users -> users.remove(user));
        days.values()
                .forEach(groups -> groups.values().forEach(of -> {
                    of.ends.remove(user);
                    of.last = new HashMap<>(of.last);
                    of.last.remove(user);
                }));
    }
}
