package dev.laurel.core.compare;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.compare.ComparedUser.Kind;
import dev.laurel.core.compare.ComparedUser.Subject;
import dev.laurel.core.compare.ComparedUser.Value;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Random;
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
        var values = new TreeMap<Subject, Value>(Map.of(new Subject(Kind.USER, 0), new ComparedUser.Exists()));
        each(
                values,
                Kind.METRIC,
                user.get("metrics"),
                it -> new ComparedUser.Total(it.get(0).asString(), number(it.get(1))));
        each(
                values,
                Kind.POINTS,
                user.get("points"),
                it -> new ComparedUser.Points(
                        it.get(0).asString(),
                        it.get(1).asLong(),
                        it.get(2).isNull() ? null : it.get(2).asString()));
        each(values, Kind.ACHIEVEMENT, user.get("achievements"), it -> new ComparedUser.Completed(it.asString()));
        JsonNode streak = user.get("streak");
        if (streak != null) {
            values.put(
                    new Subject(Kind.STREAK, 0),
                    new ComparedUser.Streak(
                            streak.get(0).asInt(),
                            StreakFrequency.valueOf(streak.get(1).asString()),
                            LocalDate.parse(streak.get(2).asString()),
                            LocalDate.parse(streak.get(3).asString())));
        }
        each(
                values,
                Kind.PLACE,
                user.get("entries"),
                it -> new ComparedUser.Entry(
                        it.get(0).asString(),
                        StreamSupport.stream(it.get(1).spliterator(), false)
                                .map(JsonNode::asString)
                                .toList(),
                        it.get(2).asInt(),
                        number(it.get(3))));
        return new ComparedUser(values);
    }

    /** Null: the user does not exist. */
    static ComparedUser random(Random random) {
        if (random.nextInt(8) == 0) {
            return null;
        }
        var values = new TreeMap<Subject, Value>();
        for (int object = 1; object <= 3; object++) {
            int number = random.nextInt(4);
            if (number > 0) {
                values.put(
                        new Subject(Kind.POINTS, object),
                        new ComparedUser.Points(
                                "system-" + object, 17L * number * object, number == 1 ? null : "level-" + number));
                values.put(
                        new Subject(Kind.METRIC, object),
                        new ComparedUser.Total("metric-" + object, BigDecimal.valueOf(number * 25L, number)));
                values.put(
                        new Subject(Kind.PLACE, object),
                        new ComparedUser.Entry(
                                "board-" + object,
                                number == 2 ? List.of("Turku") : List.of(),
                                random.nextInt(3),
                                BigDecimal.valueOf(object)));
            }
            if (number % 2 == 0) {
                values.put(new Subject(Kind.ACHIEVEMENT, object), new ComparedUser.Completed("achievement-" + object));
            }
        }
        boolean isOnlyRanked = random.nextInt(4) == 0;
        int length = isOnlyRanked ? 0 : random.nextInt(4);
        if (isOnlyRanked) { // Users whose rank is all that can differ.
            values.clear();
            values.put(
                    new Subject(Kind.PLACE, 9),
                    new ComparedUser.Entry("club", List.of(), 1 + random.nextInt(9), BigDecimal.TEN));
        }
        if (length > 0) {
            values.put(
                    new Subject(Kind.STREAK, 0),
                    new ComparedUser.Streak(
                            length,
                            StreakFrequency.DAILY,
                            LocalDate.of(2026, 11, 20 + length),
                            LocalDate.of(2026, 11, 27)));
        }
        values.put(new Subject(Kind.USER, 0), new ComparedUser.Exists());
        return new ComparedUser(values);
    }

    private static BigDecimal number(JsonNode node) {
        return new BigDecimal(node.asString());
    }

    private static void each(Map<Subject, Value> values, Kind kind, JsonNode objects, Function<JsonNode, Value> read) {
        if (objects != null) {
            objects.properties()
                    .forEach(entry -> values.put(
                            new Subject(kind, Integer.parseInt(entry.getKey())), read.apply(entry.getValue())));
        }
    }
}
