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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of one user that a comparison compares. Objects of the ruleset are matched by their numbers, which two rulesets
 * of one tenant share, and shown by their keys. Zero values, and values of objects that the ruleset does not have, are absent.
 */
public record ComparedUser(SortedMap<Subject, Value> values) {

    /** What a value is about. Differences are in this order. */
    public enum Kind {
        USER,
        POINTS,
        ACHIEVEMENT,
        STREAK,
        PLACE,
        METRIC
    }

    /** @param number of the object; 0 for {@code USER} and {@code STREAK} */
    public record Subject(Kind kind, int number) implements Comparable<Subject> {

        private static final Comparator<Subject> ORDER =
                Comparator.comparing(Subject::kind).thenComparingInt(Subject::number);

        @Override
        public int compareTo(Subject other) {
            return ORDER.compare(this, other);
        }
    }

    public ComparedUser {
        values = Collections.unmodifiableSortedMap(values);
    }

    /** A value of one subject. */
    public sealed interface Value {

        /** Key of the object in the ruleset; empty for a user and a streak. */
        default String key() {
            return "";
        }

        /** A total, a length or a rank; 1 for what is present or not; null: no rank. */
        default @Nullable BigDecimal number() {
            return BigDecimal.ONE;
        }

        /** Whether another value of the same subject is no difference. Another key of the object is none. */
        default boolean isSame(Value other) {
            return true;
        }
    }

    /** The user exists. */
    public record Exists() implements Value {}

    /** The exact total of a metric. */
    public record Total(String key, BigDecimal number) implements Value {

        @Override
        public boolean isSame(Value other) {
            return other instanceof Total total && number.compareTo(total.number) == 0;
        }
    }

    /** @param level key of the level; null: no level */
    public record Points(String key, long total, @Nullable String level) implements Value {

        @Override
        public BigDecimal number() {
            return BigDecimal.valueOf(total);
        }

        @Override
        public boolean isSame(Value other) {
            return other instanceof Points(var _, long others, String othersLevel)
                    && total == others
                    && Objects.equals(level, othersLevel);
        }
    }

    /** A completed achievement. */
    public record Completed(String key) implements Value {}

    /**
     * @param length in periods, above 0
     * @param started local date of the event that met the first period
     * @param expires the last day of the next period that must be met
     */
    public record Streak(int length, StreakFrequency frequency, LocalDate started, LocalDate expires) implements Value {

        @Override
        public BigDecimal number() {
            return BigDecimal.valueOf(length);
        }

        @Override
        public boolean isSame(Value other) {
            return equals(other);
        }
    }

    /**
     * A place on a leaderboard, in its present run.
     *
     * @param group values of the breakdown attributes; empty on a leaderboard without a breakdown
     * @param rank from 1; {@link #NO_RANK} if the leaderboard was full when the user reached the value
     */
    public record Entry(String key, List<String> group, int rank, BigDecimal value) implements Value {

        public static final int NO_RANK = 0;

        public Entry {
            group = List.copyOf(group);
        }

        public boolean isRanked() {
            return rank != NO_RANK;
        }

        @Override
        public @Nullable BigDecimal number() {
            return isRanked() ? BigDecimal.valueOf(rank) : null;
        }

        @Override
        public boolean isSame(Value other) {
            return other instanceof Entry entry && rank == entry.rank && hasSameValue(entry);
        }

        /** Whether only the rank may differ. */
        boolean hasSameValue(Entry other) {
            return group.equals(other.group) && value.compareTo(other.value) == 0;
        }
    }

    /**
     * @param state migrated to these rules and advanced to {@code nowMs}
     * @param history the user's history, read only for the streak
     * @param entries the user's places, by the number of the leaderboard
     */
    public static ComparedUser of(
            UserState state, CompiledRuleset rules, UserHistory history, long nowMs, Map<Integer, Entry> entries) {
        var values = new TreeMap<Subject, Value>();
        values.put(new Subject(Kind.USER, 0), new Exists());
        rules.metrics().forEach(metric -> {
            var counted = state.metrics().get(metric.number());
            if (counted != null && counted.total().signum() != 0) {
                values.put(new Subject(Kind.METRIC, metric.number()), new Total(metric.key(), counted.total()));
            }
        });
        rules.document().pointsSystems().forEach(system -> {
            var counted = state.points().get(system.number());
            if (counted != null && counted.total() != 0) {
                Level level = system.levelOf(counted.total());
                values.put(
                        new Subject(Kind.POINTS, system.number()),
                        new Points(system.key(), counted.total(), level == null ? null : level.key()));
            }
        });
        rules.document().achievements().forEach(achievement -> {
            if (state.completions().contains(achievement.number())) {
                values.put(new Subject(Kind.ACHIEVEMENT, achievement.number()), new Completed(achievement.key()));
            }
        });
        if (StreakSnapshot.lengthOf(state, rules) > 0) {
            int today = LocalDays.dayOf(nowMs, rules.zoneOf(state.profile().tz()));
            var streak = new StreakSnapshot(state, rules, history, today);
            values.put(
                    new Subject(Kind.STREAK, 0),
                    new Streak(
                            streak.length(),
                            rules.streak().periods().frequency(),
                            LocalDate.ofEpochDay(state.streak().startedDay()),
                            LocalDate.ofEpochDay(streak.expiryDay())));
        }
        entries.forEach((board, entry) -> values.put(new Subject(Kind.PLACE, board), entry));
        return new ComparedUser(values);
    }
}
