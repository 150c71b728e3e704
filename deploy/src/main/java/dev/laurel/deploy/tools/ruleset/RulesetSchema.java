package dev.laurel.deploy.tools.ruleset;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.laurel.platform.command.LocalFiles;
import dev.laurel.schemas.input.NearestName;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.serde.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;

/**
 * Validates the structure of a document by the JSON Schema of {@code laurel.yaml}: its fields and their types.
 * Describes problems for people. Thread-safe.
 */
final class RulesetSchema {

    /** Name of the schema and of its resource on a server. */
    static final String FILE = "laurel-ruleset.schema.json";

    private final JsonNode json;
    private final Schema schema;

    private RulesetSchema(JsonNode json) {
        this.json = json;
        this.schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(json.toString(), InputFormat.JSON);
    }

    static RulesetSchema load() {
        // Loaded by a class of the module that contains the resource.
        return new RulesetSchema(
                Json.mapperForTools().readTree(LocalFiles.resource(Json.class, "/dev/laurel/schemas/json/" + FILE)));
    }

    /**
     * A violation of the schema.
     *
     * @param structural whether the document cannot be read as a ruleset; otherwise it concerns ranges and
     * references, which the validator describes better
     */
    record Finding(Issue issue, boolean structural) {}

    List<Finding> check(JsonNode document) {
        var findings = new ArrayList<Finding>();
        for (Error error : schema.validate(document)) {
            if (!isEmptyField(error)) {
                findings.add(finding(error));
            }
        }
        return findings.stream().distinct().toList();
    }

    /** An empty field counts as absent, except for a threshold, which is required. */
    private static boolean isEmptyField(Error error) {
        return error.getKeyword().equals("type")
                && error.getInstanceNode().isNull()
                && !error.getInstanceLocation().toString().startsWith("/streak/metrics/");
    }

    private Finding finding(Error error) {
        String path = error.getInstanceLocation().toString();
        return switch (error.getKeyword()) {
            case "type" -> new Finding(new Issue(path, wrongType(error)), true);
            case "additionalProperties" -> {
                String field = error.getProperty();
                var issue = new Issue(path + "/" + YamlDocument.escape(field), unknownField(error, field));
                yield new Finding(issue, true);
            }
            case "required" -> new Finding(new Issue(path + "/" + error.getProperty(), "is required"), false);
            case "pattern" ->
                isId(error)
                        ? new Finding(new Issue(path, "must be a UUID, is " + describe(error.getInstanceNode())), true)
                        : new Finding(new Issue(path, text(error)), false);
            case "minimum", "maximum" -> range(error, path);
            default -> new Finding(new Issue(path, text(error)), false);
        };
    }

    private static boolean isId(Error error) {
        return error.getSchemaLocation().getFragment().toString().startsWith("/$defs/id/");
    }

    /** A whole number out of range may not fit the type of the field. */
    private Finding range(Error error, String path) {
        JsonNode rule = json.at(pointer(error).head());
        if (!rule.path("type").asString().equals("integer")) {
            return new Finding(new Issue(path, text(error)), false);
        }
        String range =
                rule.get("minimum").asString() + " to " + rule.get("maximum").asString();
        return new Finding(new Issue(path, "must be a whole number from " + range), true);
    }

    /** Removes the location from the message, because a problem has its own. */
    private static String text(Error error) {
        String message = error.getMessage();
        String location = error.getInstanceLocation() + ": ";
        return message.startsWith(location) ? message.substring(location.length()) : message;
    }

    private String wrongType(Error error) {
        JsonNode types = json.at(pointer(error));
        String expected = (types.isArray() ? types.get(0) : types).asString();
        JsonNode found = error.getInstanceNode();
        String hint = expected.equals("string") && found.isValueNode() ? "; put it in quotes" : "";
        return "must be " + nameOf(expected) + ", is " + describe(found) + hint;
    }

    private static String nameOf(String type) {
        return switch (type) {
            case "object" -> "a map of names to values";
            case "integer" -> "a whole number";
            case "number" -> "a number";
            case "boolean" -> "true or false";
            case "array" -> "a list";
            default -> "a text";
        };
    }

    private static String describe(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "a map";
            case ARRAY -> "a list";
            case NULL -> "empty";
            case STRING -> "the text '" + cut(value.asString()) + "'";
            default -> cut(value.asString());
        };
    }

    private static String cut(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    private String unknownField(Error error, String field) {
        JsonNode properties = json.at(pointer(error).head()).path("properties");
        List<String> allowed = List.copyOf(properties.propertyNames());
        String nearest = NearestName.of(field, allowed);
        return "is not a field here" + (nearest == null ? "" : ", did you mean '" + nearest + "'?") + "; fields: "
                + String.join(", ", allowed);
    }

    /** Returns the location of the violated keyword in the schema. */
    private static JsonPointer pointer(Error error) {
        return JsonPointer.compile(error.getSchemaLocation().getFragment().toString());
    }
}
