package dev.laurel.schemas.admin;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Uuids;
import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a change of the streak settings that names them as public clients do, or as Laurel does, or both
 * (docs/admin-api.md B2). The result has Laurel's names only. Values that contradict each other are refused. Pure.
 *
 * <p>{@link Field#alsoNamed} does not suffice: it gives one field a second name of the same form, but {@code freezes} is one
 * object for five fields, of which its absence switches one off, and both {@code freezes} and {@code metrics} have limits and
 * references of their own.
 */
final class StreakSettingsForms {

    private static final List<String> OWN_NAMES = List.of("enabled", "freezesEnabled", "initialFreezes", "maxFreezes",
            "freezeAutoEarnInterval", "freezeAutoEarnAmount", "personalizationEnabled", "personalizationMetrics");

    /** The settings that public clients know and cannot clear, with what is allowed. Elsewhere null counts as not given. */
    private static final Map<String, String> NOT_CLEARABLE = Map.of("frequency", "one of daily, weekly, monthly",
            "evaluationMode", "one of OR, AND", "metrics", "an array", "daysOff", "an array", "customizationEnabled",
            "true or false");

    /** The limits of the public form; those of Laurel's names are wider. */
    private static final int MAX_THRESHOLD = 10_000;
    private static final int MAX_FREEZES = 100;
    private static final int MAX_INTERVAL = 365;
    private static final int MAX_EARNED = 10;

    private static final int MAX_METRICS = 100;

    private static final String SAME = ": both name the same setting";

    private final RequestFields given;
    private final Map<String, Draft> metrics;
    private final Map<String, @Nullable Object> own = new LinkedHashMap<>();

    private StreakSettingsForms(RequestFields given, Map<String, Draft> metrics) {
        this.given = given;
        this.metrics = metrics;
    }

    /** @param metrics the metrics of the ruleset, by key */
    static RequestFields toOwn(RequestFields given, Map<String, Draft> metrics) throws BadInputException {
        return new StreakSettingsForms(given, metrics).toOwn();
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
                throw given.bad("freezes", (freezes == null ? "is null" : "is given") + ", but freezesEnabled is "
                        + isEnabled + SAME);
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
        put("freezes.startCount", "initialFreezes", intOf(start));
        put("freezes.maxCount", "maxFreezes", intOf(max));
        put("freezes.autoEarnInterval", "freezeAutoEarnInterval", intOf(interval));
        put("freezes.autoEarnAmount", "freezeAutoEarnAmount", intOf(amount));
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
        boolean isPublic = given.isGiven("customizationEnabled") || given.isGiven("freezes");
        if (entries.isEmpty() && isPublic && OWN_NAMES.stream().noneMatch(given::isGiven)) {
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
            read.add(fields);
        }
        own.put("metrics", read);
    }

    /** The id of the metric that an entry names by its key. An entry without an id has the limits of the public form. */
    private String idOf(RequestFields entry, Set<String> keys) throws BadInputException {
        String key = entry.requiredText("key");
        Draft metric = metrics.get(key);
        if (metric == null) {
            throw entry.bad("key", "is '" + key + "', which is no metric");
        }
        if (!keys.add(key)) {
            throw entry.bad("key", "is named twice");
        }
        String id = Objects.requireNonNull(metric.id(), "a metric of a ruleset has an id").toString();
        if (!entry.has("metricId")) {
            entry.requiredWhole("threshold", 1, MAX_THRESHOLD);
        } else if (!Objects.equals(Uuids.parse(entry.requiredText("metricId")), metric.id())) {
            throw entry.bad("key", "is '" + key + "', but metricId names another metric");
        }
        return id;
    }
}
