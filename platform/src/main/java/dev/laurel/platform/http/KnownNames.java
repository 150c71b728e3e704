package dev.laurel.platform.http;

import dev.laurel.schemas.input.NearestName;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.EditBody.IssueBody;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

import static java.nio.charset.StandardCharsets.UTF_8;

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

    private static final int UNKNOWN = -1;
    private static final int INVALID = -2;

    /** The form of a value that has named fields: an object, or a list of such objects, whose form is {@code item}. */
    private record Form(List<Name> names, @Nullable Form item) {

        static @Nullable Form of(@Nullable Object json) {
            return switch (json) {
                case List<?> list -> new Form(List.of(), of(list.getFirst()));
                case Map<?, ?> fields -> new Form(fields.entrySet().stream()
                        .map(field -> new Name((String) field.getKey(), of(field.getValue()))).toList(), null);
                case null, default -> null;
            };
        }

        @Nullable
        Name named(byte[] json, int from, int to) {
            for (Name name : names) {
                if (Arrays.equals(name.utf8, 0, name.utf8.length, json, from, to)) {
                    return name;
                }
            }
            return null;
        }
    }

    private static final class Name {

        private final String text;
        private final byte[] utf8;
        private final @Nullable Form value;

        Name(String text, @Nullable Form value) {
            this.text = text;
            this.utf8 = text.getBytes(UTF_8);
            this.value = value;
        }
    }

    /**
     * An unknown name.
     *
     * @param item path of the item of a bulk request that has the field, such as {@code [3].}; empty: none
     * @param index index of that item
     * @param id its id, if it has one
     */
    private record Unknown(String item, @Nullable Integer index, @Nullable String id, String kind, String name,
            @Nullable String nearest) {

        String message(String prefix, String consequence) {
            return "Unknown " + kind + " " + prefix + visible(name) + consequence
                    + (nearest == null ? "." : "; did you mean " + nearest + "?");
        }
    }

    /** The unknown names of a request. */
    private record Found(List<Unknown> names, boolean hasOldNames) {}

    private final Set<String> parameters;
    private final @Nullable Form body;
    private final boolean isStrict;
    private final boolean hasOldNames;

    KnownNames(DocumentedRoutes.Operation operation, boolean isStrict) {
        this.parameters = Set.copyOf(operation.query());
        this.body = Form.of(operation.body());
        this.isStrict = isStrict;
        this.hasOldNames = WITH_OLD_NAMES.contains(operation.id());
    }

    /** @throws HttpRefusal 422 if the server is strict and a name is unknown */
    void check(Context context) throws IOException {
        boolean hasUnknownField = body != null && scan(BodyLimits.read(context), 0, body) == UNKNOWN;
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
                return text.append(" And ").append(names.size() - i).append(" more.").toString();
            }
            text.append(i == 0 ? "" : " ").append(message);
        }
        return text.toString();
    }

    /** Adds the warnings to the issues of an answer that has such, in place of the header. */
    static byte[] addTo(Context context, int status, byte[] answer) {
        Found found = context.attribute(FOUND);
        if (found == null || status >= 300 || !(Json.readTree(answer) instanceof Map<?, ?> read)
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

    /**
     * The place after the value that begins at {@code from}, or {@link #UNKNOWN} or {@link #INVALID}.
     *
     * @param form null: any
     */
    private static int scan(byte[] json, int from, @Nullable Form form) {
        int at = space(json, from);
        if (form != null && form.item == null && at(json, at) == '{') {
            return scanObject(json, space(json, at + 1), form);
        }
        if (form != null && form.item != null && at(json, at) == '[') {
            return scanList(json, space(json, at + 1), form.item);
        }
        return skip(json, at);
    }

    private static int scanObject(byte[] json, int first, Form form) {
        int at = first;
        while (at(json, at) == '"') {
            int end = endOfText(json, at);
            if (end == INVALID) {
                return INVALID;
            }
            Name name = form.named(json, at + 1, end);
            if (name == null) {
                return UNKNOWN;
            }
            at = space(json, end + 1);
            at = at(json, at) == ':' ? scan(json, at + 1, name.value) : INVALID;
            if (at < 0) {
                return at;
            }
            at = space(json, at);
            if (at(json, at) != ',') {
                break;
            }
            at = space(json, at + 1);
        }
        return at(json, at) == '}' ? at + 1 : INVALID;
    }

    private static int scanList(byte[] json, int first, Form item) {
        int at = first;
        if (at(json, at) == ']') {
            return at + 1;
        }
        while (true) {
            int end = scan(json, at, item);
            if (end < 0) {
                return end;
            }
            at = space(json, end);
            if (at(json, at) != ',') {
                return at(json, at) == ']' ? at + 1 : INVALID;
            }
            at++;
        }
    }

    /** The place after a value of any form. */
    private static int skip(byte[] json, int from) {
        int depth = 0;
        for (int at = from; at < json.length; at++) {
            switch (json[at]) {
                case '"' -> {
                    at = endOfText(json, at);
                    if (at == INVALID || depth == 0) {
                        return at == INVALID ? INVALID : at + 1;
                    }
                }
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    if (depth <= 1) {
                        return depth == 0 ? at : at + 1;
                    }
                    depth--;
                }
                case ',' -> {
                    if (depth == 0) {
                        return at;
                    }
                }
                default -> {
                    // a part of a value
                }
            }
        }
        return json.length;
    }

    /** The place of the quote that ends the text that begins with one at {@code from}. */
    private static int endOfText(byte[] json, int from) {
        for (int at = from + 1; at < json.length; at++) {
            if (json[at] == '"') {
                return at;
            }
            if (json[at] == '\\') {
                at++;
            }
        }
        return INVALID;
    }

    private static int space(byte[] json, int from) {
        int at = from;
        while (at < json.length && (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t')) {
            at++;
        }
        return at;
    }

    private static byte at(byte[] json, int at) {
        return at < json.length ? json[at] : 0;
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
    private record Place(String item, @Nullable Integer index, @Nullable String id, String path) {

        Place at(String name) {
            return new Place(item, index, id, path + name + ".");
        }

        /** The first list on the way has the items. */
        Place at(int place, @Nullable Object value) {
            String name = path.isEmpty() ? "" : path.substring(0, path.length() - 1);
            return index == null
                    ? new Place(name + "[" + place + "].", place,
                            value instanceof Map<?, ?> fields && fields.get("id") instanceof String id ? id : null, "")
                    : new Place(item, index, id, name + "[" + place + "].");
        }
    }

    private static void find(@Nullable Object json, @Nullable Form form, Place place, List<Unknown> found) {
        if (form == null || found.size() >= MAX_FOUND) {
            return;
        }
        if (json instanceof List<?> list && form.item != null) {
            for (int i = 0; i < list.size(); i++) {
                find(list.get(i), form.item, place.at(i, list.get(i)), found);
            }
        } else if (json instanceof Map<?, ?> fields && form.item == null) {
            Map<String, Name> known = form.names.stream().collect(Collectors.toMap(name -> name.text, name -> name));
            fields.forEach((key, value) -> {
                Name name = known.get((String) key);
                if (name != null) {
                    find(value, name.value, place.at(name.text), found);
                } else if (found.size() < MAX_FOUND) {
                    found.add(new Unknown(place.item, place.index, place.id, "field", place.path + key,
                            NearestName.of((String) key, known.keySet())));
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
