package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Objects in the notation of the wire contract: {@code "total num"} is a required field, {@code "email str~"} a
 * required field that may be null. An optional field is listed only if it is expected, because an additional field
 * fails.
 */
final class JsonShape {

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.]\\d{3}Z");
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    private JsonShape() {}

    static void assertObject(JsonNode object, String... fields) {
        assertTrue(object.isObject(), () -> "not an object: " + object);
        Set<String> expected =
                Arrays.stream(fields).map(field -> field.split(" ")[0]).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(expected, new TreeSet<>(object.propertyNames()), object::toString);
        for (String field : fields) {
            String[] parts = field.split(" ");
            assertType(object.get(parts[0]), parts[1], field + " in " + object);
        }
    }

    private static void assertType(JsonNode value, String type, String where) {
        if (type.endsWith("~") && value.isNull()) {
            return;
        }
        boolean fits = switch (type.replace("~", "")) {
            case "str" -> value.isString();
            case "bool" -> value.isBoolean();
            // An integral number must not come as 12.0: some clients read it strictly.
            case "int" -> value.isIntegralNumber();
            case "num" ->
                value.isNumber()
                        && (value.isIntegralNumber()
                                || value.decimalValue().stripTrailingZeros().scale() > 0);
            case "dt" -> value.isString() && TIME.matcher(value.stringValue()).matches();
            case "date" -> value.isString() && LocalDate.parse(value.stringValue()) != null;
            case "uuid" -> value.isString() && UUID.matcher(value.stringValue()).matches();
            case "list" -> value.isArray();
            case "map" -> value.isObject();
            default -> throw new IllegalArgumentException("no type of the contract: " + type);
        };
        assertTrue(fits, where);
    }
}
