package dev.laurel.processors.boardsim;

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

/** A second implementation of leaderboards (docs/semantics.md §7), as simple as possible: it sorts all users for each read. */
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

    /** The offset at which a participant changed last, and whether it ever changed rank. */
    private record Course(long offset, boolean hasChangedRank) {}

    /** @param previousRank null: did not take part; @param rank null: does not take part now */
    record Change(Integer previousRank, Integer rank, BigDecimal threshold, List<String> group) {}

    /** What a user had in the group that the user has left. */
    private record Left(Op op, Change change, Course course) {

        boolean isOfMoveTo(Op entering) {
            return op.offset() == entering.offset()
                    && op.user().equals(entering.user())
                    && op.board() == entering.board()
                    && op.run() == entering.run();
        }
    }

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

    private static final Comparator<Entry> BEST_FIRST = (a, b) -> {
        if (a.value().compareTo(b.value()) != 0) {
            return b.value().compareTo(a.value());
        }
        return a.changedMs() != b.changedMs()
                ? Long.compare(a.changedMs(), b.changedMs())
                : a.user().compareTo(b.user());
    };

    private final Map<BoardRun, Map<String, Entry>> entries = new HashMap<>();
    private final Map<BoardRun, Map<List<String>, Days>> days = new HashMap<>();
    private long clockMs = Long.MIN_VALUE;
    private final Map<BoardRun, Map<String, Long>> heard = new HashMap<>();
    private final Map<Integer, Integer> limits = new HashMap<>();
    private final Map<BoardRun, Map<String, Course>> courses = new HashMap<>();
    private final Set<Integer> spread = new HashSet<>();

    /** Who left a group last, by partition of the log. */
    private final Map<Integer, Left> left = new HashMap<>();

    private final Map<BoardRun, Long> rankChanges = new HashMap<>();

    Set<BoardRun> places() {
        return entries.keySet();
    }

    /** Best first. */
    List<Entry> ranking(BoardRun place, List<String> group) {
        return entries.getOrDefault(place, Map.of()).values().stream()
                .filter(e -> e.group().equals(group))
                .sorted(BEST_FIRST)
                .toList();
    }

    Set<List<String>> groups(BoardRun place) {
        var groups = new HashSet<List<String>>();
        entries.getOrDefault(place, Map.of()).values().forEach(e -> groups.add(e.group()));
        return groups;
    }

    Entry entry(BoardRun place, String user) {
        return entries.getOrDefault(place, Map.of()).get(user);
    }

    /** The participants by run. */
    Map<BoardRun, Set<String>> listed() {
        var listed = new HashMap<BoardRun, Set<String>>();
        entries.forEach((place, users) -> listed.put(place, Set.copyOf(users.keySet())));
        return listed;
    }

    /** The lowest value of a full group; null: there is room. */
    BigDecimal floor(BoardRun place, List<String> group) {
        List<Entry> ranking = ranking(place, group);
        return ranking.size() < limits.get(place.board())
                ? null
                : ranking.getLast().value();
    }

    private Integer rankOf(Entry entry, BoardRun place) {
        return entry == null ? null : ranking(place, entry.group()).indexOf(entry) + 1;
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
                .flatMap(of -> entries.get(of).values().stream())
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
        long changedRank = all.stream()
                .mapToLong(of -> entries.get(of).keySet().stream()
                        .filter(user -> courses.get(of).get(user).hasChangedRank())
                        .count())
                .sum();
        return new Figures(
                values.size(),
                changedRank,
                values.isEmpty() ? null : values.getFirst(),
                values.isEmpty() ? null : values.getLast(),
                histogram,
                all.stream().mapToLong(of -> rankChanges.getOrDefault(of, 0L)).sum());
    }

    /** The rank of a user for a client that waits for it. */
    Change same(BoardRun place, String user) {
        Entry entry = entry(place, user);
        Integer rank = rankOf(entry, place);
        return new Change(
                rank,
                rank,
                entry == null ? null : thresholdOf(place, entry.group()),
                entry == null ? null : entry.group());
    }

    private BigDecimal thresholdOf(BoardRun place, List<String> group) {
        BigDecimal floor = floor(place, group);
        return floor == null ? BigDecimal.ZERO : floor;
    }

    void rename(BoardRun place, String user, String name) {
        Entry entry = entry(place, user);
        if (entry != null) {
            entries.get(place).put(user, new Entry(user, name, entry.group(), entry.value(), entry.changedMs()));
        }
    }

    /** Ignores a repeated record. */
    Change apply(Op op) {
        BoardRun place = op.place();
        Long last = heard.getOrDefault(place, Map.of()).get(op.user());
        // A record may state two values of a user: one that was held back before, and then its own.
        boolean isRepeated =
                last != null && (op.offset() < last || op.offset() == last && entry(place, op.user()) == null);
        if (isRepeated) {
            return same(place, op.user());
        }
        Change change = take(op, place);
        if (change.rank() != null || change.previousRank() != null) {
            heard.computeIfAbsent(place, _ -> new HashMap<>()).put(op.user(), op.offset());
        }
        return change;
    }

    private Change take(Op op, BoardRun place) {
        Map<String, Entry> users = entries.computeIfAbsent(place, _ -> new HashMap<>());
        Entry before = users.get(op.user());
        Integer previousRank = rankOf(before, place);
        if (op.isRename()) {
            if (before != null) {
                users.put(
                        op.user(),
                        new Entry(before.user(), op.name(), before.group(), before.value(), before.changedMs()));
            }
        } else {
            List<String> group = op.group();
            users.remove(op.user());
            if (op.value().signum() > 0 && (before != null || hasPlaceFor(op.value(), place, group))) {
                // Names do not change in past runs.
                String name = op.isCurrent() || before == null ? op.name() : before.name();
                users.put(op.user(), new Entry(op.user(), name, group, op.value(), op.changedMs()));
                Days of = days.computeIfAbsent(place, _ -> new HashMap<>()).computeIfAbsent(group, _ -> new Days());
                of.beganBeforeTime |= clockMs == Long.MIN_VALUE;
                if (of.next == null && clockMs != Long.MIN_VALUE) {
                    of.next = dayOf(clockMs);
                }
            }
        }
        Entry after = users.get(op.user());
        Left former =
                before == null && !spread.contains(op.board()) && !op.isRename() ? left.get(op.partition()) : null;
        if (former != null && !former.isOfMoveTo(op)) {
            former = null;
        }
        follow(op, place, before, previousRank, after, former);
        if (former != null) {
            return after == null
                    ? former.change()
                    : new Change(
                            former.change().previousRank(),
                            rankOf(after, place),
                            thresholdOf(place, after.group()),
                            after.group());
        }
        Entry shown = after == null ? before : after;
        var change = new Change(
                previousRank,
                rankOf(after, place),
                shown == null ? null : thresholdOf(place, shown.group()),
                shown == null ? null : shown.group());
        if (before != null && after == null) {
            left.put(op.partition(), new Left(op, change, courses.get(place).get(op.user())));
        }
        return change;
    }

    private void follow(Op op, BoardRun place, Entry before, Integer previousRank, Entry after, Left moved) {
        if (after == null) {
            return;
        }
        Map<String, Course> of = courses.computeIfAbsent(place, _ -> new HashMap<>());
        Course former =
                before == null ? new Course(-1, moved != null && moved.course().hasChangedRank()) : of.get(op.user());
        boolean changesRank =
                before != null && !previousRank.equals(rankOf(after, place)) && op.offset() > former.offset();
        if (changesRank) {
            rankChanges.merge(place, 1L, Long::sum);
        }
        if (!after.equals(before)) {
            of.put(op.user(), new Course(op.offset(), former.hasChangedRank() || changesRank));
        }
    }

    /** Whether there is room, or a lower value to evict. */
    private boolean hasPlaceFor(BigDecimal value, BoardRun place, List<String> group) {
        List<Entry> ranking = ranking(place, group);
        if (ranking.size() < limits.get(place.board())) {
            return true;
        }
        if (value.compareTo(ranking.getLast().value()) <= 0) {
            return false;
        }
        entries.get(place).remove(ranking.getLast().user());
        return true;
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

    /** Drops the lowest participants of groups that are too large, except in final runs. */
    void shrink(Predicate<BoardRun> isFinal) {
        for (BoardRun place : entries.keySet()) {
            if (isFinal.test(place)) {
                continue;
            }
            for (List<String> group : groups(place)) {
                List<Entry> ranking = new ArrayList<>(ranking(place, group));
                while (ranking.size() > limits.get(place.board())) {
                    entries.get(place).remove(ranking.removeLast().user());
                }
            }
        }
    }

    void forget(String user) {
        entries.values().forEach(users -> users.remove(user));
        heard.values().forEach(users -> users.remove(user));
        days.values()
                .forEach(groups -> groups.values().forEach(of -> {
                    of.ends.remove(user);
                    of.last = new HashMap<>(of.last);
                    of.last.remove(user);
                }));
    }
}
