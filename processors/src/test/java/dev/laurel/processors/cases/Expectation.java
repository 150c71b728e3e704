package dev.laurel.processors.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Compares an expected with an actual value: an object must have the named fields and may have more, a list must have exactly
 * the entries, numbers and times are equal by value, {@code <absent>} means that the field is absent, and {@code <id NAME>}
 * is any text, the same one for the same name and different ones for different names. One for each case.
 */
final class Expectation {

    private static final String ABSENT = "<absent>";

    private static final String ID = "<id ";

    private final Map<String, String> ids = new HashMap<>();

    void expect(JsonNode expected, JsonNode actual, String where) {
        if (actual == null) {
            fail(where + " is not there");
        } else if (expected.isObject()) {
            assertTrue(actual.isObject(), where + " is no object but " + actual);
            if (expected.isEmpty()) {
                assertTrue(actual.isEmpty(), where + " is not empty but " + actual);
            }
            expected.properties().forEach(field -> expectField(field.getKey(), field.getValue(), actual, where));
        } else if (expected.isArray()) {
            assertEquals(expected.size(), actual.size(), "entries of " + where + ", which is " + actual);
            for (int i = 0; i < expected.size(); i++) {
                expect(expected.get(i), actual.get(i), where + "[" + i + "]");
            }
        } else {
            expectValue(expected, actual, where);
        }
    }

    private void expectField(String name, JsonNode expected, JsonNode actual, String where) {
        if (expected.isString() && expected.asString().equals(ABSENT)) {
            assertNull(actual.get(name), where + "." + name + " is there");
        } else {
            expect(expected, actual.get(name), where + "." + name);
        }
    }

    private void expectValue(JsonNode expected, JsonNode actual, String where) {
        if (expected.isNumber()) {
            assertTrue(
                    actual.isNumber() && actual.decimalValue().compareTo(expected.decimalValue()) == 0,
                    where + " is not " + expected + " but " + actual);
        } else if (expected.isString() && expected.asString().startsWith(ID)) {
            assertTrue(actual.isString(), where + " is no text but " + actual);
            expectId(expected.asString(), actual.asString(), where);
        } else if (expected.isString() && actual.isString() && isTime(expected.asString())) {
            assertEquals(Instant.parse(expected.asString()), Instant.parse(actual.asString()), where);
        } else {
            assertEquals(expected.asString(), actual.asString(), where);
            assertEquals(expected.getNodeType(), actual.getNodeType(), where);
        }
    }

    private void expectId(String name, String id, String where) {
        String known = ids.putIfAbsent(name, id);
        assertEquals(known == null ? id : known, id, where + ", which is " + name);
        ids.forEach((other, otherId) -> assertTrue(
                other.equals(name) || !otherId.equals(id),
                where + " should be " + name + " and is " + other + ": " + id));
    }

    private static boolean isTime(String text) {
        try {
            Instant.parse(text);
            return true;
        } catch (DateTimeParseException _) {
            return false;
        }
    }
}
