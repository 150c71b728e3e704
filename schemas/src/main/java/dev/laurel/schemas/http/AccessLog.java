package dev.laurel.schemas.http;

import io.javalin.http.Context;
import io.javalin.router.Endpoint;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line for each request, by the logger {@code laurel.access} at level info: method, route, status, duration, size, request
 * id, prefix of the key, tenant. Never a key, nor anything that a client put into the address: ids of users are in paths,
 * so the line has the template of the route.
 */
final class AccessLog {

    private static final Logger LOG = LoggerFactory.getLogger("laurel.access");
    private static final String PREFIX = "laurel.key-prefix";
    private static final String SIZE = "laurel.size";
    private static final String NOTHING = "-";

    private AccessLog() {}

    /** Called when the request has been answered. */
    static void write(Context context, Float tookMs) {
        if (LOG.isInfoEnabled()) {
            LOG.info("{} {} {} {} ms {} B request={} key={} tenant={}", context.method().name(), route(context),
                    context.statusCode(), String.format(Locale.ROOT, "%.2f", tookMs), size(context),
                    context.res().getHeader(HttpServer.REQUEST_ID), orNothing(context.attribute(PREFIX)),
                    orNothing(tenant(context)));
        }
    }

    /** The same of a request that was no HTTP, or none that could be understood. */
    static void writeUnreadable(int status, String requestId) {
        LOG.info("- - {} - ms - B request={} key=- tenant=-", status, requestId);
    }

    private static String route(Context context) {
        Endpoint endpoint = context.endpoints().matchedHttpEndpoint();
        return endpoint == null ? NOTHING : endpoint.path;
    }

    private static String size(Context context) {
        Integer bytes = context.attribute(SIZE);
        return bytes == null ? NOTHING : bytes.toString();
    }

    private static String tenant(Context context) {
        Caller caller = Caller.orNull(context);
        return caller == null || !caller.hasTenant() ? null : caller.tenant().value();
    }

    private static String orNothing(String text) {
        return text == null || text.isEmpty() ? NOTHING : text;
    }

    /** @param bytes of the answer's body */
    static void noteSize(Context context, int bytes) {
        context.attribute(SIZE, bytes);
    }

    /** @param prefix of the request's key, once it is known to be one of ours */
    static void note(Context context, String prefix) {
        context.attribute(PREFIX, prefix);
    }
}
