package dev.laurel.core.analytics;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cells of {@link Counter#SCORES}: how many users have which value on a leaderboard. Values are divided into ranges, {@value #RANGES}
 * of equal width between two powers of two, so each is at most a {@value #RANGES}th of its lowest value wide: whole numbers up to
 * twice as many have ranges of their own. The cells are durable data.
 */
public final class ScoreRanges {

    private static final int RANGE_BITS = 9;

    /** The ranges between two powers of two. */
    private static final int RANGES = 1 << RANGE_BITS;

    /** The cells of a block: few, since a task may have the blocks of very many groups in memory until it commits. */
    static final int BLOCK = 128;

    /** The mantissa of a double without the bits that tell the ranges apart. */
    private static final int SHIFT = 52 - RANGE_BITS;

    /** Whole numbers with so many digits fit into a long. */
    private static final int LONG_DIGITS = 18;

    /** The length in bytes up to which the name of a group is its text. */
    private static final int MAX_TEXT = 512;

    /**
     * How many users are above a value.
     *
     * @param above in higher ranges
     * @param within in the range of the value, the user included
     * @param below in lower ranges
     */
    public record Counts(long above, long within, long below) {

        public long all() {
            return above + within + below;
        }

        /**
         * The estimated rank of a user who is not among the participants: the users of a range are taken to be spread evenly in it. Users
         * with the same value, which have one range if they are small whole numbers, share a rank, except that the places of participants
         * are taken.
         *
         * @param places the number of places for participants
         */
        public long rankOf(BigDecimal value, int places) {
            int cell = cell(value);
            double width = lowest(cell + 1) - lowest(cell);
            boolean isWhole = value.stripTrailingZeros().scale() <= 0;
            if (isWhole && width <= 1) {
                return Math.clamp(places + 1L, above + 1, above + Math.max(1, within));
            }
            double higher = (lowest(cell + 1) - value.doubleValue() - (isWhole ? 1 : 0)) / width;
            return above + 1 + (long) (Math.max(0, within - 1) * Math.clamp(higher, 0, 1));
        }
    }

    private ScoreRanges() {}

    /**
     * The cell of a value above 0. The highest bits of a positive double are its exponent, then its mantissa: greater values have higher
     * cells.
     */
    public static int cell(BigDecimal value) {
        // Both ways round alike; most values are whole, for which this one is shorter.
        double rounded =
                value.scale() == 0 && value.precision() <= LONG_DIGITS ? value.longValue() : value.doubleValue();
        return (int) (Double.doubleToRawLongBits(rounded) >>> SHIFT);
    }

    /** The lowest value of a cell. */
    static double lowest(int cell) {
        return Double.longBitsToDouble((long) cell << SHIFT);
    }

    /** The segment of a user's group in the run of a value; null if the user is not ranked there. */
    static @Nullable Segment segmentOf(LeaderboardRules board, @Nullable LeaderboardState state, UserState user) {
        if (state == null || state.value().signum() <= 0 || user.preferences().shown() == Visibility.HIDDEN) {
            return null;
        }
        List<String> group = board.groupOf(user.profile().attributes());
        return group == null ? null : segmentOf(state.run(), group);
    }

    /** The segment of a group in a run. Each value of the group has its length before it; a hash stands for a long text. */
    public static Segment segmentOf(int run, List<String> group) {
        if (group.isEmpty()) {
            return new Segment(run, "");
        }
        var text = new StringBuilder();
        for (String value : group) {
            text.append(value.length()).append(':').append(value);
        }
        String name = text.toString();
        boolean isShort = name.getBytes(StandardCharsets.UTF_8).length <= MAX_TEXT;
        return new Segment(run, isShort ? name : HexFormat.of().formatHex(UnicodeText.sha256(name)));
    }
}
