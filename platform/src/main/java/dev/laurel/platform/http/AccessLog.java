package dev.laurel.platform.http;

import io.javalin.http.Context;
import io.javalin.router.Endpoint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one line per request to the logger {@code laurel.access} at level info: method, route, status, duration, size,
 * request id, key prefix, tenant, and what the client says about itself ({@link #CLIENT_HEADERS}), each value without
 * spaces and at most {@value #MAX_CLIENT_LENGTH} characters long. A line never contains a key or any text of the URI:
 * paths contain user ids, so the line has the template of the route instead.
 */
final class AccessLog {

    private static final Logger LOG = LoggerFactory.getLogger("laurel.access");
    /** The header with the id of a request. */
    static final String REQUEST_ID = "X-Request-Id";

    /** The MDC key of the request id. */
    static final String REQUEST_ID_IN_LOG = "requestId";

    private static final String PREFIX = "laurel.key-prefix";
    private static final String SIZE = "laurel.size";
    private static final String DASH = "-";
    private static final int MAX_CLIENT_LENGTH = 100;

    /** Names in the line by header (docs/application-api.md §1 "Other request headers"). Absent headers are left out. */
    private static final Map<String, String> CLIENT_HEADERS = clientHeaders();

    private AccessLog() {}

    /** Logs a request that has been answered. */
    static void write(Context context, Float tookMs) {
        if (LOG.isInfoEnabled()) {
            LOG.info(
                    "{} {} {} {} ms {} B request={} key={} tenant={}{}",
                    context.method().name(),
                    route(context),
                    context.statusCode(),
                    String.format(Locale.ROOT, "%.2f", tookMs),
                    size(context),
                    context.res().getHeader(REQUEST_ID),
                    orDash(context.attribute(PREFIX)),
                    orDash(tenant(context)),
                    client(context));
        }
    }

    /** Logs a request that could not be parsed. */
    static void writeUnreadable(int status, String requestId) {
        LOG.info("- - {} - ms - B request={} key=- tenant=-", status, requestId);
    }

    private static Map<String, String> clientHeaders() {
        var names = new LinkedHashMap<String, String>();
        names.put("User-Agent", "agent");
        names.put("X-SDK-VERSION", "sdk-version");
        for (String part : List.of("Language", "SDK-Name", "SDK-Version", "Runtime", "Runtime-Version")) {
            names.put("X-Fern-" + part, "fern-" + part.toLowerCase(Locale.ROOT));
        }
        return names;
    }

    private static String client(Context context) {
        var client = new StringBuilder();
        CLIENT_HEADERS.forEach((header, name) -> {
            String value = context.header(header);
            if (value != null && !value.isEmpty()) {
                client.append(' ').append(name).append('=').append(cleaned(value));
            }
        });
        return client.toString();
    }

    /** The value as one word of visible ASCII, so that it can add neither a line nor a field to the log. */
    private static String cleaned(String value) {
        var word = new StringBuilder();
        value.chars().limit(MAX_CLIENT_LENGTH).forEach(c -> word.append(c > ' ' && c < 127 ? (char) c : '_'));
        return word.toString();
    }

    private static String route(Context context) {
        Endpoint endpoint = context.endpoints().matchedHttpEndpoint();
        return endpoint == null ? DASH : endpoint.path;
    }

    private static String size(Context context) {
        Integer bytes = context.attribute(SIZE);
        return bytes == null ? DASH : bytes.toString();
    }

    private static @Nullable String tenant(Context context) {
        Caller caller = Caller.orNull(context);
        return caller == null || !caller.hasTenant() ? null : caller.tenant().value();
    }

    private static String orDash(@Nullable String text) {
        return text == null || text.isEmpty() ? DASH : text;
    }

    /** Sets the size of the response body for the log line. */
    static void setSize(Context context, int bytes) {
        set(context, SIZE, bytes);
    }

    /** Sets the prefix of the request's key for the log line. The key must have been accepted. */
    static void setKeyPrefix(Context context, String prefix) {
        set(context, PREFIX, prefix);
    }

    /** Attributes of requests are slow, so none is set for a line that is not written. */
    private static void set(Context context, String name, Object value) {
        if (LOG.isInfoEnabled()) {
            context.attribute(name, value);
        }
    }
}
