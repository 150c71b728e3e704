package dev.laurel.core.leaderboard;

import dev.laurel.core.leaderboard.LeaderboardGroup.View;
import dev.laurel.schemas.kind.Records;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a run, over all of its groups (docs/analytics.md §2).
 *
 * @param changedRank participants who have changed rank, see {@link Ranking.Participant#hasChangedRank}
 * @param lowest the lowest score, null, as is {@code highest}, without participants
 * @param histogram participants by score, in {@value #RANGES} ranges of equal width, the lowest first; empty if it is not known yet
 * @param rankChanges days with changes of rank, in their order
 * @param isFinal whether all groups are final: then only erasures of users can change the figures
 */
public record RunFigures(
        long participants,
        long changedRank,
        @Nullable BigDecimal lowest,
        @Nullable BigDecimal highest,
        List<Long> histogram,
        List<DayChanges> rankChanges,
        boolean isFinal) {

    /** The number of ranges of the histogram. */
    public static final int RANGES = 20;

    /** @param day in days since 1970 @param count the number of changes of rank on it */
    public record DayChanges(int day, long count) {}

    /** The same figures with a histogram. */
    public RunFigures with(List<Long> counts) {
        return Records.with(this, "histogram", counts);
    }

    /** The figures of different groups together. The histogram is not known if several parts have participants. */
    public static RunFigures sum(List<RunFigures> parts) {
        List<RunFigures> ranked =
                parts.stream().filter(part -> part.participants > 0).toList();
        var changes = new TreeMap<Integer, Long>();
        parts.forEach(part -> part.rankChanges.forEach(day -> changes.merge(day.day(), day.count(), Long::sum)));
        // A part without groups is not final.
        boolean isFinal =
                parts.stream().anyMatch(RunFigures::isFinal) && ranked.stream().allMatch(RunFigures::isFinal);
        return new RunFigures(
                ranked.stream().mapToLong(RunFigures::participants).sum(),
                ranked.stream().mapToLong(RunFigures::changedRank).sum(),
                ranked.stream()
                        .map(RunFigures::lowest)
                        .min(Comparator.naturalOrder())
                        .orElse(null),
                ranked.stream()
                        .map(RunFigures::highest)
                        .max(Comparator.naturalOrder())
                        .orElse(null),
                ranked.size() > 1
                        ? List.of()
                        : (ranked.isEmpty() ? parts : ranked).getFirst().histogram(),
                changes.entrySet().stream()
                        .map(day -> new DayChanges(day.getKey(), day.getValue()))
                        .toList(),
                isFinal);
    }

    /** The changes of rank from {@code first} to {@code last}, by day. */
    public long[] rankChanges(int first, int last) {
        var counts = new long[last - first + 1];
        for (DayChanges changes : rankChanges) {
            if (changes.day() >= first && changes.day() <= last) {
                counts[changes.day() - first] += changes.count();
            }
        }
        return counts;
    }

    /**
     * Counts the groups of a run, which are passed one by one and twice: first to {@link #include}, which finds the lowest and the highest
     * score, then to {@link #count}. So no scores are kept, however many there are. Scores that have changed in between and are outside of
     * the range count as the lowest or the highest. One thread.
     */
    public static final class Count {

        private @Nullable BigDecimal lowest;
        private @Nullable BigDecimal highest;

        /** The lowest scores of all ranges but the first; empty until the first group is counted. */
        private final List<BigDecimal> bounds = new ArrayList<>();

        private final long[] histogram = new long[RANGES];
        private long changedRank;

        /** Finds the lowest and the highest score. */
        public Count() {}

        /** Counts groups of which these are known; {@link #include} is not called. */
        public Count(BigDecimal lowest, BigDecimal highest) {
            this.lowest = lowest;
            this.highest = highest;
        }

        public void include(Ranking ranking) {
            if (ranking.size() > 0) {
                BigDecimal last = ranking.lowest();
                BigDecimal first = ranking.at(1).value();
                lowest = lowest == null ? last : lowest.min(last);
                highest = highest == null ? first : highest.max(first);
            }
        }

        public void count(View group) {
            if (bounds.isEmpty() && lowest != null && highest != null) {
                // A twentieth is an exact decimal.
                BigDecimal width = highest.subtract(lowest).divide(BigDecimal.valueOf(RANGES));
                for (int range = 1; range < RANGES; range++) {
                    bounds.add(lowest.add(width.multiply(BigDecimal.valueOf(range))));
                }
            }
            changedRank += group.changedRank();
            int above = 0;
            for (int range = bounds.size(); range > 0; range--) {
                int from = group.ranking().countFrom(bounds.get(range - 1));
                histogram[range] += from - above;
                above = from;
            }
            histogram[0] += group.ranking().size() - above;
        }

        public List<Long> histogram() {
            return Arrays.stream(histogram).boxed().toList();
        }

        public RunFigures figures(List<DayChanges> rankChanges, boolean isFinal) {
            long participants = Arrays.stream(histogram).sum();
            return new RunFigures(participants, changedRank, lowest, highest, histogram(), rankChanges, isFinal);
        }
    }
}
