package dev.laurel.processors.core.compare;

import dev.laurel.processors.core.compare.UserFacts.Place;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a comparison of all users comes to. What it keeps is bounded by the objects of the rulesets and by {@code top}, not by the
 * number of users. Not thread-safe.
 */
public final class ComparisonTotals {

    /** Of pairs of levels: so many levels in so many systems nobody reads. */
    private static final int MAX_LEVEL_MOVES = 1_000;

    /** Sums of one points system over all users, and how many users have another total. */
    public record PointsSums(long before, long after, long users) {

        private PointsSums plus(long beforeMore, long afterMore, boolean differs) {
            return new PointsSums(before + beforeMore, after + afterMore, users + (differs ? 1 : 0));
        }
    }

    /** How many users have an achievement anew, and how many no more. */
    public record Completions(long gained, long lost) {}

    /** @param from key of a level, null: none, as is {@code to} */
    public record LevelMove(String system, String from, String to, long users) {}

    /** How many users have such a streak: none before, none after, more periods, fewer periods, as many but other days. */
    public record StreakMoves(long begun, long gone, long longer, long shorter, long moved) {}

    /**
     * How many users take part anew, no more, or in another group; have another value; or only another rank.
     */
    public record PlaceMoves(long entered, long left, long otherValue, long onlyRank) {}

    /** Sums of one metric over the users who have another total. */
    public record MetricSums(BigDecimal before, BigDecimal after, long users) {}

    private record LevelPair(String system, String from, String to) implements Comparable<LevelPair> {

        @Override
        public int compareTo(LevelPair other) {
            return sortKey().compareTo(other.sortKey());
        }

        private String sortKey() {
            return system + '\0' + (from == null ? "" : from) + '\0' + (to == null ? "" : to);
        }
    }

    private final int top;
    private final PriorityQueue<UserComparison> largest;
    private final SortedMap<String, PointsSums> points = new TreeMap<>();
    private final SortedMap<String, Completions> achievements = new TreeMap<>();
    private final SortedMap<LevelPair, Long> levels = new TreeMap<>();
    private final SortedMap<String, PlaceMoves> places = new TreeMap<>();
    private final SortedMap<String, MetricSums> metrics = new TreeMap<>();
    private StreakMoves streaks = new StreakMoves(0, 0, 0, 0, 0);
    private long users;
    private long different;
    private long overtaken;
    private long appeared;
    private long disappeared;
    private long otherLevelMoves;

    /** @param top how many users are kept, those with the largest differences */
    public ComparisonTotals(int top) {
        this.top = top;
        this.largest = new PriorityQueue<>(UserComparison.LARGEST_FIRST.reversed());
    }

    /**
     * Counts one user, once.
     *
     * @param before null if the user is not there, as is {@code after}
     */
    public UserComparison add(UserKey user, UserFacts before, UserFacts after) {
        UserComparison comparison = UserComparison.of(user, before, after);
        users++;
        addPoints(before, after);
        if (comparison.isSame()) {
            return comparison;
        }
        if (comparison.isOnlyOvertaken()) {
            overtaken++;
        } else {
            different++;
        }
        comparison.differences().forEach(this::count);
        largest.add(comparison);
        if (largest.size() > top) {
            largest.remove();
        }
        return comparison;
    }

    /** Sums are of everybody, so that they say how much a change of some weighs. */
    private void addPoints(UserFacts before, UserFacts after) {
        if (before != null) {
            before.points().values().forEach(held -> addPoints(held.system(), held.total(), 0, false));
        }
        if (after != null) {
            after.points().values().forEach(held -> addPoints(held.system(), 0, held.total(), false));
        }
    }

    private void addPoints(String system, long before, long after, boolean differs) {
        points.put(system, points.getOrDefault(system, new PointsSums(0, 0, 0)).plus(before, after, differs));
    }

