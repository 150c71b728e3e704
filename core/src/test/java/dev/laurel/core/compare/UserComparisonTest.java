package dev.laurel.core.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.laurel.core.compare.UserComparison.Difference;
import dev.laurel.schemas.key.UserKey;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

final class UserComparisonTest {

    private static final UserKey USER = UserKey.of("swimmer-77");

    @TestFactory
    Stream<DynamicTest> shouldFindTheDifferences() throws IOException {
        try (InputStream in = UserComparisonTest.class.getResourceAsStream("/compare/users.yaml")) {
            JsonNode cases = WrittenUsers.yaml(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            return StreamSupport.stream(cases.spliterator(), false).toList().stream()
                    .map(it -> dynamicTest(it.get("name").asString(), () -> expect(it)));
        }
    }

    private static void expect(JsonNode written) {
        UserComparison comparison = UserComparison.of(
                USER, WrittenUsers.facts(written.get("before")), WrittenUsers.facts(written.get("after")));

        List<String> expected = StreamSupport.stream(written.get("expect").spliterator(), false)
                .map(JsonNode::asString)
                .toList();
        assertEquals(
                expected,
                comparison.differences().stream().map(Difference::toString).toList());
        assertEquals(expected.isEmpty(), comparison.isSame());
        assertEquals(written.has("overtaken"), comparison.isOnlyOvertaken());
    }

    @Test
    void shouldPutTheLargestDifferenceFirst() {
        List<UserComparison> users = List.of(
                of("few-points", "{points: {10: [gems, 90, null, 0]}}"),
                of("b-streak", "{streak: [9, DAILY, 2026-11-20, 2026-11-29]}"),
                of("a-streak", "{streak: [9, DAILY, 2026-11-20, 2026-11-29]}"),
                of("more-points", "{points: {10: [gems, 5, null, 0], 11: [pearls, 95, null, 0]}}"),
                of("achievement", "{achievements: {20: forty-laps}}"));

        assertEquals(
                List.of("more-points", "few-points", "achievement", "a-streak", "b-streak"),
                users.stream()
                        .sorted(UserComparison.LARGEST_FIRST)
                        .map(it -> it.user().text())
                        .toList());
    }

    private static UserComparison of(String user, String after) {
        return UserComparison.of(
                UserKey.of(user),
                WrittenUsers.facts(WrittenUsers.yaml("{}")),
                WrittenUsers.facts(WrittenUsers.yaml(after)));
    }
}
