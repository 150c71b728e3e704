package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.kind.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;

/**
 * How streaks are kept (docs/semantics.md §5).
 *
 * @param conditions none: any positive event counts
 * @param freezes null if freezes are off
 * @param personalization null if users cannot have conditions of their own
 * @param freezesWhenOff how freezes are to be once they are switched on; null if nobody has said, and while they are on
 * @param personalizationWhenOff likewise
 */
public record StreakSettings(boolean enabled, StreakFrequency frequency, EvaluationMode evaluationMode,
        List<Condition> conditions, Freezes freezes, Personalization personalization, Freezes freezesWhenOff,
        Personalization personalizationWhenOff) {

    private static final int MAX_FREEZES = 100;

    private static final Type.Words MODES = new Type.Words(List.of("AND", "OR", "ALL"),
            word -> word.equals("OR") ? EvaluationMode.OR : EvaluationMode.AND, Object::toString);

    private static final Kind<Bounds> BOUNDS = Kind.of("bounds", Bounds.class,
            Field.typed("min", SharedFields.AMOUNT).clearable().shownMissing(Missing.NULL)
                    .about("The least threshold. Left out: any."),
            Field.typed("max", SharedFields.AMOUNT).clearable().shownMissing(Missing.NULL)
                    .about("The greatest threshold. Left out: any."))
            .check(StreakSettings::ascending).about("Thresholds that users may set for a metric.");

    /** docs/semantics.md §5, docs/admin-api.md B2. */
    public static final Kind<StreakSettings> KIND = Kind.of("streak", StreakSettings.class,
            Field.flag("enabled").defaultsTo(true).about("Whether streaks are kept at all."),
            Field.word("frequency", StreakFrequency.class).defaultsTo("daily")
                    .about("The period that has to be met, in the user's local time."),
            Field.typed("evaluationMode", MODES).defaultsTo("OR").adminWords("OR", "AND")
                    .about("With several metrics: whether a period is met by all of them (AND, or ALL, which is the same) or by "
                            + "one (OR)."),
            Field.valuesOf("metrics", SharedFields.METRICS, SharedFields.AMOUNT, 0, Condition.class).as("conditions")
                    .adminEntries("metricId", "threshold")
                    .about("Thresholds by metric key: a metric's part is met when its changes within the period add up to at "
                            + "least the threshold. Left out or empty: any positive event meets the period.")
                    .adminAbout("None means that any positive event counts."),
            Field.flag("freezesEnabled").defaultsTo(false)
                    .about("Whether users have freezes, which cover periods that were missed. The other fields about freezes do "
                            + "nothing without."),
            Field.count("initialFreezes", 0, MAX_FREEZES).defaultsTo(0).as("freezesWhenOff.initial")
                    .about("How many freezes a new user gets, maxFreezes at most."),
            Field.count("maxFreezes", 1, MAX_FREEZES).defaultsTo(3).as("freezesWhenOff.max")
                    .about("How many freezes a user can hold."),
            Field.count("freezeAutoEarnInterval", 1, SharedFields.MAX_COUNT).as("freezesWhenOff.earnIntervalDays")
                    .clearable().shownMissing(Missing.NULL)
                    .about("Every how many days a user earns freezes. Left out, together with freezeAutoEarnAmount: never.")
                    .adminAbout("Days."),
            Field.count("freezeAutoEarnAmount", 1, MAX_FREEZES).as("freezesWhenOff.earnAmount").clearable()
                    .shownMissing(Missing.NULL).about("How many freezes are earned each time."),
            Field.flag("personalizationEnabled").defaultsTo(false)
                    .about("Whether users may have conditions of their own instead of 'metrics'.")
                    .adminAbout("Whether users may choose conditions of their own."),
            Field.valuesOf("personalizationMetrics", SharedFields.METRICS, new Type.Part(BOUNDS), 0, Bounds.class)
                    .as("personalizationWhenOff.metrics").adminEntries("metricId", null).clearable()
                    .shownMissing(Missing.NULL)
                    .about("Which metrics users may choose, by metric key, and within which bounds. Left out or empty: those of "
                            + "'metrics', without bounds.")
                    .adminAbout("Limits for what users choose; null for the metrics above without bounds."))
            .pair("freezeAutoEarnInterval", "freezeAutoEarnAmount")
            .adjusted(StreakSettings::switched, StreakSettings::asIfOff);

    public static final StreakSettings DEFAULT = new StreakSettings(true, StreakFrequency.DAILY, EvaluationMode.OR,
            List.of(), null, null, null, null);

    /** What a draft says of freezes and personalization holds once they are on. */
    private static StreakSettings switched(StreakSettings off, Draft draft) {
        Freezes given = off.freezesWhenOff;
        var freezes = new Freezes(Math.min(given.initial(), given.max()), given.max(), given.earnIntervalDays(),
                given.earnAmount());
        Personalization personalization = off.personalizationWhenOff;
        return Records.with(off, "freezes", Boolean.TRUE.equals(draft.get("freezesEnabled")) ? freezes : null,
                "personalization",
                Boolean.TRUE.equals(draft.get("personalizationEnabled")) ? personalization : null, "freezesWhenOff",
                freezes.equals(Freezes.USUAL) ? null : freezes, "personalizationWhenOff",
                personalization.equals(Personalization.USUAL) ? null : personalization);
    }

    /** The way back from {@link #switched}. */
    private static Draft asIfOff(StreakSettings streak, Function<StreakSettings, Draft> export) {
        Draft draft = export.apply(Records.with(streak, "freezes", null, "personalization", null, "freezesWhenOff",
                streak.freezesOnceOn(), "personalizationWhenOff", streak.personalizationOnceOn()));
        boolean earnsNone = streak.freezesOnceOn().earnIntervalDays() == 0;
        return draft.with("freezesEnabled", streak.freezes() == null ? draft.get("freezesEnabled") : true)
                .with("personalizationEnabled",
                        streak.personalization() == null ? draft.get("personalizationEnabled") : true)
                .with("freezeAutoEarnInterval", earnsNone ? null : draft.get("freezeAutoEarnInterval"))
                .with("freezeAutoEarnAmount", earnsNone ? null : draft.get("freezeAutoEarnAmount"));
    }

    private static void ascending(IssueList issues, String path, Draft bounds) {
        boolean isAscending = !(bounds.get("min") instanceof BigDecimal min)
                || !(bounds.get("max") instanceof BigDecimal max) || !SharedFields.AMOUNT.holds().test(min)
                || !SharedFields.AMOUNT.holds().test(max) || min.compareTo(max) <= 0;
        issues.expect(isAscending, path + "/max", "must not be below min");
    }

    /** How freezes are, or would be if they were on. */
    public Freezes freezesOnceOn() {
        return freezes != null ? freezes : freezesWhenOff != null ? freezesWhenOff : Freezes.USUAL;
    }

    /** What users may choose, or could if they were let. */
    public Personalization personalizationOnceOn() {
        return personalization != null
                ? personalization
                : personalizationWhenOff != null ? personalizationWhenOff : Personalization.USUAL;
    }

    public StreakSettings {
        conditions = List.copyOf(conditions);
        freezesWhenOff = freezes == null ? freezesWhenOff : null;
        personalizationWhenOff = personalization == null ? personalizationWhenOff : null;
    }

    /** Met when the metric's changes within the period add up to at least {@code threshold}. */
    public record Condition(String metric, BigDecimal threshold) {}

    /** How several conditions combine. */
    public enum EvaluationMode {
        AND, OR
    }

    /**
     * What covers missed periods.
     *
     * @param initial given at creation, at most {@code max}
     * @param max how many a user can hold
     * @param earnIntervalDays days between freezes earned by themselves; 0 if none are
     * @param earnAmount how many each time
     */
    public record Freezes(int initial, int max, int earnIntervalDays, int earnAmount) {

        /** Unless something else is said (docs/admin-api.md B2). */
        public static final Freezes USUAL = new Freezes(0, 3, 0, 0);
    }

    /**
     * What users may choose.
     *
     * @param metrics which metrics, within which bounds; empty: those of the conditions, without bounds
     */
    public record Personalization(List<Bounds> metrics) {

        public static final Personalization USUAL = new Personalization(List.of());

        public Personalization {
            metrics = metrics == null ? List.of() : List.copyOf(metrics);
        }
    }

    /** @param min least threshold, null if none; @param max greatest, null if none */
    public record Bounds(String metric, BigDecimal min, BigDecimal max) {}

    /** The period that has to be met again and again, in the user's local time: a calendar day, week or month. */
    public enum StreakFrequency {
        DAILY, WEEKLY, MONTHLY
    }
}
