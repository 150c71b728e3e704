package dev.laurel.platform.http;

import dev.laurel.schemas.input.NearestName;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.EditBody.IssueBody;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The names that an operation knows: those of its query parameters, and those of the fields of its body. Other names are ignored; the
 * answer says so (docs/application-api.md §1 "Unknown names"), or the request is refused if the server is strict. Immutable.
 *
 * <p>The body is scanned before its route runs, and before anything is known about it: what is no valid JSON is left to the route. The
 * scan makes no objects, since each event has one; only the names of a body that has unknown ones are read again.
 */
final class KnownNames {

    static final String HEADER = "X-Laurel-Warning";

    /** Attribute of a request with unknown names. */
    private static final String FOUND = "laurel.unknown-names";

    /** Operations whose issues repeat severity and message for older clients (docs/admin-api.md A1). */
    private static final Set<String> WITH_OLD_NAMES = Set.of("grantFreezes", "restoreStreaks", "createUserBoosts");

    private static final int MAX_FOUND = 20;
    private static final int MAX_HEADER_LENGTH = 1_000;
    private static final int MAX_NAME_LENGTH = 60;
    private static final Pattern INDEX = Pattern.compile("\\[[0-9]*]$");

    private static final JsonFactory JSON = new JsonFactory();

    /**
     * An unknown name.
     *
     * @param item path of the item of a bulk request that has the field, such as {@code [3].}; empty: none
     * @param index index of that item
     * @param id its id, if it has one
     */
    private record Unknown(
            String item,
            @Nullable Integer index,
            @Nullable String id,
            String kind,
            String name,
            @Nullable String nearest) {

        String message(String prefix, String consequence) {
            return "Unknown " + kind + " " + prefix + visible(name) + consequence
                    + (nearest == null ? "." : "; did you mean " + nearest + "?");
        }
    }

    /** The unknown names of a request. */
    private record Found(List<Unknown> names, boolean hasOldNames) {}

    private final Set<String> parameters;

    /** The form of the body: an object with the forms of the values of its fields, or a list with the form of its items. */
    private final @Nullable Object body;

    private final boolean isStrict;
    private final boolean hasOldNames;

    KnownNames(DocumentedRoutes.Operation operation, boolean isStrict) {
        this.parameters = Set.copyOf(operation.query());
        this.body = operation.body();
        this.isStrict = isStrict;
        this.hasOldNames = WITH_OLD_NAMES.contains(operation.id());
    }

    /** @throws HttpRefusal 422 if the server is strict and a name is unknown */
    void check(Context context) throws IOException {
        boolean hasUnknownField = body != null && hasUnknownField(BodyLimits.read(context), body);
        if (!hasUnknownField && context.queryString() == null) {
            return;
        }
        var found = new ArrayList<Unknown>();
        findParameters(context, found);
        if (hasUnknownField) {
            findFields(BodyLimits.read(context), found);
        }
        if (found.isEmpty()) {
            return;
        }
        if (isStrict) {
            throw new HttpRefusal(422, textOf(found, " is refused"));
        }
        context.attribute(FOUND, new Found(found, hasOldNames));
        context.header(HEADER, textOf(found, " is ignored"));
    }

