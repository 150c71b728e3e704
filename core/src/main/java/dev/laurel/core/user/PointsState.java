package dev.laurel.core.user;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.rules.PointsRules;
import dev.laurel.core.rules.PointsRules.BoostRule;
import dev.laurel.core.user.UserHistory.Day;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of one points system of one user. It contains the newest awards, which move to the {@code points-ledger} store as
 * one page when there are {@link #PAGE} of them, so that most awards cost no separate write. The change of the newest day
 * moves to the {@code metric-days} store when a newer day begins.
 *
 * @param total the sum of {@code awarded} over the ledger
 * @param awards number of awards in the ledger, {@code newest} included; the sequence number of the next award
 * @param newest the last {@code awards % PAGE} awards, oldest first
 * @param counts by the number of the trigger: thresholds passed of a metric trigger, intervals passed of a time trigger
 * @param day the newest local day with an award, as an epoch day
 * @param dayChange the sum of that day's awards
 */
public record PointsState(
        long total, int awards, List<Award> newest, IntKeyedMap<Long> counts, int day, long dayChange) {

    /** The largest total: every client represents integers up to here exactly as floating-point numbers. */
    public static final long MAX_TOTAL = (1L << 53) - 1;

    /** Awards per page of the ledger. Larger pages make the state larger, smaller ones make more writes. */
    public static final int PAGE = 8;

    public static final PointsState NONE = new PointsState(0, 0, List.of(), IntKeyedMap.empty(), Integer.MIN_VALUE, 0);

    public PointsState {
        newest = List.copyOf(newest);
        if (newest.size() != awards % PAGE) {
            throw new IllegalArgumentException(newest.size() + " newest awards do not fit " + awards + " awards");
        }
    }

    public PointsState withCount(int trigger, long times) {
        return new PointsState(total, awards, newest, counts.with(trigger, times), day, dayChange);
    }

    public PointsState withCounts(IntKeyedMap<Long> changed) {
        return new PointsState(total, awards, newest, changed, day, dayChange);
    }

    /** The days from {@code first} to {@code last} with awards, ascending. @param number of the system */
    public List<Day> days(int number, UserHistory history, int first, int last) {
        var days = new ArrayList<Day>();
        if (first < day) {
            days.addAll(history.days(number, first, Math.min(last, day - 1)));
        }
        if (day >= first && day <= last) {
            days.add(new Day(day, DayBucket.uncounted(BigDecimal.valueOf(dayChange))));
        }
        return days;
    }

    /** The state, or {@link #NONE} instead of null. */
    public static PointsState orNone(@Nullable PointsState state) {
        return state == null ? NONE : state;
    }

    /** Zero if there are no awards. @param system its number */
    public static long totalOf(IntKeyedMap<PointsState> points, int system) {
        return orNone(points.get(system)).total();
    }

    /** The ledger page of a sequence number. */
    public static int pageOf(int sequence) {
        return sequence / PAGE;
    }

    /**
     * The awards of one command in one points system, in the order of application.
     *
     * @param levelBefore null: no level, as for {@code level}
     */
    public record SystemAwards(
            PointsSystem system,
            long added,
            long total,
            List<Award> awards,
            @Nullable Level levelBefore,
            @Nullable Level level) {

        public boolean changedLevel() {
            return levelBefore == null ? level != null : level == null || levelBefore.number() != level.number();
        }
    }

    /**
     * An award in a points ledger. It refers to the trigger in the ruleset version of its time. All versions are kept, so the
     * ledger shows the trigger as it was.
     *
     * @param system number of the points system
     * @param sequence 0, 1, … per user and system, in the order of processing
     * @param atMs the time of the command, or the due time of the timer
     * @param awarded the points that took effect, never 0
     * @param total after it
     * @param trigger number of the trigger
     * @param boosts that multiplied it, in the order of creation
     */
    public record Award(
            int system,
            int sequence,
            long atMs,
            long awarded,
            long total,
            int trigger,
            long rulesetVersion,
            List<AppliedBoost> boosts) {

        public Award {
            boosts = List.copyOf(boosts);
        }

        /** The award's id, derived from the user, the system and the sequence number. */
        public UUID id(UserKey user, PointsSystem ofSystem) {
            return UUID.nameUUIDFromBytes(
                    (user.text() + "\naward\n" + ofSystem.id() + "\n" + sequence).getBytes(UTF_8));
        }
    }

    /** A boost that multiplied an award. */
    public sealed interface AppliedBoost {

        /** A boost of the ruleset, as it was in the award's version. */
        record OfRuleset(int number) implements AppliedBoost {}

        /** A copy of the user's own boost, which may have been changed or revoked since. */
        record OfUser(UserBoost boost) implements AppliedBoost {}
    }

    /** Multiplies awards by the boosts that are active for one user, points system and local day (docs/semantics.md §6). */
    public static final class ActiveBoosts {

        private final List<AppliedBoost> applied = new ArrayList<>(2);
        private BigDecimal multiplier = BigDecimal.ONE;
        private Rounding rounding = Rounding.DOWN;

        private ActiveBoosts() {}

        /**
         * Returns the active boosts, or null if there are none, which is the usual case.
         *
         * @param own all boosts of the user, in the order of creation
         * @param day the user's local day
         */
        public static @Nullable ActiveBoosts on(
                int day, PointsRules system, List<UserBoost> own, Map<String, String> attributes) {
            List<BoostRule> shared = system.boosts();
            ActiveBoosts active = null;
            int s = 0;
            int o = 0;
            while (s < shared.size() || o < own.size()) {
                boolean isShared = o == own.size()
                        || s < shared.size()
                                && shared.get(s).createdMs() <= own.get(o).createdMs();
                if (isShared) {
                    BoostRule rule = shared.get(s++);
                    if (rule.isActiveFor(day, attributes)) {
                        active = active == null ? new ActiveBoosts() : active;
                        active.add(
                                new AppliedBoost.OfRuleset(rule.boost().number()),
                                rule.boost().multiplier(),
                                rule.boost().rounding());
                    }
                } else {
                    UserBoost boost = own.get(o++);
                    if (boost.system() == system.system().number() && boost.isActiveOn(day)) {
                        active = active == null ? new ActiveBoosts() : active;
                        active.add(new AppliedBoost.OfUser(boost), boost.multiplier(), boost.rounding());
                    }
                }
            }
            return active;
        }

        /** Boosts are added in the order of creation. The rounding of the last one applies. */
        private void add(AppliedBoost boost, BigDecimal by, Rounding roundedBy) {
            applied.add(boost);
            multiplier = multiplier.multiply(by);
            rounding = roundedBy;
        }

        /** The boosts in the order of creation. */
        public List<AppliedBoost> applied() {
            return applied;
        }

        /** Returns {@code count * pointsEach} times all multipliers, rounded once and capped. Both are positive. */
        public long multiply(long count, long pointsEach) {
            BigDecimal exact = BigDecimal.valueOf(count)
                    .multiply(BigDecimal.valueOf(pointsEach))
                    .multiply(multiplier);
            BigDecimal rounded = exact.setScale(
                    0,
                    switch (rounding) {
                        case DOWN -> RoundingMode.FLOOR;
                        case UP -> RoundingMode.CEILING;
                        case NEAREST -> RoundingMode.HALF_UP;
                    });
            return rounded.min(BigDecimal.valueOf(PointsState.MAX_TOTAL)).longValue();
        }
    }
}
