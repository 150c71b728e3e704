package dev.laurel.schemas.admin;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.ruleset.StreakSettings;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The two forms of the streak settings, that of public clients and that of Laurel (docs/admin-api.md B2): reads a change that names
 * them in either or both, and says what the public form shows of a value beyond its limits. The result of reading has Laurel's names
 * only. Values that contradict each other are refused. A value that the public form shows in place of another changes nothing. Pure.
 *
 * <p>{@link Field#alsoNamed} does not suffice: it gives one field a second name of the same form, but {@code freezes} is one
 * object for five fields, of which its absence switches one off, and both {@code freezes} and {@code metrics} have limits and
 * references of their own.
 */
final class StreakSettingsForms {

    private static final List<String> OWN_NAMES = List.of(
            "enabled",
            "freezesEnabled",
            "initialFreezes",
            "maxFreezes",
            "freezeAutoEarnInterval",
            "freezeAutoEarnAmount",
            "personalizationEnabled",
            "personalizationMetrics");

    /** The settings that public clients know and cannot clear, with what is allowed. Elsewhere null counts as not given. */
    private static final Map<String, String> NOT_CLEARABLE = Map.of(
            "frequency",
            "one of daily, weekly, monthly",
            "evaluationMode",
            "one of OR, AND",
            "metrics",
            "an array",
            "daysOff",
            "an array",
            "customizationEnabled",
            "true or false");

    /** The limits of the public form; those of Laurel's names are wider. */
    private static final int MAX_THRESHOLD = 10_000;

    private static final int MAX_FREEZES = 100;
    private static final int MAX_INTERVAL = 365;
    private static final int MAX_EARNED = 10;

    private static final int MAX_METRICS = 100;

    private static final String SAME = ": both name the same setting";

    /** The field of a condition that has its exact threshold. Answers have it where the public form cannot show that. */
    private static final String EXACT = "exactThreshold";

    private final RequestFields given;
    private final Map<String, FieldMap> metrics;
    private final StreakSettings present;
    private final Map<String, @Nullable Object> own = new LinkedHashMap<>();

    private StreakSettingsForms(RequestFields given, Map<String, FieldMap> metrics, StreakSettings present) {
        this.given = given;
        this.metrics = metrics;
        this.present = present;
    }

    /** @param metrics the metrics of the ruleset, by key; @param present the settings before the change */
    static RequestFields toOwn(RequestFields given, Map<String, FieldMap> metrics, StreakSettings present)
            throws BadInputException {
        return new StreakSettingsForms(given, metrics, present).toOwn();
    }

    /** The public form of {@code freezes}; null: they are off. */
    static @Nullable Map<String, @Nullable Object> shown(StreakSettings.@Nullable Freezes on) {
        if (on == null) {
            return null;
        }
        boolean isEarned = on.earnIntervalDays() > 0;
        var freezes = new LinkedHashMap<String, @Nullable Object>();
        freezes.put("startCount", on.initial());
        freezes.put("maxCount", on.max());
        freezes.put("autoEarnInterval", isEarned ? Math.min(on.earnIntervalDays(), MAX_INTERVAL) : null);
        freezes.put("autoEarnAmount", isEarned ? Math.min(on.earnAmount(), MAX_EARNED) : null);
        return freezes;
    }

    /** Adds the threshold to a condition that is shown: a whole number in the public range, and the exact one where it differs. */
    static void show(BigDecimal threshold, Map<String, @Nullable Object> condition) {
        int shown = shown(threshold);
        condition.put("threshold", shown);
        if (threshold.compareTo(BigDecimal.valueOf(shown)) != 0) {
            condition.put(EXACT, threshold);
        }
    }

    /** The least whole number that meets the threshold, as far as the public form can show it. */
    private static int shown(BigDecimal threshold) {
        return threshold
                .setScale(0, RoundingMode.CEILING)
                .min(BigDecimal.valueOf(MAX_THRESHOLD))
                .intValueExact();
    }

    private RequestFields toOwn() throws BadInputException {
        for (Map.Entry<?, ?> field : given.values().entrySet()) {
            String name = (String) field.getKey();
            if (field.getValue() == null && NOT_CLEARABLE.containsKey(name)) {
                throw given.bad(name, "is null, must be " + NOT_CLEARABLE.get(name));
            }
            own.put(name, field.getValue());
        }
        if (given.isGiven("customizationEnabled")) {
            put("customizationEnabled", "personalizationEnabled", given.bool("customizationEnabled"));
        }
        if (given.isGiven("freezes")) {
            RequestFields freezes = given.object("freezes");
            Boolean isEnabled = given.bool("freezesEnabled");
            if (isEnabled != null && isEnabled != (freezes != null)) {
                throw given.bad(
                        "freezes",
                        (freezes == null ? "is null" : "is given") + ", but freezesEnabled is " + isEnabled + SAME);
            }
            own.put("freezesEnabled", freezes != null);
            if (freezes != null) {
                readFreezes(freezes);
            }
        }
        if (given.has("metrics")) {
            readMetrics();
        }
        return RequestFields.of(own);
    }

    private void readFreezes(RequestFields freezes) throws BadInputException {
        long start = freezes.requiredWhole("startCount", 0, MAX_FREEZES);
        long max = freezes.requiredWhole("maxCount", 1, MAX_FREEZES);
        if (start > max) {
            throw freezes.bad("maxCount", "is " + max + ", must not be below startCount, which is " + start);
        }
        Long interval = freezes.whole("autoEarnInterval", 1, limit("freezeAutoEarnInterval", MAX_INTERVAL));
        Long amount = freezes.whole("autoEarnAmount", 1, limit("freezeAutoEarnAmount", MAX_EARNED));
        if (interval == null && amount != null) {
            throw freezes.bad("autoEarnInterval", "is required beside autoEarnAmount");
        }
        if (amount == null && interval != null) {
            throw freezes.bad("autoEarnAmount", "is required beside autoEarnInterval");
        }
        StreakSettings.Freezes now = present.freezesOnceOn();
        put("freezes.startCount", "initialFreezes", intOf(start));
        put("freezes.maxCount", "maxFreezes", intOf(max));
        putEarned(
                "freezes.autoEarnInterval",
                "freezeAutoEarnInterval",
                intOf(interval),
                now.earnIntervalDays(),
                MAX_INTERVAL);
        putEarned("freezes.autoEarnAmount", "freezeAutoEarnAmount", intOf(amount), now.earnAmount(), MAX_EARNED);
    }

    /** The greatest value of the public form is also shown for greater ones, and leaves such a one as it is. */
    private void putEarned(String name, String ownName, @Nullable Integer value, int now, int max)
            throws BadInputException {
        if (value == null || value != max) {
            put(name, ownName, value);
        } else if (!given.isGiven(ownName)) {
            own.put(ownName, Math.max(now, max));
        } else {
            Integer ownValue = given.integer(ownName);
            put(name, ownName, ownValue != null && ownValue > max ? ownValue : value);
        }
    }

    private static @Nullable Integer intOf(@Nullable Long value) {
        return value == null ? null : Integer.valueOf(Math.toIntExact(value));
    }

    /** A value that Laurel's name has too may exceed the limit of the public form, so that an answer can be sent back. */
    private long limit(String ownName, long publicLimit) {
        return given.has(ownName) ? Integer.MAX_VALUE : publicLimit;
    }

    private void put(String name, String ownName, @Nullable Object value) throws BadInputException {
        Object other = given.values().get(ownName);
        boolean isOtherNull = given.isNull(ownName) && ownName.startsWith("freezeAutoEarn");
        if (other != null && !String.valueOf(other).equals(String.valueOf(value)) || isOtherNull && value != null) {
            throw given.bad(name, "is " + value + ", but " + ownName + " is " + other + SAME);
        }
        own.put(ownName, value);
    }

    private void readMetrics() throws BadInputException {
        List<RequestFields> entries = given.objects("metrics", MAX_METRICS);
        if (entries.isEmpty() && OWN_NAMES.stream().noneMatch(given::isGiven)) {
            throw given.bad("metrics", "must have at least one entry");
        }
        var read = new ArrayList<Map<String, @Nullable Object>>();
        Set<String> keys = new HashSet<>();
        for (RequestFields entry : entries) {
            var fields = new LinkedHashMap<String, @Nullable Object>();
            entry.values().forEach((name, value) -> fields.put((String) name, value));
            if (entry.has("key")) {
                fields.put("metricId", idOf(entry, keys));
            }
            if (entry.has("threshold")) {
                BigDecimal exact = exactThreshold(entry);
                fields.put("threshold", exact == null ? entry.values().get("threshold") : exact);
            }
            fields.remove(EXACT);
            read.add(fields);
        }
        own.put("metrics", read);
    }

    /** The threshold that an entry means, if that is not the one that it has; null: it is. */
    private @Nullable BigDecimal exactThreshold(RequestFields entry) throws BadInputException {
        BigDecimal exact = entry.number(EXACT);
        BigDecimal threshold = entry.requiredNumber("threshold");
        if (exact == null) {
            return entry.has("metricId") ? null : presentThreshold(entry.text("key"), threshold);
        }
        boolean isSame = threshold.compareTo(exact) == 0
                || exact.signum() > 0 && threshold.compareTo(BigDecimal.valueOf(shown(exact))) == 0;
        if (!isSame) {
            throw entry.bad(
                    EXACT, "is " + exact.toPlainString() + ", but threshold is " + threshold.toPlainString() + SAME);
        }
        return exact;
    }

    /** The present threshold of the metric if the public form shows it as this one; else null. */
    private @Nullable BigDecimal presentThreshold(@Nullable String key, BigDecimal threshold) {
        return present.conditions().stream()
                .filter(condition -> condition.metric().equals(key))
                .map(StreakSettings.Condition::threshold)
                .filter(now -> threshold.compareTo(BigDecimal.valueOf(shown(now))) == 0)
                .findFirst()
                .orElse(null);
    }

    /** The id of the metric that an entry names by its key. An entry without an id has the limits of the public form. */
    private String idOf(RequestFields entry, Set<String> keys) throws BadInputException {
        String key = entry.requiredText("key");
        FieldMap metric = metrics.get(key);
        if (metric == null) {
            throw entry.bad("key", "is '" + key + "', which is no metric");
        }
        if (!keys.add(key)) {
            throw entry.bad("key", "is named twice");
        }
        String id = Objects.requireNonNull(metric.id(), "a metric of a ruleset has an id")
                .toString();
        if (!entry.has("metricId")) {
            if (!entry.has(EXACT)) {
                entry.requiredWhole("threshold", 1, MAX_THRESHOLD);
            }
        } else if (!Objects.equals(Uuids.parse(entry.requiredText("metricId")), metric.id())) {
            throw entry.bad("key", "is '" + key + "', but metricId names another metric");
        }
        return id;
    }
}
