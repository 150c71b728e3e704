package dev.laurel.deploy.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Decodes answers as strictly typed clients of the public contract do ({@code public-shapes.yaml}): a required field that is missing or
 * null, a word that the contract does not have, a fraction where it has an integer, and a number out of range are errors, although the
 * OpenAPI documents of Laurel might allow them. Unknown fields are none. Immutable; thread-safe.
 */
public final class PublicShapes {

    public static final PublicShapes V1_26 = new PublicShapes("/public-shapes.yaml");

    private static final Pattern FIELD = Pattern.compile("(\\w+)([?~]?)");
    private static final Pattern INTEGER = Pattern.compile("int(?: (-?\\d*)\\.\\.(-?\\d*))?");
    /** Beyond this, clients in JavaScript lose digits. */
    private static final long MAX_EXACT = (1L << 53) - 1;

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    private static final Set<String> SCALARS = Set.of("str", "num", "bool", "date", "dt");
    private static final String EVERY = "*";
    private static final String BASES = "is";

    private final JsonNode root;

    private PublicShapes(String resource) {
        try (InputStream in = PublicShapes.class.getResourceAsStream(resource)) {
            this.root = YAMLMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the type of the answer to a success; missing: the operation is Laurel's own. */
    public JsonNode answerOf(Operation operation) {
        return root.path(section(operation)).path(operation.id());
    }

    public boolean isOurs(Operation operation) {
        return root.get("ours")
                .get(section(operation))
                .valueStream()
                .anyMatch(id -> id.stringValue().equals(operation.id()));
    }

    /** Returns the names of all shapes. */
    public Set<String> names() {
        return new TreeSet<>(root.get("shapes").propertyNames());
    }

    /** Returns every operation that is named, as {@code admin listMetrics}. */
    public Set<String> operations() {
        var named = new TreeSet<String>();
        for (String section : List.of("application", "admin")) {
            root.get(section).propertyNames().forEach(id -> named.add(section + " " + id));
            root.get("ours").get(section).forEach(id -> named.add(section + " " + id.stringValue()));
        }
        return named;
    }

    private static String section(Operation operation) {
        return operation.document() == OpenApiDocument.ADMIN ? "admin" : "application";
    }

    /**
     * Decodes the answer to a success. That a result is not known yet ({@code pending}) is no part of the contract: nothing is decoded.
     *
     * @param decoded gets the names of the shapes of which there was an object
     * @return the errors; empty: none
     */
    public List<String> problemsOf(Operation operation, JsonNode body, Collection<String> decoded) {
        var problems = new ArrayList<String>();
        if (answerOf(operation).isMissingNode()) {
            if (!isOurs(operation)) {
                problems.add(operation + " is not in public-shapes.yaml");
            }
        } else if (!body.path("pending").isBoolean()) {
            decode(answerOf(operation), body, "", problems, decoded);
        }
        return problems;
    }

    private void decode(
            JsonNode type, JsonNode value, String place, List<String> problems, Collection<String> decoded) {
        if (type.isString()) {
            decodeNamed(type.stringValue(), value, place, problems, decoded);
        } else if (type.isArray()) {
            if (!value.isArray()) {
                problems.add(place + " must be a list, is " + value);
            }
            for (int i = 0; value.isArray() && i < value.size(); i++) {
                decode(type.get(0), value.get(i), place + "/" + i, problems, decoded);
            }
        } else if (!value.isObject()) {
            problems.add(place + " must be an object, is " + value);
        } else if (type.has(EVERY)) {
            value.properties()
                    .forEach(entry ->
                            decode(type.get(EVERY), entry.getValue(), place + "/" + entry.getKey(), problems, decoded));
        } else {
            decoded.addAll(basesOf(type, new HashSet<>()));
            fieldsOf(type).forEach((field, of) -> decodeField(field, of, value, place, problems, decoded));
        }
    }

    private void decodeField(
            String field,
            JsonNode type,
            JsonNode object,
            String place,
            List<String> problems,
            Collection<String> decoded) {
        Matcher name = FIELD.matcher(field);
        if (!name.matches()) {
            throw new IllegalArgumentException("public-shapes.yaml has the field " + field);
        }
        JsonNode value = object.path(name.group(1));
        String mark = name.group(2);
        if (value.isMissingNode() || value.isNull()) {
            boolean isAllowed = mark.equals("?") || mark.equals("~") && value.isNull();
            if (!isAllowed) {
                problems.add(place + "/" + name.group(1) + (value.isNull() ? " is null" : " is missing"));
            }
        } else {
            decode(type, value, place + "/" + name.group(1), problems, decoded);
        }
    }

    /** Returns the types of the fields of an object by their names with marks, including those of its bases. */
    private Map<String, JsonNode> fieldsOf(JsonNode object) {
        var fields = new LinkedHashMap<String, JsonNode>();
        object.path(BASES).forEach(base -> fields.putAll(fieldsOf(shape(base.stringValue()))));
        object.properties().stream()
                .filter(field -> !field.getKey().equals(BASES))
                .forEach(field -> fields.put(field.getKey(), field.getValue()));
        return fields;
    }

    /** Returns the fields that an object of this type, or each in a list of it, must have and that are never null. */
    Set<String> requiredFields(JsonNode type) {
        JsonNode object = type.isArray() ? type.get(0) : type;
        return fieldsOf(object.isString() ? shape(object.stringValue()) : object).keySet().stream()
                .filter(field -> FIELD.matcher(field).matches() && !field.endsWith("?") && !field.endsWith("~"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private JsonNode shape(String name) {
        JsonNode shape = root.get("shapes").path(name);
        if (shape.isMissingNode()) {
            throw new IllegalArgumentException("public-shapes.yaml has no shape " + name);
        }
        return shape;
    }

    private void decodeNamed(
            String type, JsonNode value, String place, List<String> problems, Collection<String> decoded) {
        Matcher integer = INTEGER.matcher(type);
        if (integer.matches()) {
            boolean isInRange = value.isIntegralNumber()
                    && value.canConvertToLong()
                    && value.longValue() >= bound(integer.group(1), -MAX_EXACT)
                    && value.longValue() <= bound(integer.group(2), MAX_EXACT);
            if (!isInRange) {
                problems.add(place + " must be " + type + ", is " + value);
            }
        } else if (SCALARS.contains(type) || type.contains("|")) {
            if (!isScalar(type, value)) {
                problems.add(place + " must be " + type + ", is " + value);
            }
        } else {
            decode(shape(type), value, place, problems, decoded);
            decoded.add(type);
        }
    }

    private Set<String> basesOf(JsonNode object, Set<String> found) {
        object.path(BASES).forEach(base -> {
            if (found.add(base.stringValue())) {
                basesOf(shape(base.stringValue()), found);
            }
        });
        return found;
    }

    private static long bound(String digits, long otherwise) {
        return digits == null || digits.isEmpty() ? otherwise : Long.parseLong(digits);
    }

    private static boolean isScalar(String type, JsonNode value) {
        return switch (type) {
            case "str" -> value.isString();
            case "num" -> value.isNumber();
            case "bool" -> value.isBoolean();
            case "date" -> value.isString() && isDate(value.stringValue());
            case "dt" -> value.isString() && isTime(value.stringValue());
            default -> value.isString() && Arrays.asList(type.split("\\|")).contains(value.stringValue());
        };
    }

    private static boolean isDate(String text) {
        try {
            return LocalDate.parse(text).toString().equals(text);
        } catch (DateTimeParseException _) {
            return false;
        }
    }

    private static boolean isTime(String text) {
        try {
            return TIME.matcher(text).matches() && Instant.parse(text) != null;
        } catch (DateTimeParseException _) {
            return false;
        }
    }
}
