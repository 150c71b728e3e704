package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Field.Missing;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.kind.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings of streaks (docs/semantics.md §5).
 *
 * @param conditions if empty, any positive event counts
 * @param freezes null: freezes are off
 * @param personalization null: users cannot have conditions of their own
 * @param freezesWhenOff the settings that apply once freezes are switched on; null: the defaults, or freezes are on
 * @param personalizationWhenOff see {@code freezesWhenOff}
 * @param daysOff weekdays in order, 0 is Sunday; empty unless the frequency is daily
 */
public record StreakSettings(
        boolean enabled,
        StreakFrequency frequency,
        EvaluationMode evaluationMode,
        List<Condition> conditions,
        @Nullable Freezes freezes,
        @Nullable Personalization personalization,
        @Nullable Freezes freezesWhenOff,
        @Nullable Personalization personalizationWhenOff,
        List<Integer> daysOff) {

    public static final int DAYS_PER_WEEK = 7;

    private static final int MAX_FREEZES = 100;

    /** Words for the modes. ALL is a synonym of AND (docs/application-api.md §8). */
    public static final Type.Words MODES = new Type.Words(
            List.of("AND", "OR", "ALL"),
            word -> word.equals("OR") ? EvaluationMode.OR : EvaluationMode.AND,
            Object::toString);

    /** The thresholds that users may set for a metric. */
    private static final Kind<Bounds> BOUNDS = Kind.of(
                    "bounds",
                    Bounds.class,
                    // The minimum threshold. Left out: none.
                    Field.typed("min", SharedFields.AMOUNT).clearable().shownMissing(Missing.NULL),
                    // The maximum threshold. Left out: none.
                    Field.typed("max", SharedFields.AMOUNT).clearable().shownMissing(Missing.NULL))
            .check(StreakSettings::ascending);

    /** docs/semantics.md §5, docs/admin-api.md B2. */
    public static final Kind<StreakSettings> KIND = Kind.of(
                    "streak",
                    StreakSettings.class,
                    // Whether streaks are on.
                    Field.flag("enabled").defaultsTo(true),
                    // The period of the streak, in the user's local time.
                    Field.word("frequency", StreakFrequency.class).defaultsTo("daily"),
                    // With several metrics: whether all thresholds must be met (AND, or its synonym ALL) or only one
                    // (OR).
                    Field.typed("evaluationMode", MODES).defaultsTo("OR").adminWords("OR", "AND"),
                    // Thresholds by metric key. A threshold is met when the metric's changes within the period add up
                    // to it. Left out or empty:
                    // any positive event meets the period.
                    // API: What a user must reach in a period: a threshold is met when the metric's changes within the
                    // period add up to it. If
                    // empty, any positive event counts.
                    Field.valuesOf("metrics", SharedFields.METRICS, SharedFields.AMOUNT, 0, Condition.class)
                            .as("conditions")
                            .adminEntries("metricId", "threshold"),
                    // Weekdays on which a daily streak is not lost, 0 is Sunday. An event on such a day extends the
                    // streak all the same. Only
                    // with frequency daily.
                    // API: Weekdays on which a daily streak is not lost, 0 is Sunday. A frequency other than daily
                    // clears them.
                    Field.typed(
                                    "daysOff",
                                    new Type.ListOf(
                                            new Type.Whole(0, DAYS_PER_WEEK - 1, true, false),
                                            0,
                                            DAYS_PER_WEEK - 1,
                                            "must have at most 6 entries: at least one weekday counts",
                                            true))
                            .defaultsTo(List.of()),
                    // Whether users have freezes, which cover missed periods. Otherwise the other settings of freezes
                    // have no effect.
                    Field.flag("freezesEnabled").defaultsTo(false),
                    // The number of freezes of a new user, at most maxFreezes.
                    Field.count("initialFreezes", 0, MAX_FREEZES).defaultsTo(0).as("freezesWhenOff.initial"),
                    // The maximum number of freezes of a user.
                    Field.count("maxFreezes", 1, MAX_FREEZES).defaultsTo(3).as("freezesWhenOff.max"),
                    // The number of days after which a user earns freezes. Left out, together with
                    // freezeAutoEarnAmount: users earn none.
                    // API: The number of days after which a user earns freezes. Goes together with
                    // freezeAutoEarnAmount; without both, users earn
                    // none.
                    Field.count("freezeAutoEarnInterval", 1, SharedFields.MAX_COUNT)
                            .as("freezesWhenOff.earnIntervalDays")
                            .clearable()
                            .shownMissing(Missing.NULL),
                    // The number of freezes earned each time.
                    Field.count("freezeAutoEarnAmount", 1, MAX_FREEZES)
                            .as("freezesWhenOff.earnAmount")
                            .clearable()
                            .shownMissing(Missing.NULL),
                    // Whether users may replace 'metrics' by conditions of their own.
                    // API: Whether users may choose conditions of their own.
                    Field.flag("personalizationEnabled").defaultsTo(false),
                    // The metrics that users may choose, by metric key, with bounds for their thresholds. Left out or
                    // empty: those of 'metrics',
                    // without bounds.
                    // API: The metrics that users may choose, with bounds; null: those of `metrics`, without bounds.
                    Field.valuesOf(
                                    "personalizationMetrics",
                                    SharedFields.METRICS,
                                    new Type.Part(BOUNDS),
                                    0,
                                    Bounds.class)
                            .as("personalizationWhenOff.metrics")
                            .adminEntries("metricId")
                            .clearable()
                            .shownMissing(Missing.NULL))
            .pair("freezeAutoEarnInterval", "freezeAutoEarnAmount")
            .check(StreakSettings::checkInitialFreezes)
            .check(StreakSettings::checkDaysOff)
            .adjusted(StreakSettings::switched, StreakSettings::asIfOff);

    public static final StreakSettings DEFAULT = KIND.make(FieldMap.EMPTY, Map.of());

    /** Moves the settings of a draft to where they apply: those of freezes and personalization may be on. */
    private static StreakSettings switched(StreakSettings off, FieldMap draft) {
        Freezes freezes = off.freezesOnceOn();
        Personalization personalization = off.personalizationOnceOn();
        return Records.with(
                off,
                "freezes",
                Boolean.TRUE.equals(draft.get("freezesEnabled")) ? freezes : null,
                "personalization",
                Boolean.TRUE.equals(draft.get("personalizationEnabled")) ? personalization : null,
                "freezesWhenOff",
                freezes.equals(Freezes.DEFAULT) ? null : freezes,
                "personalizationWhenOff",
                personalization.equals(Personalization.DEFAULT) ? null : personalization);
    }

    /** The inverse of {@link #switched}. */
    private static FieldMap asIfOff(StreakSettings streak, Function<StreakSettings, FieldMap> export) {
        FieldMap draft = export.apply(Records.with(
                streak,
                "freezes",
                null,
                "personalization",
                null,
                "freezesWhenOff",
                streak.freezesOnceOn(),
                "personalizationWhenOff",
                streak.personalizationOnceOn()));
        boolean earnsNone = streak.freezesOnceOn().earnIntervalDays() == 0;
        return draft.with("freezesEnabled", streak.freezes() == null ? draft.get("freezesEnabled") : true)
                .with(
                        "personalizationEnabled",
                        streak.personalization() == null ? draft.get("personalizationEnabled") : true)
                .with("freezeAutoEarnInterval", earnsNone ? null : draft.get("freezeAutoEarnInterval"))
                .with("freezeAutoEarnAmount", earnsNone ? null : draft.get("freezeAutoEarnAmount"));
    }

    private static void checkDaysOff(IssueList issues, String path, FieldMap streak) {
        String frequency = streak.has("frequency") ? streak.text("frequency") : "daily";
        issues.expect(
                streak.list("daysOff").isEmpty() || "daily".equals(frequency),
                path + "/daysOff",
                "must be empty unless frequency is daily; it is " + frequency);
    }

    private static void checkInitialFreezes(IssueList issues, String path, FieldMap streak) {
        int initial = streak.get("initialFreezes") instanceof Integer given ? given : Freezes.DEFAULT.initial();
        int max = streak.get("maxFreezes") instanceof Integer given ? given : Freezes.DEFAULT.max();
        boolean isInRange = initial <= MAX_FREEZES && max > 0;
        issues.expect(
                !isInRange || initial <= max,
                path + "/initialFreezes",
                "is " + initial + ", must not be above maxFreezes, which is " + max);
    }

    private static void ascending(IssueList issues, String path, FieldMap bounds) {
        boolean isAscending = !(bounds.get("min") instanceof BigDecimal min)
                || !(bounds.get("max") instanceof BigDecimal max)
                || !SharedFields.AMOUNT.holds().test(min)
                || !SharedFields.AMOUNT.holds().test(max)
                || min.compareTo(max) <= 0;
        issues.expect(isAscending, path + "/max", "must not be below min");
    }

    /** The settings of freezes, even if they are off. */
    public Freezes freezesOnceOn() {
        return freezes != null ? freezes : freezesWhenOff != null ? freezesWhenOff : Freezes.DEFAULT;
    }

    /** The settings of personalization, even if it is off. */
    public Personalization personalizationOnceOn() {
        return personalization != null
                ? personalization
                : personalizationWhenOff != null ? personalizationWhenOff : Personalization.DEFAULT;
    }

    public StreakSettings {
        conditions = List.copyOf(conditions);
        freezesWhenOff = freezes == null ? freezesWhenOff : null;
        personalizationWhenOff = personalization == null ? personalizationWhenOff : null;
        // Stored rulesets of earlier releases have none.
        daysOff = daysOff == null ? List.of() : daysOff.stream().sorted().toList();
    }

    /** Met when the metric's changes within the period add up to at least {@code threshold}. */
    public record Condition(String metric, BigDecimal threshold) {}

    /** The combination of several conditions. */
    public enum EvaluationMode {
        AND,
        OR
    }

    /**
     * The settings of freezes, which cover missed periods.
     *
     * @param initial number for a new user, at most {@code max}. Stored rulesets of earlier releases may have more; it is cut.
     * @param max maximum per user
     * @param earnIntervalDays days after which a user earns freezes; 0: users earn none
     * @param earnAmount number earned each time
     */
    public record Freezes(int initial, int max, int earnIntervalDays, int earnAmount) {

        /** The defaults (docs/admin-api.md B2). */
        public static final Freezes DEFAULT = new Freezes(0, 3, 0, 0);

        public Freezes {
            initial = Math.min(initial, max);
        }
    }

    /**
     * The conditions that users may choose.
     *
     * @param metrics allowed metrics with bounds; empty: those of the conditions, without bounds
     */
    public record Personalization(List<Bounds> metrics) {

        public static final Personalization DEFAULT = new Personalization(List.of());

        public Personalization {
            metrics = Records.listOf(metrics);
        }
    }

    /** The thresholds that users may set for a metric. */
    public record Bounds(
            String metric,
            @Nullable BigDecimal min,
            @Nullable BigDecimal max) {}

    /** The period of a streak in the user's local time: a calendar day, week or month. */
    public enum StreakFrequency {
        DAILY,
        WEEKLY,
        MONTHLY
    }
}
