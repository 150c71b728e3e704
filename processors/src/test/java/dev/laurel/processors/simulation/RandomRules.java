package dev.laurel.processors.simulation;

import dev.laurel.core.TestRulesets;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Achievement.AchievementStatus;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.serde.Json;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Makes a sequence of rulesets. In each, some parts of the one before are changed, removed or added again, with all features
 * ({@link Workload.Kind#RICH}) or with those of {@link SimulationModel} ({@code PLAIN}).
 */
final class RandomRules {

    static final List<String> METRICS = List.of("laps", "litres", "falls");
    static final List<String> SYSTEMS = List.of("xp", "coins");
    static final List<String> VALUES = List.of("a", "b");
    private static final int ACHIEVEMENTS = 11;
    private static final int TRIGGERS = 6;

    private final Dice dice;
    private final boolean isPlain;
    private final String frequency;
    private final List<Integer> daysOff;
    private final Map<String, Map<String, Object>> achievements = new LinkedHashMap<>();
    private final Map<String, Map<String, Object>> systems = new LinkedHashMap<>();
    private final RandomMessages messages;
    private Map<String, Object> streak;
    private Map<String, Object> settings;
    private Ruleset current = Ruleset.empty(TenantId.NONE);
    private LocalDate today;

    RandomRules(Dice dice, Workload.Kind kind) {
        this.dice = dice;
        this.isPlain = kind == Workload.Kind.PLAIN;
        this.messages = new RandomMessages(dice);
        this.frequency = dice.pick("daily", "daily", "weekly", "monthly");
        this.daysOff = daysOff();
    }

    /** The next ruleset's source, which is sometimes invalid. The next one is then based on the last valid one. */
    String next(Instant at) {
        return next(at, this::changeAll);
    }

    /** Like {@link #next}, but only one part of the ruleset changes, as by an edit. */
    String edit(Instant at) {
        return next(at, this::changeOne);
    }

    private String next(Instant at, Runnable change) {
        today = at.atZone(ZoneOffset.UTC).toLocalDate();
        var achievementsBefore = new LinkedHashMap<>(achievements);
        var systemsBefore = new LinkedHashMap<>(systems);
        Map<String, Object> streakBefore = streak;
        Map<String, Object> settingsBefore = settings;
        change.run();
        String source = Json.mapperForTools().writeValueAsString(source());
        var parsed = TestRulesets.source(source);
        if (RulesetEditor.apply(current, parsed, at) instanceof RulesetEditor.Result.Changed(Ruleset changed)) {
            current = changed;
        } else {
            restore(achievements, achievementsBefore);
            restore(systems, systemsBefore);
            streak = streakBefore;
            settings = settingsBefore;
        }
        return source;
    }

    private static <K, V> void restore(Map<K, V> map, Map<K, V> before) {
        map.clear();
        map.putAll(before);
    }

    private void changeAll() {
        boolean isFirst = current.version() == 0;
        for (int i = 0; i < ACHIEVEMENTS; i++) {
            int index = i;
            if (isAnniversary(i) && isPlain && !isFirst) {
                continue; // the model has one rule for them
            }
            change(achievements, "a" + i, isFirst ? 70 : 25, () -> achievement(index));
        }
        for (String system : SYSTEMS) {
            change(systems, system, isFirst ? 100 : 40, () -> system(system));
        }
        if (streak == null || dice.percent(25)) {
            streak = streak();
        }
        if (settings == null || !isPlain && dice.percent(15)) {
            settings = settings();
        }
        if (!isPlain) {
            messages.change(isFirst);
        }
    }

    private void changeOne() {
        int roll = dice.below(100);
        if (roll < 40) {
            int index = dice.below(ACHIEVEMENTS);
            change(achievements, "a" + index, 100, () -> achievement(index));
        } else if (roll < 65 && !achievements.isEmpty()) {
            String key = dice.pick(List.copyOf(achievements.keySet()));
            var renamed = new LinkedHashMap<>(achievements.get(key));
            renamed.put("name", "Name " + dice.below(1000));
            achievements.put(key, renamed);
        } else if (roll < 87) {
            String system = dice.pick(SYSTEMS);
            change(systems, system, 100, () -> system(system));
        } else if (roll < 91) {
            streak = streak();
        } else if (roll < 93) {
            settings = settings();
        } else {
            messages.change(false);
        }
    }

    /** Changes an entry with this probability, and removes it with a small one. */
    private <V> void change(Map<String, V> entries, String key, int percent, Supplier<V> made) {
        if (dice.percent(percent)) {
            entries.put(key, made.get());
        } else if (dice.percent(3) && !isPlain) {
            entries.remove(key);
        }
    }

    private Map<String, Object> source() {
        var metrics = new LinkedHashMap<String, Object>();
        METRICS.forEach(metric -> metrics.put(metric, Map.of()));
        var source = new LinkedHashMap<String, Object>();
        source.put("metrics", metrics);
        if (isPlain) {
            source.put("attributes", Map.of("user", Map.of("city", Map.of())));
        } else {
            source.put("attributes", Map.of("user", Map.of("city", Map.of()), "event", Map.of("pool", Map.of())));
        }
        source.put("achievements", achievements);
        source.put("points", systems);
        source.put("streak", streak);
        source.put("settings", settings);
        if (!isPlain) {
            source.put("notifications", messages.notifications());
            source.put("webhooks", messages.webhooks());
        }
        return source;
    }

    // Achievements: the last digit of the key determines its trigger, so that most changes are valid.

    private Map<String, Object> achievement(int index) {
        String key = "a" + index;
        var a = new LinkedHashMap<String, Object>();
        switch (index) {
            case 0, 1, 2 -> {
                a.put("trigger", "metric");
                a.put("metric", dice.pick(METRICS));
                a.put("value", new BigDecimal(dice.pick("0.5", "3", "10", "25", "60")));
                if (index == 2) {
                    filter(a, "eventAttributes", "pool", 80);
                }
            }
            case 3, 4 -> {
                a.put("trigger", "streak");
                a.put("streakLength", 1 + dice.below(6));
            }
            case 5, 6 -> a.put("trigger", "api");
            case 9, 10 -> {
                a.put("trigger", "anniversary");
                a.put("anniversaryYears", 1 + dice.below(3));
            }
            default -> {
                a.put("trigger", "achievement");
                a.put("achievements", prerequisites(index));
            }
        }
        a.put("status", isAnniversary(index) && isPlain ? "active" : status(key));
        if (dice.percent(25)) {
            a.put("userAttributes", Map.of("city", dice.pick(VALUES)));
        }
        if (dice.percent(30)) {
            a.put("backdate", false);
        }
        return a;
    }

    private String status(String key) {
        if (dice.percent(1)) {
            return dice.pick("inactive", "active", "locked");
        }
        boolean isOpen = current.achievements().stream()
                .anyMatch(a -> a.key().equals(key) && a.status() != AchievementStatus.INACTIVE);
        return isOpen ? dice.pick("active", "active", "locked") : dice.pick("active", "active", "inactive");
    }

    private static boolean isAnniversary(int index) {
        return index >= 9;
    }

    private List<String> prerequisites(int index) {
        var keys = new ArrayList<String>();
        if (!isPlain && achievements.containsKey("a9") && dice.percent(35)) {
            keys.add("a9");
        }
        for (int i = 0; i < index; i++) {
            if (achievements.containsKey("a" + i) && dice.percent(35)) {
                keys.add("a" + i);
            }
        }
        if (keys.isEmpty()) {
            keys.add(
                    achievements.isEmpty()
                            ? "a0"
                            : achievements.keySet().iterator().next());
        }
        return keys;
    }

    private void filter(Map<String, Object> object, String field, String attribute, int percent) {
        if (!isPlain && dice.percent(percent)) {
            object.put(field, Map.of(attribute, dice.pick(VALUES)));
        }
    }

    // Points.

    private Map<String, Object> system(String key) {
        Map<String, Object> before = systems.getOrDefault(key, Map.of());
        var system = new LinkedHashMap<String, Object>();
        if (dice.percent(40)) {
            system.put("maxPoints", 1 + dice.below(150));
        }
        if (dice.percent(30)) {
            system.put("levelAt", "reaches");
        }
        var levels = new LinkedHashMap<String, Object>();
        for (int i = dice.below(4); i > 0; i--) {
            levels.put("l" + i, Map.of("points", i * (5 + dice.below(3)) - 5));
        }
        system.put("levels", levels);
        if (!isPlain) {
            system.put("boosts", entriesOf(before, "boosts", "b", 3, _ -> boost()));
        }
        system.put("triggers", entriesOf(before, "triggers", "t", TRIGGERS, this::trigger));
        return system;
    }

    private interface Maker {
        Map<String, Object> make(int index);
    }

    /** Entries, most of them as before. */
    private Map<String, Object> entriesOf(
            Map<String, Object> owner, String field, String prefix, int max, Maker maker) {
        Map<?, ?> before = (Map<?, ?>) owner.getOrDefault(field, Map.of());
        var entries = new LinkedHashMap<String, Object>();
        for (int i = 0; i < max; i++) {
            String key = prefix + i;
            if (before.containsKey(key) && dice.percent(65)) {
                entries.put(key, before.get(key));
            } else if (dice.percent(70)) {
                entries.put(key, maker.make(i));
            }
        }
        return entries;
    }

    private Map<String, Object> boost() {
        var boost = new LinkedHashMap<String, Object>();
        LocalDate start = today.plusDays(dice.below(9) - 4);
        boost.put("start", start.toString());
        if (dice.percent(70)) {
            boost.put("end", start.plusDays(dice.below(8)).toString());
        }
        boost.put("multiplier", new BigDecimal(dice.pick("0.1", "0.5", "1.5", "2", "3.333333333", "10")));
        boost.put("rounding", dice.pick("down", "up", "nearest"));
        filter(boost, "userAttributes", "city", 30);
        return boost;
    }

    private Map<String, Object> trigger(int index) {
        var trigger = new LinkedHashMap<String, Object>();
        String type = isPlain
                ? dice.pick("metric", "metric", "metric", "user_creation")
                : dice.pick("metric", "metric", "achievement", "streak", "time", "user_creation");
        if (type.equals("achievement") && achievements.isEmpty()) {
            type = "metric";
        }
        trigger.put("type", type);
        switch (type) {
            case "metric" -> {
                trigger.put("metric", dice.pick(METRICS));
                trigger.put("threshold", 1 + dice.below(8));
                filter(trigger, "eventAttributes", "pool", 30);
            }
            case "achievement" -> trigger.put("achievement", dice.pick(List.copyOf(achievements.keySet())));
            case "streak" -> trigger.put("streakLength", 1 + dice.below(6));
            case "time" -> {
                boolean isHours = dice.percent(50);
                trigger.put("timeUnit", isHours ? "hours" : "days");
                trigger.put("timeInterval", isHours ? 5 + dice.below(40) : 1 + dice.below(9));
            }
            default -> {
                // a creation needs nothing
            }
        }
        int points = dice.percent(25) ? -1 - dice.below(6) : 1 + dice.below(9);
        trigger.put("points", points);
        if (type.equals("metric") && points < 0 && dice.percent(40)) {
            trigger.put("blockIfOutOfPoints", true);
        }
        if (dice.percent(8)) {
            trigger.put("status", "inactive");
        }
        filter(trigger, "userAttributes", "city", 20);
        return trigger;
    }

    // Streaks and settings.

    private Map<String, Object> streak() {
        var s = new LinkedHashMap<String, Object>();
        s.put("frequency", isPlain ? frequency : dice.pick("daily", "daily", "daily", "weekly", "monthly"));
        s.put("evaluationMode", dice.pick("AND", "OR"));
        var metrics = new LinkedHashMap<String, Object>();
        METRICS.stream()
                .filter(_ -> dice.percent(35))
                .forEach(metric -> metrics.put(metric, new BigDecimal(dice.pick("0.1", "1", "2", "5"))));
        s.put("metrics", metrics);
        if (s.get("frequency").equals("daily")) {
            s.put("daysOff", isPlain ? daysOff : daysOff());
        }
        if (!isPlain) {
            s.put("enabled", !dice.percent(7));
            freezes(s);
            s.put("personalizationEnabled", dice.percent(60));
            if (dice.percent(50)) {
                s.put("personalizationMetrics", Map.of(dice.pick(METRICS), Map.of("min", 1, "max", 5)));
            }
        }
        return s;
    }

    /** Weekdays off, at most six. */
    List<Integer> daysOff() {
        int share = dice.pick(0, 25, 25, 50, 85);
        return IntStream.range(0, 7)
                .filter(_ -> dice.percent(share))
                .limit(6)
                .boxed()
                .toList();
    }

    private void freezes(Map<String, Object> s) {
        s.put("freezesEnabled", dice.percent(65));
        int max = 1 + dice.below(5);
        s.put("initialFreezes", Math.min(max, dice.below(4)));
        s.put("maxFreezes", max);
        if (dice.percent(60)) {
            s.put("freezeAutoEarnInterval", 1 + dice.below(10));
            s.put("freezeAutoEarnAmount", 1 + dice.below(3));
        }
    }

    private Map<String, Object> settings() {
        var s = new LinkedHashMap<String, Object>();
        s.put("defaultTimeZone", dice.pick(Workload.ZONES));
        s.put("weekStartsOn", dice.pick("sunday", "monday"));
        s.put("controlRatio", dice.pick(0, 30, 100));
        s.put("messageTimeZone", dice.pick(Workload.ZONES));
        return s;
    }
}
