package dev.laurel.core.compare;

import dev.laurel.core.compare.ComparedUser.Entry;
import dev.laurel.core.compare.ComparedUser.Kind;
import dev.laurel.core.compare.ComparedUser.Subject;
import dev.laurel.core.compare.ComparedUser.Value;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.UserKey;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The differences of one user, in the order of {@link Kind}, and then by the number of the object. */
public record UserComparison(UserKey user, List<Difference> differences) {

    /** The largest differences first, then by user. */
    public static final Comparator<UserComparison> LARGEST_FIRST = Comparator.comparingLong(
                    (UserComparison comparison) -> comparison.moved(Kind.POINTS))
            .thenComparingLong(comparison -> comparison.moved(Kind.ACHIEVEMENT))
            .thenComparingLong(comparison -> comparison.moved(Kind.STREAK))
            .thenComparingInt(comparison -> comparison.differences().size())
            .reversed()
            .thenComparing(comparison -> comparison.user().text(), UnicodeText.ORDER);

    public UserComparison {
        differences = List.copyOf(differences);
    }

    /**
     * @param before null: the user does not exist, as for {@code after}
     */
    public static UserComparison of(UserKey user, @Nullable ComparedUser before, @Nullable ComparedUser after) {
        Map<Subject, Value> was = valuesOf(before);
        Map<Subject, Value> is = valuesOf(after);
        var all = new TreeMap<>(was);
        all.putAll(is);
        var found = new ArrayList<Difference>();
        all.forEach((subject, either) -> {
            Value one = was.get(subject);
            Value other = is.get(subject);
            if (one == null || other == null || !one.isSame(other)) {
                found.add(new Difference(subject.kind(), either.key(), one, other));
            }
        });
        return new UserComparison(user, found);
    }

    private static Map<Subject, Value> valuesOf(@Nullable ComparedUser user) {
        return user == null ? Collections.emptySortedMap() : user.values();
    }

    public boolean isSame() {
        return differences.isEmpty();
    }

    /** Whether only ranks differ, because of other users. */
    public boolean isOnlyOvertaken() {
        return !isSame() && differences.stream().allMatch(Difference::isRankOnly);
    }

    /** The sum of the changes of one kind, up and down. */
    private long moved(Kind kind) {
        return differences.stream()
                .filter(difference -> difference.kind == kind)
                .mapToLong(difference -> Math.abs(difference.change()))
                .sum();
    }

    /**
     * A difference of a user between the present state, {@code before}, and the result of a replay, {@code after}. A total of a metric
     * depends on the log alone unless the metric was removed: one of the two is wrong.
     *
     * @param key of the object in the rules of {@code after}, or else in those of {@code before}; empty for a user and a streak
     * @param before null: absent, as for {@code after}
     */
    public record Difference(
            Kind kind,
            String key,
            @Nullable Value before,
            @Nullable Value after) {

        /** What {@link Value#number} is before. What is absent is zero, except a rank. */
        public @Nullable BigDecimal numberBefore() {
            return number(before);
        }

        public @Nullable BigDecimal numberAfter() {
            return number(after);
        }

        private @Nullable BigDecimal number(@Nullable Value value) {
            return value != null ? value.number() : kind == Kind.PLACE ? null : BigDecimal.ZERO;
        }

        /** The change of a number that is whole and no rank. */
        long change() {
            return Objects.requireNonNull(numberAfter()).longValue()
                    - Objects.requireNonNull(numberBefore()).longValue();
        }

        /** Whether an entry has the same group and value before and after. */
        boolean isRankOnly() {
            return before instanceof Entry was && after instanceof Entry is && was.hasSameValue(is);
        }
    }
}
