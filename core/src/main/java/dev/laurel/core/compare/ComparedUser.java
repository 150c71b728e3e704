package dev.laurel.core.compare;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.StreakSnapshot;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of one user that a comparison compares. Objects of the ruleset are matched by their numbers, which two rulesets
 * of one tenant share, and shown by their keys. Zero values, and values of objects that the ruleset does not have, are absent.
 *
 * @param streak null: no streak, or streaks are off
 * @param entries by the number of the leaderboard, in its present run
 */
public record ComparedUser(SortedMap<Integer, Total> metrics, SortedMap<Integer, Points> points,
        SortedMap<Integer, String> achievements, @Nullable Streak streak, SortedMap<Integer, Entry> entries) {

    /** The values of a user who does not exist. */
    static final ComparedUser NONE = new ComparedUser(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), null,
            new TreeMap<>());

    public ComparedUser {
        metrics = Collections.unmodifiableSortedMap(metrics);
        points = Collections.unmodifiableSortedMap(points);
        achievements = Collections.unmodifiableSortedMap(achievements);
        entries = Collections.unmodifiableSortedMap(entries);
    }

    /** The exact total of a metric. */
    public record Total(String metric, BigDecimal value) {}

    /**
     * @param level key of the level; null: no level
     * @param height number of levels up to this one
     */
    public record Points(String system, long total, @Nullable String level, int height) {}

    /**
     * @param length in periods, above 0
     * @param started local date of the event that met the first period
     * @param expires the last day of the next period that must be met
     */
    public record Streak(int length, StreakFrequency frequency, LocalDate started, LocalDate expires) {}

    /**
     * @param group values of the breakdown attributes; empty on a leaderboard without a breakdown
     * @param rank from 1; {@link #NO_RANK} if the leaderboard was full when the user reached the value
     */
    public record Entry(String leaderboard, List<String> group, int rank, BigDecimal value) {

        public static final int NO_RANK = 0;

        public Entry {
            group = List.copyOf(group);
        }

        public boolean isRanked() {
            return rank != NO_RANK;
        }
    }

    /**
     * @param state migrated to these rules and advanced to {@code nowMs}
     * @param history the user's history, read only for the streak
     * @param entries the user's ranks, by the number of the leaderboard
     */
    public static ComparedUser of(UserState state, CompiledRuleset rules, UserHistory history, long nowMs,
            SortedMap<Integer, Entry> entries) {
        var metrics = new TreeMap<Integer, Total>();
        rules.metrics().forEach(metric -> {
            var counted = state.metrics().get(metric.number());
            if (counted != null && counted.total().signum() != 0) {
                metrics.put(metric.number(), new Total(metric.key(), counted.total()));
            }
        });
        var points = new TreeMap<Integer, Points>();
        rules.document().pointsSystems().forEach(system -> {
            var counted = state.points().get(system.number());
            if (counted != null && counted.total() != 0) {
                Level level = system.levelOf(counted.total());
                points.put(system.number(), new Points(system.key(), counted.total(),
                        level == null ? null : level.key(), system.levelsBelow(counted.total())));
            }
        });
        var achievements = new TreeMap<Integer, String>();
        rules.document().achievements().forEach(achievement -> {
            if (state.completions().contains(achievement.number())) {
                achievements.put(achievement.number(), achievement.key());
            }
        });
        return new ComparedUser(metrics, points, achievements, streakOf(state, rules, history, nowMs), entries);
    }

    private static @Nullable Streak streakOf(UserState state, CompiledRuleset rules, UserHistory history, long nowMs) {
        if (StreakSnapshot.lengthOf(state, rules) == 0) {
            return null;
        }
        int today = LocalDays.dayOf(nowMs, rules.zoneOf(state.profile().tz()));
        var snapshot = new StreakSnapshot(state, rules, history, today);
        return new Streak(snapshot.length(), rules.streak().periods().frequency(),
                LocalDate.ofEpochDay(state.streak().startedDay()), LocalDate.ofEpochDay(snapshot.expiryDay()));
    }
}
