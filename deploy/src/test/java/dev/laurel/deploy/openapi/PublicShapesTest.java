package dev.laurel.deploy.openapi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests that the shapes of the public contract cover both documents, and that a changed answer cannot be decoded. */
final class PublicShapesTest {

    private static final PublicShapes SHAPES = PublicShapes.V1_26;

    @Test
    void shouldNameEveryOperationOnce() {
        Set<String> documented = OpenApiDocument.all().stream()
                .flatMap(document -> document.operations().stream()
                        .map(operation ->
                                (document == OpenApiDocument.ADMIN ? "admin " : "application ") + operation.id()))
                .collect(Collectors.toCollection(TreeSet::new));
        List<String> twice = OpenApiDocument.all().stream()
                .flatMap(document -> document.operations().stream())
                .filter(operation ->
                        SHAPES.isOurs(operation) && !SHAPES.answerOf(operation).isMissingNode())
                .map(Operation::name)
                .toList();

        assertEquals(documented, SHAPES.operations());
        assertEquals(List.of(), twice);
    }

    /** Every required field of the worked examples, without it and with null. */
    @ParameterizedTest
    @CsvSource({
        "event, recordEvent",
        "user, getUser",
        "preferences, getPreferences",
        "streak, getUserStreak",
        "userPoints, getUserPoints",
        "userLeaderboard, getUserLeaderboard",
        "wrapped, getUserWrapped",
        "summary, countUsersByPoints",
        "leaderboard, getLeaderboard",
        "created, createMetrics"
    })
    void shouldDecodeExamplesAndMissWhatIsRequired(String name, String operationId) throws IOException {
        JsonNode example = example(name);
        assertEquals(List.of(), problems(operationId, example));
        Set<String> required = OpenApiDocument.all().stream()
                .flatMap(document -> document.operations().stream())
                .filter(operation -> operation.id().equals(operationId))
                .map(SHAPES::answerOf)
                .filter(answer -> !answer.isMissingNode())
                .findFirst()
                .map(SHAPES::requiredFields)
                .orElseThrow();

        var accepted = new ArrayList<String>();
        for (String field : required) {
            JsonNode without = example.deepCopy();
            ((ObjectNode) (without.isArray() ? without.get(0) : without)).remove(field);
            JsonNode withNull = example.deepCopy();
            ((ObjectNode) (withNull.isArray() ? withNull.get(0) : withNull)).putNull(field);
            if (problems(operationId, without).isEmpty()
                    || problems(operationId, withNull).isEmpty()) {
                accepted.add(field);
            }
        }
        assertEquals(List.of(), accepted);
        assertEquals(false, required.isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "event|recordEvent|/currentStreak/frequency|\"hourly\"",
                "event|recordEvent|/currentStreak/length|3.5",
                "event|recordEvent|/total|\"42.5\"",
                "event|recordEvent|/achievements|{}",
                "event|recordEvent|/points|[]",
                "event|recordEvent|/achievements/0/trigger|\"birthday\"",
                "user|getUser|/signUpDate|\"2026-02-30\"",
                "user|getUser|/created|\"2026-03-04\"",
                "user|getUser|/control|\"no\"",
                "user|getUser|/attributes|{\"plan\": 1}",
                "leaderboard|getLeaderboard|/maxParticipants|1001",
                "leaderboard|getLeaderboard|/rankings/0/rank|10000000000000000",
                "leaderboard|getLeaderboard|/rankings/0/rank|0",
                "preferences|getPreferences|/notifications/recap|[\"fax\"]",
                "wrapped|getUserWrapped|/activity/mostActiveMonth/month|12",
                "created|createMetrics|/issues/0/severity|\"fatal\""
            })
    void shouldNotDecodeWhatTheContractDoesNotHave(String name, String operationId, String place, String value)
            throws IOException {
        JsonNode example = example(name);
        int last = place.lastIndexOf('/');
        ((ObjectNode) example.at(place.substring(0, last)))
                .set(place.substring(last + 1), Json.mapperForTools().readTree(value));

        List<String> problems = problems(operationId, example);

        assertEquals(1, problems.size(), problems::toString);
        assertEquals(true, problems.getFirst().startsWith(place), problems::toString);
    }

    private static List<String> problems(String operationId, JsonNode body) {
        Operation operation = OpenApiDocument.all().stream()
                .flatMap(document -> document.operations().stream())
                .filter(candidate -> candidate.id().equals(operationId)
                        && !SHAPES.answerOf(candidate).isMissingNode())
                .findFirst()
                .orElseThrow();
        return SHAPES.problemsOf(operation, body, new HashSet<>());
    }

    private static JsonNode example(String name) throws IOException {
        try (InputStream in = PublicShapesTest.class.getResourceAsStream("/worked-examples/" + name + ".json")) {
            return Json.mapperForTools().readTree(in);
        }
    }
}
