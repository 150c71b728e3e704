package dev.laurel.core.compare;

import dev.laurel.core.TestRulesets;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Reads the users of {@code users.yaml}. */
final class WrittenUsers {

    private WrittenUsers() {}

    static JsonNode yaml(String text) {
        return TestRulesets.YAML.readTree(text);
    }

    /** Null: the user does not exist. */
    static ComparedUser facts(JsonNode user) {
        if (user == null || user.isNull()) {
            return null;
        }
        JsonNode streak = user.get("streak");
        return new ComparedUser(
                each(user.get("metrics"), it -> new ComparedUser.Total(it.get(0).asString(), number(it.get(1)))),
                each(user.get("points"), it -> new ComparedUser.Points(it.get(0).asString(), it.get(1).asLong(),
                        it.get(2).isNull() ? null : it.get(2).asString(), it.get(3).asInt())),
                each(user.get("achievements"), JsonNode::asString),
                streak == null
                        ? null
                        : new ComparedUser.Streak(streak.get(0).asInt(),
                                StreakFrequency.valueOf(streak.get(1).asString()),
                                LocalDate.parse(streak.get(2).asString()), LocalDate.parse(streak.get(3).asString())),
                each(user.get("entries"), it -> new ComparedUser.Entry(it.get(0).asString(),
                        StreamSupport.stream(it.get(1).spliterator(), false).map(JsonNode::asString).toList(),
                        it.get(2).asInt(), number(it.get(3)))));
    }

    /** Null: the user does not exist. */
    static ComparedUser random(Random random) {
        if (random.nextInt(8) == 0) {
            return null;
        }
        var points = new TreeMap<Integer, ComparedUser.Points>();
        var achievements = new TreeMap<Integer, String>();
        var entries = new TreeMap<Integer, ComparedUser.Entry>();
        var metrics = new TreeMap<Integer, ComparedUser.Total>();
        for (int object = 1; object <= 3; object++) {
            int number = random.nextInt(4);
            if (number > 0) {
                points.put(object, new ComparedUser.Points("system-" + object, 17L * number * object,
                        number == 1 ? null : "level-" + number, number));
                metrics.put(object,
                        new ComparedUser.Total("metric-" + object, BigDecimal.valueOf(number * 25L, number)));
                entries.put(object, new ComparedUser.Entry("board-" + object,
                        number == 2 ? List.of("Turku") : List.of(), random.nextInt(3), BigDecimal.valueOf(object)));
            }
            if (number % 2 == 0) {
                achievements.put(object, "achievement-" + object);
            }
        }
        if (random.nextInt(4) == 0) { // Users whose rank is all that can differ.
            points.clear();
            achievements.clear();
            metrics.clear();
            entries.clear();
            entries.put(9, new ComparedUser.Entry("club", List.of(), 1 + random.nextInt(9), BigDecimal.TEN));
            return new ComparedUser(metrics, points, achievements, null, entries);
        }
        int length = random.nextInt(4);
        return new ComparedUser(metrics, points, achievements, length == 0
                ? null
                : new ComparedUser.Streak(length, StreakFrequency.DAILY, LocalDate.of(2026, 11, 20 + length),
                        LocalDate.of(2026, 11, 27)),
                entries);
    }

    private static BigDecimal number(JsonNode node) {
        return new BigDecimal(node.asString());
    }

    private static <T> SortedMap<Integer, T> each(JsonNode objects, Function<JsonNode, T> read) {
        var found = new TreeMap<Integer, T>();
        if (objects != null) {
            objects.properties().forEach(entry -> found.put(Integer.valueOf(entry.getKey()),
                    read.apply(entry.getValue())));
        }
        return found;
    }
}