    private static String textOf(List<Unknown> names, String consequence) {
        var text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            String message = names.get(i).message(names.get(i).item, consequence);
            if (text.length() + message.length() > MAX_HEADER_LENGTH) {
                return text.append(" And ")
                        .append(names.size() - i)
                        .append(" more.")
                        .toString();
            }
            text.append(i == 0 ? "" : " ").append(message);
        }
        return text.toString();
    }

    /** Adds the warnings to the issues of an answer that has such, in place of the header. */
    static byte[] addTo(Context context, int status, byte[] answer) {
        Found found = context.attribute(FOUND);
        if (found == null
                || status >= 300
                || !(Json.readTree(answer) instanceof Map<?, ?> read)
                || !(read.get("issues") instanceof List<?> before)) {
            return answer;
        }
        var issues = new ArrayList<Object>(before);
        for (Unknown unknown : found.names) {
            String message = unknown.message("", " is ignored");
            IssueBody issue = unknown.index == null
                    ? IssueBody.ofNothing(IssueBody.WARNING, message)
                    : unknown.id == null
                            ? IssueBody.ofUser(unknown.index, null, IssueBody.WARNING, message)
                            : IssueBody.ofThing(unknown.id, IssueBody.WARNING, message);
            issues.add(found.hasOldNames ? issue.withOldNames() : issue);
        }
        var body = new LinkedHashMap<Object, @Nullable Object>(read);
        body.put("issues", issues);
        context.removeHeader(HEADER);
        return Json.write(body);
    }

    private void findParameters(Context context, List<Unknown> found) {
        if (context.queryString() == null) {
            return;
        }
        for (String given : context.queryParamMap().keySet()) {
            String name = INDEX.matcher(given).replaceFirst("");
            if (!parameters.contains(name) && found.size() < MAX_FOUND) {
                found.add(new Unknown("", null, null, "parameter", name, NearestName.of(name, parameters)));
            }
        }
    }

    // Fields: a scan without objects, and a reading of the names.

    private static boolean hasUnknownField(byte[] body, Object form) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
            json.nextToken();
            return hasUnknownField(json, form);
        } catch (JacksonException _) {
            return false; // the route refuses the body
        }
    }

    /** Scans the value at the current token. */
    private static boolean hasUnknownField(JsonParser json, @Nullable Object form) {
        if (form instanceof Map<?, ?> known && json.hasToken(JsonToken.START_OBJECT)) {
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                json.nextToken();
                if (!known.containsKey(name) || hasUnknownField(json, known.get(name))) {
                    return true;
                }
            }
        } else if (form instanceof List<?> list && json.hasToken(JsonToken.START_ARRAY)) {
            while (json.nextToken() != JsonToken.END_ARRAY) {
                if (hasUnknownField(json, list.getFirst())) {
                    return true;
                }
            }
        } else {
            json.skipChildren();
        }
        return false;
    }

    private void findFields(byte[] json, List<Unknown> found) {
        try {
            if (UnicodeText.isUtf8(json)) {
                find(Json.readTree(json), body, new Place("", null, null, ""), found);
            }
        } catch (JacksonException _) {
            // The route refuses the body.
        }
    }

    /**
     * A place in a body.
     *
     * @param item path of the item of a bulk request; empty: none yet
     * @param path from there, or from the top, to the object
     */
    private record Place(
            String item, @Nullable Integer index, @Nullable String id, String path) {

        Place at(String name) {
            return new Place(item, index, id, path + name + ".");
        }

        /** The first list on the way has the items. */
        Place at(int place, @Nullable Object value) {
            String name = path.isEmpty() ? "" : path.substring(0, path.length() - 1);
            return index == null
                    ? new Place(
                            name + "[" + place + "].",
                            place,
                            value instanceof Map<?, ?> fields && fields.get("id") instanceof String id ? id : null,
                            "")
                    : new Place(item, index, id, name + "[" + place + "].");
        }
    }

    private static void find(@Nullable Object json, @Nullable Object form, Place place, List<Unknown> found) {
        if (json instanceof List<?> values && form instanceof List<?> list) {
            for (int i = 0; i < values.size(); i++) {
                find(values.get(i), list.getFirst(), place.at(i, values.get(i)), found);
            }
        } else if (json instanceof Map<?, ?> fields && form instanceof Map<?, ?> known) {
            fields.forEach((key, value) -> {
                String name = (String) key;
                if (known.containsKey(name)) {
                    find(value, known.get(name), place.at(name), found);
                } else if (found.size() < MAX_FOUND) {
                    found.add(new Unknown(
                            place.item,
                            place.index,
                            place.id,
                            "field",
                            place.path + name,
                            NearestName.of(
                                    name,
                                    known.keySet().stream()
                                            .map(String.class::cast)
                                            .toList())));
                }
            });
        }
    }

    /** A name of a client in visible ASCII, so that a header can have it. */
    private static String visible(String name) {
        var text = new StringBuilder();
        UnicodeText.cut(name, MAX_NAME_LENGTH).chars().forEach(c -> {
            if (c > ' ' && c < 127 && c != '\\') {
                text.append((char) c);
            } else {
                text.append("\\u%04x".formatted(c));
            }
        });
        return text.append(name.length() > MAX_NAME_LENGTH ? "..." : "").toString();
    }
}
