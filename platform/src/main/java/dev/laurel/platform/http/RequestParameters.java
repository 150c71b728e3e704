package dev.laurel.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.input.HeaderText;
import dev.laurel.schemas.input.Uuids;
import io.javalin.http.Context;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads ids in paths (docs/admin-api.md A1), lists in queries in every form that clients use
 * (docs/application-api.md §1 "List query"): {@code k=a&k=b}, {@code k=a,b}, {@code k[]=a&k[]=b}, {@code k[0]=a}, and headers
 * that may be given once.
 */
public final class RequestParameters {

    private static final Pattern INDEX = Pattern.compile("\\[[0-9]{0,9}]");
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
            throw new HttpRefusal(
                    422, "The header " + name + " begins with UTF-8'', must have percent-encoded UTF-8 after it.");
        }
        return text;
    }

    /** @throws HttpRefusal 422 if the text is not the number of a ruleset version */
    public static long rulesetVersion(String name, @Nullable String text) {
        if (text == null || !text.matches("[0-9]{1,18}")) {
            throw new HttpRefusal(422, name + " must be the number of a ruleset version.");
        }
        return Long.parseLong(text);
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
     * The values in the order of the query, each whole; only the value of a parameter that is sent exactly once, under its plain name,
     * is split at its commas. A comma that was sent as {@code %2C} belongs to a value. Empty if the parameter is absent, or has no value.
     */
    public static List<String> list(Context context, String name) {
        var values = new ArrayList<String>();
        boolean isPlain = true;
        String query = context.queryString();
        for (String parameter : query == null ? new String[0] : query.split("&")) {
            int equals = parameter.indexOf('=');
            String given = decoded(equals < 0 ? parameter : parameter.substring(0, equals));
            boolean isWithIndex = given.startsWith(name)
                    && INDEX.matcher(given.substring(name.length())).matches();
            if (isWithIndex || given.equals(name)) {
                values.add(equals < 0 ? "" : parameter.substring(equals + 1));
                isPlain &= !isWithIndex;
            }
        }
        if (values.size() != 1) {
            return values.stream().map(RequestParameters::decoded).toList();
        }
        String single = values.getFirst();
        if (single.isEmpty()) {
            return List.of();
        }
        return Stream.of(isPlain ? single.split(",", -1) : new String[] {single})
                .map(RequestParameters::decoded)
                .toList();
    }

    private static String decoded(String text) {
        // The server decodes invalid UTF-8 to the replacement character, and the decoder does so, too: different texts
        // would become equal.
        if (text.indexOf(REPLACEMENT) < 0 && !BAD_PERCENT.matcher(text).find()) {
            String decoded = URLDecoder.decode(text, UTF_8);
            if (decoded.indexOf(REPLACEMENT) < 0
                    || decoded.chars().filter(c -> c == REPLACEMENT).count()
                            == ENCODED_REPLACEMENT.matcher(text).results().count()) {
                return decoded;
            }
        }
        throw new HttpRefusal(422, "The query is not valid percent-encoded UTF-8.");
    }
}
