package dev.laurel.platform.http;

import dev.laurel.schemas.input.HeaderText;
import dev.laurel.schemas.input.Uuids;
import io.javalin.http.Context;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads ids in paths (docs/admin-api.md A1), lists in queries in every form that clients use
 * (docs/application-api.md §1 "List query"): {@code k=a&k=b}, {@code k=a,b}, {@code k[]=a&k[]=b}, {@code k[0]=a}, and headers
 * that may be given once.
 */
public final class RequestParameters {

    private static final Pattern BAD_PERCENT = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    private static final char REPLACEMENT = '\uFFFD';
    private static final Pattern ENCODED_REPLACEMENT = Pattern.compile("%EF%BF%BD", Pattern.CASE_INSENSITIVE);

    private RequestParameters() {}

    /**
     * Checks the whole query, since a parameter that cannot be decoded would count as absent.
     *
     * @throws HttpRefusal 422 if it is not percent-encoded UTF-8
     */
    static void checkQuery(Context context) {
        String query = context.queryString();
        if (query != null && (query.indexOf('%') >= 0 || query.indexOf(REPLACEMENT) >= 0)) {
            decoded(query);
        }
    }

    /**
     * The value of a header as it came; null if it is absent.
     *
     * @throws HttpRefusal 400 if it is given several times with different values
     */
    static @Nullable String header(Context context, String name) {
        Enumeration<String> values = context.req().getHeaders(name);
        String value = values.hasMoreElements() ? values.nextElement() : null;
        while (values.hasMoreElements()) {
            if (!values.nextElement().equals(value)) {
                throw new HttpRefusal(400, "The header " + name + " is given several times with different values.");
            }
        }
        return value;
    }

    /**
     * The text of a header; null if it is absent.
     *
     * @throws HttpRefusal 400 as {@link #header}; 422 if it has the ASCII form and cannot be decoded
     */
    public static @Nullable String headerText(Context context, String name) {
        String value = header(context, name);
        return value == null ? null : textOf(value, name);
    }

    static String textOf(String header, String name) {
        String text = HeaderText.decoded(header);
        if (text == null) {
            throw new HttpRefusal(422,
                    "The header " + name + " begins with UTF-8'', must have percent-encoded UTF-8 after it.");
        }
        return text;
    }

    /** @throws HttpRefusal 422 if the parameter of the path is not a UUID */
    public static UUID pathId(Context context, String name) {
        UUID id = Uuids.parse(context.pathParam(name));
        if (id == null) {
            throw new HttpRefusal(422, name + " in the path must be a valid UUID.");
        }
        return id;
    }

    /**
     * The values in the order of the query; a single value is split at its commas. Empty if the parameter is absent.
     */
    public static List<String> list(Context context, String name) {
        Pattern indexed = indexed(name);
        var values = new ArrayList<String>();
        context.queryParamMap().forEach((key, given) -> {
            if (indexed.matcher(key).matches()) {
                values.addAll(given);
            }
        });
        if (values.size() != 1) {
            return values;
        }
        String single = values.getFirst();
        return single.isEmpty() ? List.of() : List.of(single.split(",", -1));
    }

    private static Pattern indexed(String name) {
        return Pattern.compile(Pattern.quote(name) + "(\\[\\d{0,9}])?");
    }

    /** Like {@link #list}, for values that may contain commas: a comma sent as {@code %2C} is not a separator. */
    public static List<String> listOfTexts(Context context, String name) {
        Pattern indexed = indexed(name);
        var values = new ArrayList<String>();
        String query = context.queryString();
        for (String parameter : query == null ? new String[0] : query.split("&")) {
            int equals = parameter.indexOf('=');
            if (equals > 0 && indexed.matcher(decoded(parameter.substring(0, equals))).matches()) {
                values.add(parameter.substring(equals + 1));
            }
        }
        List<String> parts = values.size() == 1 ? List.of(values.getFirst().split(",", -1)) : values;
        return values.size() == 1 && values.getFirst().isEmpty()
                ? List.of()
                : parts.stream().map(RequestParameters::decoded).toList();
    }

    private static String decoded(String text) {
        // The server decodes invalid UTF-8 to the replacement character, and the decoder does so, too: different texts
        // would become equal.
        if (text.indexOf(REPLACEMENT) < 0 && !BAD_PERCENT.matcher(text).find()) {
            String decoded = URLDecoder.decode(text, UTF_8);
            if (decoded.indexOf(REPLACEMENT) < 0
                    || decoded.chars().filter(c -> c == REPLACEMENT).count() == ENCODED_REPLACEMENT.matcher(text)
                            .results().count()) {
                return decoded;
            }
        }
        throw new HttpRefusal(422, "The query is not valid percent-encoded UTF-8.");
    }
}
