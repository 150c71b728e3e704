package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.command.Zones;
import dev.laurel.schemas.key.UnicodeText;
import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.HashSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds everything that is wrong with a {@link RulesetSource} at once: keys, ranges, references (admin-api.md). Pure; the
 * command line, the gateway and the ruleset writer all ask it, so all of them say the same.
 */
public final class RulesetValidator {

    /** Objects of one kind; a ruleset is compiled into memory and read whole. */
    static final int MAX_OBJECTS = 10_000;

    /** A report is for people, who will not read more; issues quote their source, which may be large. */
    static final int MAX_ISSUES = 100;

    private static final int MAX_NAMED = 10;
    private static final int MAX_QUOTED = 60;

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{1,255}");
    private static final long MAX_POINTS = 1_000_000_000_000L;

    private final List<RulesetIssue> issues = new ArrayList<>();
    private final Set<UUID> ids = new HashSet<>();
    private final RulesetSource source;

    private RulesetValidator(RulesetSource source) {
        this.source = source;
    }

    /** The issues in the order of the document, the first {@link #MAX_ISSUES} of them; empty if there are none. */
    public static List<RulesetIssue> check(RulesetSource source) {
        var validator = new RulesetValidator(source);
        validator.checkAll();
        return List.copyOf(validator.issues);
    }

    private void checkAll() {
        entries("/metrics", source.metrics(), this::metric);
        entries("/attributes/user", source.attributes().user(), (path, a) -> {
            name(path, a.name());
            id(path, a.id());
        });
        entries("/attributes/event", source.attributes().event(), (path, a) -> {
            name(path, a.name());
            id(path, a.id());
        });
        entries("/achievements", source.achievements(), this::achievement);
        entries("/points", source.points(), this::pointsSystem);
        if (source.streak() != null) {
            streak(source.streak());
        }
        if (source.settings() != null) {
            settings(source.settings());
        }
    }

    private void metric(String path, MetricSource metric) {
        id(path, metric.id());
        name(path, metric.name());
        oneOf(path + "/unitType", metric.unitType(), "number", "currency");
        String units = metric.units();
        if ("currency".equals(metric.unitType())) {
            expect(units != null && units.matches("[A-Z]{3}"), path + "/units",
                    "must be an upper-case ISO 4217 code, such as EUR, for unitType currency");
        } else {
            expect(units == null || units.length() <= 50, path + "/units", "must have at most 50 characters");
            unicode(path + "/units", units);
        }
    }

    private void achievement(String path, AchievementSource achievement) {
        id(path, achievement.id());
        name(path, achievement.name());
        description(path, achievement.description());
        url(path + "/badgeUrl", achievement.badgeUrl());
        if (required(path + "/trigger", achievement.trigger())) {
            oneOf(path + "/trigger", achievement.trigger(), "metric");
        }
        metricReference(path + "/metric", achievement.metric());
        if (required(path + "/value", achievement.value())) {
            amount(path + "/value", achievement.value());
        }
    }

    private void pointsSystem(String path, PointsSource system) {
        id(path, system.id());
        name(path, system.name());
        description(path, system.description());
        url(path + "/badgeUrl", system.badgeUrl());
        Long max = system.maxPoints();
        expect(max == null || max >= 1 && max <= MAX_POINTS, path + "/maxPoints",
                "must be a whole number from 1 to " + MAX_POINTS);
        entries(path + "/triggers", system.triggers(), this::trigger);
    }

    private void trigger(String path, TriggerSource trigger) {
        id(path, trigger.id());
        if (required(path + "/type", trigger.type())) {
            oneOf(path + "/type", trigger.type(), "metric");
        }
        metricReference(path + "/metric", trigger.metric());
        if (required(path + "/threshold", trigger.threshold())) {
            expect(trigger.threshold() >= 1 && trigger.threshold() <= MAX_POINTS, path + "/threshold",
                    "must be a whole number from 1 to " + MAX_POINTS);
        }
        if (required(path + "/points", trigger.points())) {
            expect(trigger.points() != 0 && isBetween(-1_000_000_000, trigger.points(), 1_000_000_000),
                    path + "/points",
                    "must be a whole number from -1000000000 to 1000000000, not 0");
        }
    }