    private void count(Difference difference) {
        switch (difference) {
            case Difference.PointsDiffer it -> {
                if (it.change() != 0) {
                    addPoints(it.system(), 0, 0, true);
                }
                if (!Objects.equals(it.levelBefore(), it.levelAfter())) {
                    countLevel(new LevelPair(it.system(), it.levelBefore(), it.levelAfter()));
                }
            }
            case Difference.AchievementGained(String key) -> {
                Completions had = achievements.getOrDefault(key, new Completions(0, 0));
                achievements.put(key, new Completions(had.gained() + 1, had.lost()));
            }
            case Difference.AchievementLost(String key) -> {
                Completions had = achievements.getOrDefault(key, new Completions(0, 0));
                achievements.put(key, new Completions(had.gained(), had.lost() + 1));
            }
            case Difference.StreakDiffers it -> countStreak(it);
            case Difference.PlaceDiffers(String board, Place before, Place after) -> countPlace(board, before, after);
            case Difference.MetricDiffers(String metric, BigDecimal before, BigDecimal after) -> {
                var sums = metrics.getOrDefault(metric, new MetricSums(BigDecimal.ZERO, BigDecimal.ZERO, 0));
                metrics.put(metric, new MetricSums(sums.before().add(before), sums.after().add(after),
                        sums.users() + 1));
            }
            case Difference.UserAppears() -> appeared++;
            case Difference.UserDisappears() -> disappeared++;
        }
    }

    private void countLevel(LevelPair pair) {
        if (levels.containsKey(pair) || levels.size() < MAX_LEVEL_MOVES) {
            levels.merge(pair, 1L, Long::sum);
        } else {
            otherLevelMoves++;
        }
    }

    private void countStreak(Difference.StreakDiffers it) {
        int change = it.lengthAfter() - it.lengthBefore();
        boolean begun = it.before() == null;
        boolean gone = it.after() == null;
        boolean both = !begun && !gone;
        streaks = new StreakMoves(streaks.begun() + (begun ? 1 : 0), streaks.gone() + (gone ? 1 : 0),
                streaks.longer() + (both && change > 0 ? 1 : 0), streaks.shorter() + (both && change < 0 ? 1 : 0),
                streaks.moved() + (both && change == 0 ? 1 : 0));
    }

    private void countPlace(String board, Place before, Place after) {
        PlaceMoves moves = places.getOrDefault(board, new PlaceMoves(0, 0, 0, 0));
        boolean wasRanked = before != null && before.isRanked();
        boolean isRanked = after != null && after.isRanked();
        boolean entered = !wasRanked && isRanked;
        boolean left = wasRanked && !isRanked;
        boolean both = wasRanked && isRanked;
        boolean otherValue = both && (before.value().compareTo(after.value()) != 0
                || !before.group().equals(after.group()));
        places.put(board, new PlaceMoves(moves.entered() + (entered ? 1 : 0), moves.left() + (left ? 1 : 0),
                moves.otherValue() + (otherValue ? 1 : 0), moves.onlyRank() + (both && !otherValue ? 1 : 0)));
    }

    /** Compared so far. */
    public long users() {
        return users;
    }

    /** Those of whom something of their own differs. */
    public long different() {
        return different;
    }

    /** Those who only have another rank, because of others. */
    public long overtaken() {
        return overtaken;
    }

    public long appeared() {
        return appeared;
    }

    public long disappeared() {
        return disappeared;
    }

    /** By the key of the system; every system in which anybody has points. */
    public Map<String, PointsSums> points() {
        return Collections.unmodifiableMap(points);
    }

    /** By the key of the achievement; only those in which anybody differs. */
    public Map<String, Completions> achievements() {
        return Collections.unmodifiableMap(achievements);
    }

    public List<LevelMove> levelMoves() {
        var moves = new ArrayList<LevelMove>();
        levels.forEach((pair, count) -> moves.add(new LevelMove(pair.system(), pair.from(), pair.to(), count)));
        return moves;
    }

    /** Users whose move is in no entry of {@link #levelMoves}, of which there are too many. */
    public long otherLevelMoves() {
        return otherLevelMoves;
    }

    public StreakMoves streaks() {
        return streaks;
    }

    /** By the key of the leaderboard; only those on which anybody differs. */
    public Map<String, PlaceMoves> places() {
        return Collections.unmodifiableMap(places);
    }

    /** By the key of the metric; only those in which anybody differs. */
    public Map<String, MetricSums> metrics() {
        return Collections.unmodifiableMap(metrics);
    }

    /** Those with the largest differences, the largest first. */
    public List<UserComparison> largest() {
        return largest.stream().sorted(UserComparison.LARGEST_FIRST).toList();
    }
}
