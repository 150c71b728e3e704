package dev.laurel.core.user;

import dev.laurel.core.rules.PointsRules.BoostRule;
import dev.laurel.core.rules.PointsRules;
import dev.laurel.core.user.PointsState.AppliedBoost;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A boost of a single user. Days are epoch days.
 *
 * @param system number of the points system
 * @param end last day, inclusive, or {@link #OPEN}
 */
public record UserBoost(UUID id, int system, String name, int start, int end, BigDecimal multiplier,
        Rounding rounding, long createdMs) {

    public static final int OPEN = Integer.MAX_VALUE;

    public LocalDate firstDate() {
        return LocalDate.ofEpochDay(start);
    }

    /** Null: no end. */
    public @Nullable LocalDate lastDate() {
        return end == OPEN ? null : LocalDate.ofEpochDay(end);
    }

    public boolean isActiveOn(int day) {
        return start <= day && day <= end;
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
        public static @Nullable ActiveBoosts on(int day, PointsRules system, List<UserBoost> own,
                Map<String, String> attributes) {
            List<BoostRule> shared = system.boosts();
            ActiveBoosts active = null;
            int s = 0;
            int o = 0;
            while (s < shared.size() || o < own.size()) {
                boolean isShared = o == own.size()
                        || s < shared.size() && shared.get(s).createdMs() <= own.get(o).createdMs();
                if (isShared) {
                    BoostRule rule = shared.get(s++);
                    if (rule.isActiveFor(day, attributes)) {
                        active = active == null ? new ActiveBoosts() : active;
                        active.add(new AppliedBoost.OfRuleset(rule.boost().number()), rule.boost().multiplier(),
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
            BigDecimal exact = BigDecimal.valueOf(count).multiply(BigDecimal.valueOf(pointsEach)).multiply(multiplier);
            BigDecimal rounded = exact.setScale(0, switch (rounding) {
                case DOWN -> RoundingMode.FLOOR;
                case UP -> RoundingMode.CEILING;
                case NEAREST -> RoundingMode.HALF_UP;
            });
            return rounded.min(BigDecimal.valueOf(PointsState.MAX_TOTAL)).longValue();
        }
    }
}