    private void streak(StreakSource streak) {
        oneOf("/streak/frequency", streak.frequency(), "daily");
        oneOf("/streak/evaluationMode", streak.evaluationMode(), "AND", "OR");
        streak.metrics().forEach((key, threshold) -> {
            String path = "/streak/metrics/" + escaped(key);
            metricReference(path, key);
            if (required(path, threshold)) {
                amount(path, threshold);
            }
        });
    }

    private void settings(SettingsSource settings) {
        Integer ratio = settings.controlRatio();
        expect(ratio == null || ratio >= 0 && ratio <= 100, "/settings/controlRatio",
                "must be a whole number from 0 to 100");
        if (settings.defaultTimeZone() != null) {
            expect(Zones.byName(settings.defaultTimeZone()) != null, "/settings/defaultTimeZone",
                    "must be an IANA time zone, such as Europe/Helsinki");
        }
    }

    private <V> void entries(String path, Map<String, V> entries, Check<V> check) {
        expect(entries.size() <= MAX_OBJECTS, path, "must have at most " + MAX_OBJECTS + " entries");
        entries.forEach((key, value) -> {
            String at = path + "/" + escaped(key);
            expect(KEY.matcher(key).matches(), at,
                    "has a bad key: 1 to 255 letters, digits, '-' and '_' are allowed");
            if (required(at, value)) {
                check.accept(at, value);
            }
        });
    }

    private void metricReference(String path, String key) {
        if (required(path, key) && !source.metrics().containsKey(key)) {
            expect(false, path, "names an unknown metric " + quoted(key) + "; known: " + knownMetrics());
        }
    }

    private String knownMetrics() {
        Set<String> keys = source.metrics().keySet();
        String first = keys.stream().limit(MAX_NAMED).map(key -> UnicodeText.cut(key, MAX_QUOTED))
                .collect(Collectors.joining(", "));
        return keys.isEmpty() ? "none" : keys.size() <= MAX_NAMED ? first : first + ", …";
    }

    private static String quoted(String text) {
        return "'" + UnicodeText.cut(text, MAX_QUOTED) + "'";
    }

    /** One step of a JSON pointer. */
    private static String escaped(String key) {
        return UnicodeText.cut(key, MAX_QUOTED).replace("~", "~0").replace("/", "~1");
    }

    private static boolean isBetween(long min, long value, long max) {
        return value >= min && value <= max;
    }

    private void id(String path, UUID id) {
        expect(id == null || ids.add(id), path + "/id", "is used twice");
    }

    private void name(String path, String name) {
        expect(name == null || !name.isEmpty() && name.length() <= 255, path + "/name",
                "must have 1 to 255 characters");
        unicode(path + "/name", name);
    }

    private void description(String path, String text) {
        expect(text == null || text.length() <= 2000, path + "/description", "must have at most 2000 characters");
        unicode(path + "/description", text);
    }

    private void unicode(String path, String text) {
        expect(text == null || UnicodeText.isWellFormed(text), path, "must be valid Unicode text");
    }

    private void url(String path, String url) {
        if (url == null) {
            return;
        }
        boolean isWeb;
        try {
            var uri = new URI(url);
            isWeb = uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()));
        } catch (URISyntaxException _) {
            isWeb = false;
        }
        expect(isWeb, path, "must be an absolute http or https address");
    }

    private void amount(String path, BigDecimal value) {
        expect(value.signum() > 0 && Amounts.problemWith(value) == null, path,
                "must be a number above 0, at most 1000000000000, with at most 9 fractional digits");
    }

    private void oneOf(String path, String value, String... allowed) {
        expect(value == null || Arrays.asList(allowed).contains(value), path,
                "must be " + (allowed.length == 1 ? "" : "one of ") + String.join(", ", allowed)
                        + (value == null ? "" : "; is " + quoted(value)));
    }

    private boolean required(String path, Object value) {
        expect(value != null, path, "is required");
        return value != null;
    }

    private void expect(boolean holds, String path, String message) {
        if (!holds && issues.size() < MAX_ISSUES) {
            issues.add(new RulesetIssue(path, message));
        } else if (!holds && issues.size() == MAX_ISSUES) {
            issues.add(new RulesetIssue("", "has more issues than these"));
        }
    }

    private interface Check<V> {
        void accept(String path, V value);
    }
}
