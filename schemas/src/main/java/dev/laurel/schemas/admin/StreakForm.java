package dev.laurel.schemas.admin;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetSource.BoundsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.wire.StreakSettingsBody;
import dev.laurel.schemas.wire.StreakSettingsBody.BoundsBody;
import dev.laurel.schemas.wire.StreakSettingsBody.ConditionBody;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Streak settings (admin-api.md B2). What is said about freezes while they are off holds once they are on. */
final class StreakForm implements SettingsForm {

    private static final int MAX_METRICS = 100;
    private static final StreakSource NOTHING = new StreakSource(null, null, null, null, null, null, null, null, null,
            null, null);

    @Override
    public void patch(SourceDraft draft, AccessDraft access, Item item) throws BadInputException {
        StreakSource before = draft.streak == null ? NOTHING : draft.streak;
        var next = new StreakSource(SharedFields.or(item.bool("enabled"), before.enabled()),
                SharedFields.text(item, "frequency", before.frequency()),
                SharedFields.or(item.word("evaluationMode", "OR", "AND"), before.evaluationMode()),
                thresholds(draft, item, before), SharedFields.or(item.bool("freezesEnabled"), before.freezesEnabled()),
                SharedFields.or(item.integer("initialFreezes"), before.initialFreezes()),
                SharedFields.or(item.integer("maxFreezes"), before.maxFreezes()),
                clearable(item, "freezeAutoEarnInterval", before.freezeAutoEarnInterval()),
                clearable(item, "freezeAutoEarnAmount", before.freezeAutoEarnAmount()),
                SharedFields.or(item.bool("personalizationEnabled"), before.personalizationEnabled()),
                bounds(draft, item, before));
        draft.streak = next.equals(NOTHING) ? null : next;
    }

    private static Integer clearable(Item item, String field, Integer before) throws BadInputException {
        return item.isNull(field) ? null : SharedFields.or(item.integer(field), before);
    }

    private static Map<String, BigDecimal> thresholds(SourceDraft draft, Item item, StreakSource before)
            throws BadInputException {
        List<Item> given = item.items("metrics", MAX_METRICS);
        if (given == null) {
            return before.metrics();
        }
        var thresholds = new LinkedHashMap<String, BigDecimal>();
        for (Item metric : given) {
            String key = metricKey(draft, metric, thresholds);
            metric.require("threshold");
            thresholds.put(key, metric.number("threshold"));
        }
        return thresholds;
    }

    private static Map<String, BoundsSource> bounds(SourceDraft draft, Item item, StreakSource before)
            throws BadInputException {
        List<Item> given = item.items("personalizationMetrics", MAX_METRICS);
        if (given == null) {
            return item.isNull("personalizationMetrics") ? Map.of() : before.personalizationMetrics();
        }
        var bounds = new LinkedHashMap<String, BoundsSource>();
        for (Item metric : given) {
            String key = metricKey(draft, metric, bounds);
            bounds.put(key, new BoundsSource(metric.number("min"), metric.number("max")));
        }
        return bounds;
    }

    private static String metricKey(SourceDraft draft, Item metric, Map<String, ?> others) throws BadInputException {
        metric.require("metricId");
        String key = SharedFields.metricKey(metric, "metricId", draft, null);
        if (others.containsKey(key)) {
            throw metric.bad("metricId", "is named twice");
        }
        return key;
    }

    @Override
    public String place() {
        return "/streak";
    }

    @Override
    public StreakSettingsBody body(Ruleset ruleset, AccessDraft access) {
        var ids = new ObjectIds(ruleset);
        StreakSettings streak = ruleset.streak();
        StreakSettings.Freezes freezes = streak.freezesOnceOn();
        return new StreakSettingsBody(streak.enabled(), SharedFields.word(streak.frequency()),
                streak.evaluationMode().name(),
                streak.conditions().stream().map(c -> new ConditionBody(ids.ofMetric(c.metric()), c.threshold()))
                        .toList(),
                streak.freezes() != null, freezes.initial(), freezes.max(), orNull(freezes.earnIntervalDays()),
                orNull(freezes.earnAmount()), streak.personalization() != null, bounds(streak, ids));
    }

    private static Integer orNull(int count) {
        return count == 0 ? null : count;
    }

    private static List<BoundsBody> bounds(StreakSettings streak, ObjectIds ids) {
        List<StreakSettings.Bounds> metrics = streak.personalizationOnceOn().metrics();
        return metrics.isEmpty()
                ? null
                : metrics.stream().map(b -> new BoundsBody(ids.ofMetric(b.metric()), b.min(), b.max())).toList();
    }
}
