package dev.laurel.processors.core.compare;

import dev.laurel.processors.TestRulesets;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.math.BigDecimal;
import java.time.LocalDate;
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
