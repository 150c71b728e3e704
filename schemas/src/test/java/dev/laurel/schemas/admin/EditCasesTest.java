package dev.laurel.schemas.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.edit.Edit.SettingsKind;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Runs the cases of {@code edits.yaml}: edits in sequence, with their whole answers. A step has the operation and the kind of objects, as
 * {@code create: level}, the system {@code of} which they are, what is sent ({@code items}, {@code ids} or {@code fields}), and the
 * {@code answer}, in which errors may be by the index of their item; without one, nothing is refused. {@code at} moves the clock before
 * it. A patch of settings has the {@code changes} of what was shown before, or the {@code error}; without changes it makes no version.
 */
final class EditCasesTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern ID = Pattern.compile("\\$(\\d+)");

    @TestFactory
    Stream<DynamicTest> shouldAnswerAsTheCasesSay() throws IOException {
        try (InputStream in = EditCasesTest.class.getResourceAsStream("edits.yaml")) {
            String text = ID.matcher(new String(in.readAllBytes(), UTF_8))
                    .replaceAll(found ->
                            AdminEdits.id(Integer.parseInt(found.group(1))).toString());
            return YAMLMapper.shared()
                    .readTree(text)
                    .valueStream()
                    .flatMap(group -> group.get("cases")
                            .valueStream()
                            .map(one -> DynamicTest.dynamicTest(
                                    group.get("group").stringValue() + ": "
                                            + one.get("case").stringValue(),
                                    () -> run(group, one))));
        }
    }

    private static void run(JsonNode group, JsonNode one) {
        var edits = new AdminEdits();
        if (group.has("rules")) {
            edits.replace(group.get("rules").toString());
        }
        one.get("steps").forEach(step -> step(edits, step));
    }

    private static void step(AdminEdits edits, JsonNode step) {
        if (step.has("at")) {
            edits.now = Instant.parse(step.get("at").stringValue());
        }
        String operation = step.propertyNames().iterator().next();
        if (operation.equals("replace")) {
            edits.replace(step.get("replace").toString());
            return;
        }
        String kind = step.get(operation).stringValue().toUpperCase(Locale.ROOT).replace('-', '_');
        if (operation.equals("patch")) {
            patch(edits, SettingsKind.valueOf(kind), step);
            return;
        }
        String answer = operation.equals("show")
                ? edits.show(SettingsKind.valueOf(kind))
                : change(edits, operation, ObjectKind.valueOf(kind), step);
        if (step.has("answer")) {
            assertEquals(quoted(withWholeIssues(step.get("answer"))), answer, step::toString);
        } else {
            assertTrue(answer.endsWith("'issues':[]}"), answer);
        }
    }

    private static JsonNode withWholeIssues(JsonNode answer) {
        if (answer instanceof ObjectNode whole && whole.path("issues").isObject()) {
            ArrayNode issues = JSON.createArrayNode();
            whole.get("issues")
                    .properties()
                    .forEach(issue -> issues.addObject()
                            .put("severity", "error")
                            .put("message", issue.getValue().stringValue())
                            .put("index", Integer.parseInt(issue.getKey())));
            whole.set("issues", issues);
        }
        return answer;
    }

    private static String change(AdminEdits edits, String operation, ObjectKind kind, JsonNode step) {
        UUID parent = step.has("of") ? UUID.fromString(step.get("of").stringValue()) : null;
        return switch (operation) {
            case "create" -> edits.create(kind, parent, step.get("items").toString());
            case "update" -> edits.update(kind, parent, step.get("items").toString());
            case "list" -> edits.list(kind, parent);
            case "delete" ->
                edits.delete(
                        kind,
                        parent,
                        step.get("ids")
                                .valueStream()
                                .map(id -> UUID.fromString(id.stringValue()))
                                .toArray(UUID[]::new));
            default -> throw new IllegalArgumentException(operation);
        };
    }

    private static void patch(AdminEdits edits, SettingsKind kind, JsonNode step) {
        long version = edits.ruleset.version();
        String before = edits.show(kind);

        String answer = edits.patch(kind, step.get("fields").toString());

        if (step.has("error")) {
            assertEquals("422 {'error':'" + step.get("error").stringValue() + "'}", answer);
            assertEquals(before, edits.show(kind));
        } else {
            var expected = (ObjectNode) JSON.readTree(before.replace('\'', '"'));
            step.get("changes").properties().forEach(change -> expected.set(change.getKey(), change.getValue()));
            assertEquals("200 " + quoted(expected), answer, step::toString);
            assertEquals(quoted(expected), edits.show(kind));
            assertTrue(
                    !step.get("changes").isEmpty() || edits.ruleset.version() == version, "a version without changes");
        }
    }

    private static String quoted(JsonNode json) {
        return json.toString().replace('"', '\'');
    }
}
