package dev.laurel.processors.core.rules;

import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.StreakSettings.Bounds;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import dev.laurel.schemas.ruleset.StreakSettings.Freezes;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** How streaks are kept, ready to be applied (semantics.md §5). Immutable. */
public final class StreakRules {

    /** A metric's part: met when its changes within the period add up to at least {@code atLeast}. @param metric number */
    public record Threshold(int metric, BigDecimal atLeast) {}

    private final StreakSettings settings;
    private final Periods periods;
    private final StreakConditions conditions;

    /** What users may have thresholds on, by key; empty while they may not. */
    private final Map<String, Bounds> choices = new LinkedHashMap<>();
    private final List<Integer> chosenMetrics = new ArrayList<>();

    StreakRules(Ruleset document, ToIntFunction<String> metricNumber) {
        this.settings = document.streak();
        this.periods = new Periods(settings.frequency(), document.settings().weekStartsOn());
        this.conditions = new StreakConditions(settings.evaluationMode(), settings.conditions().stream()
                .map(c -> new Threshold(metricNumber.applyAsInt(c.metric()), c.threshold())).toList());
        if (settings.personalization() != null) {
            settings.personalization().metrics().forEach(bounds -> choices.put(bounds.metric(), bounds));
            if (choices.isEmpty()) {
                settings.conditions().forEach(c -> choices.put(c.metric(), new Bounds(c.metric(), null, null)));
            }
            choices.keySet().forEach(key -> chosenMetrics.add(metricNumber.applyAsInt(key)));
        }
    }

    public StreakSettings settings() {
        return settings;
    }

    public boolean isEnabled() {
        return settings.enabled();
    }

    public Periods periods() {
        return periods;
    }

    /** Null while freezes are off. */
    public Freezes freezes() {
        return settings.freezes();
    }

    /** Whether freezes are earned by themselves, as time goes by. */
    public boolean earnsFreezes() {
        return settings.freezes() != null && settings.freezes().earnIntervalDays() > 0;
    }

    /** Whether users may have conditions of their own. */
    public boolean isPersonal() {
        return settings.personalization() != null;
    }

    /** The metrics that users may have thresholds on. */
    public Collection<String> choices() {
        return choices.keySet();
    }

    /** Null if users may have no threshold on this metric. */
    public Bounds choice(String metric) {
        return choices.get(metric);
    }

    /**
     * The conditions of a user. What the user chose holds while the rules allow it, metric by metric; without a metric that
     * they allow, those of the rules hold.
     *
     * @param mode the user's own, null if there is none
     * @param own the user's own, null if there are none
     */
    public StreakConditions conditions(EvaluationMode mode, List<Threshold> own) {
        if (mode == null && own == null || !isPersonal()) {
            return conditions;
        }
        List<Threshold> allowed = own == null
                ? List.of()
                : own.stream().filter(threshold -> chosenMetrics.contains(threshold.metric())).toList();
        return new StreakConditions(mode == null ? settings.evaluationMode() : mode,
                allowed.isEmpty() ? conditions.thresholds() : allowed);
    }
}
