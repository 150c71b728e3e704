package dev.laurel.core.rules;

import dev.laurel.core.rules.StreakRules.Threshold;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.StreakSettings.Bounds;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import dev.laurel.schemas.ruleset.StreakSettings.Freezes;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The rules of streaks (docs/semantics.md §5). Immutable. */
public final class StreakRules {

    /**
     * A threshold for a metric, reached when the sum of its changes within the period is at least {@code atLeast}.
     *
     * @param metric number
     */
    public record Threshold(int metric, BigDecimal atLeast) {}

    private final StreakSettings settings;
    private final Periods periods;
    private final Conditions conditions;
    private final int daysOff;

    /** The metrics for which users may have thresholds, by key. */
    private final Map<String, Bounds> choices = new LinkedHashMap<>();

    private final List<Integer> chosenMetrics = new ArrayList<>();

    StreakRules(Ruleset document, ToIntFunction<String> metricNumber) {
        this.settings = document.streak();
        this.periods = new Periods(settings.frequency(), document.settings().weekStartsOn());
        this.conditions = new Conditions(
                settings.evaluationMode(),
                settings.conditions().stream()
                        .map(c -> new Threshold(metricNumber.applyAsInt(c.metric()), c.threshold()))
                        .toList());
        this.daysOff = weekdays(settings.daysOff());
        if (settings.personalization() != null) {
            settings.personalization().metrics().forEach(bounds -> choices.put(bounds.metric(), bounds));
            if (choices.isEmpty()) {
                settings.conditions().forEach(c -> choices.put(c.metric(), new Bounds(c.metric(), null, null)));
            }
            choices.keySet().forEach(key -> chosenMetrics.add(metricNumber.applyAsInt(key)));
        }
    }

    public boolean isEnabled() {
        return settings.enabled();
    }

    public Periods periods() {
        return periods;
    }

    /**
     * The weekdays off of a user, as bits: bit 0 is Sunday. Only daily streaks have days off.
     *
     * @param own the user's own, as far as the rules allow them; null: those of the rules
     */
    public int daysOff(@Nullable List<Integer> own) {
        if (periods.frequency() != StreakFrequency.DAILY) {
            return 0;
        }
        return own != null && isPersonal() ? weekdays(own) : daysOff;
    }

    private static int weekdays(List<Integer> days) {
        int weekdays = 0;
        for (int day : days) {
            weekdays |= 1 << day;
        }
        return weekdays;
    }

    /** Whether an epoch day is one of these weekdays. @param weekdays as bits, see {@link #daysOff} */
    public static boolean isAmong(int weekdays, int day) {
        // The epoch is a Thursday.
        return weekdays != 0 && (weekdays >> Math.floorMod(day + 4, 7) & 1) != 0;
    }

    /** Null: freezes are off. */
    public @Nullable Freezes freezes() {
        return settings.freezes();
    }

    /** The rules by which users earn freezes as time passes; null: they earn none. */
    public @Nullable Freezes earnedFreezes() {
        Freezes freezes = settings.freezes();
        return freezes != null && freezes.earnIntervalDays() > 0 ? freezes : null;
    }

    /**
     * Whether users of both need no migration from one to the other, and their timers fire in the same way. Conditions count from
     * the next event on.
     */
    boolean passLike(StreakRules others) {
        return this == others
                || settings.enabled() == others.settings.enabled()
                        && periods.equals(others.periods)
                        && Objects.equals(settings.freezes(), others.settings.freezes())
                        && daysOff == others.daysOff
                        && isPersonal() == others.isPersonal();
    }

    /** Whether users may have conditions of their own. */
    public boolean isPersonal() {
        return settings.personalization() != null;
    }

    /** The keys of the metrics for which users may have thresholds. */
    public Collection<String> choices() {
        return choices.keySet();
    }

    /** The bounds of thresholds for a metric; null: users may have none. */
    public @Nullable Bounds choice(String metric) {
        return choices.get(metric);
    }

    /**
     * The conditions of a user: the user's own as far as the rules allow them, metric by metric. Without an allowed metric the
     * thresholds of the rules apply.
     *
     * @param mode the user's own mode
     * @param own the user's own thresholds
     */
    public Conditions conditions(@Nullable EvaluationMode mode, @Nullable List<Threshold> own) {
        if (mode == null && own == null || !isPersonal()) {
            return conditions;
        }
        List<Threshold> allowed = own == null
                ? List.of()
                : own.stream()
                        .filter(threshold -> chosenMetrics.contains(threshold.metric()))
                        .toList();
        return new Conditions(
                mode == null ? settings.evaluationMode() : mode, allowed.isEmpty() ? conditions.thresholds() : allowed);
    }

    /**
     * The thresholds for a period of a streak, of which all or one must be reached (docs/semantics.md §5). Immutable.
     */
    public static final class Conditions {

        private final EvaluationMode mode;
        private final List<Threshold> thresholds;
        private final BitSet countedMetrics = new BitSet();

        Conditions(EvaluationMode mode, List<Threshold> thresholds) {
            this.mode = mode;
            this.thresholds = List.copyOf(thresholds);
            thresholds.forEach(threshold -> countedMetrics.set(threshold.metric()));
        }

        List<Threshold> thresholds() {
            return thresholds;
        }

        /** Whether there are no thresholds, so that any positive event meets its period. */
        public boolean isAnyEvent() {
            return thresholds.isEmpty();
        }

        /** Whether this metric has a threshold. */
        public boolean counts(int metric) {
            return countedMetrics.get(metric);
        }

        /**
         * Whether the thresholds are reached, if there are any.
         *
         * @param changeOf the sum of a metric's values within the period; called only while the result is open
         */
        public boolean areMet(IntFunction<BigDecimal> changeOf) {
            boolean needsAll = mode == EvaluationMode.AND;
            for (Threshold threshold : thresholds) {
                boolean isReached = changeOf.apply(threshold.metric()).compareTo(threshold.atLeast()) >= 0;
                if (isReached != needsAll) {
                    return !needsAll;
                }
            }
            return needsAll;
        }
    }
}
