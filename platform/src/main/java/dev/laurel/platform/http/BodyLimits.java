package dev.laurel.platform.http;

import io.javalin.http.Context;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** Limits the size of request bodies, and refuses encoded ones: a few bytes could become a body of any size. */
public final class BodyLimits {

    private static final long MIB = 1024 * 1024;
    static final long MAX_BODY_BYTES = MIB;

    /** Routes with a larger limit, which read their bodies by {@link #read}. */
    private static final Map<String, Long> LARGER_BODIES =
            Map.of("/admin/v1/metrics/events", 10 * MIB, "/internal/ask", 4 * MIB);

    /**
     * Up to this size, a body that is too large is read and discarded. Otherwise the connection would close while the
     * client still sends, and the client would see a reset instead of the answer. A request that announces a larger
     * body is refused at once.
     */
    private static final long MAX_DISCARDED_BYTES = 16 * MIB;

    /** Methods whose bodies no route reads, so that it does not matter how they are encoded. */
    private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD", "DELETE", "OPTIONS");

    /** Attribute of a request with its body, which the server does not keep. */
    private static final String LARGE_BODY = "laurel.body";

    private BodyLimits() {}

    /**
     * Checks the announced encoding and length of the body.
     * @throws HttpRefusal 415 if the body is encoded, 413 if its length exceeds the limit
     */
    static void check(Context context) throws IOException {
        String encoding = context.header("Content-Encoding");
        if (encoding != null
                && !encoding.isEmpty()
                && !encoding.equalsIgnoreCase("identity")
                && !WITHOUT_BODY.contains(context.req().getMethod())) {
            discard(context);
            throw new HttpRefusal(415, "The body has a Content-Encoding, must be sent without one, as plain JSON.");
        }
        long max = maxBytes(context);
        if (context.req().getContentLengthLong() > max) {
            discard(context);
            throw tooLarge(max);
        }
    }

    private static void discard(Context context) throws IOException {
        if (context.req().getContentLengthLong() <= MAX_DISCARDED_BYTES) {
            context.req().getInputStream().skipNBytes(Math.max(0, context.req().getContentLengthLong()));
        }
    }

    /**
     * Reads the body, also that of a route with a larger limit, as often as needed.
     * @throws HttpRefusal 413 if the body exceeds it
     */
    public static byte[] read(Context context) throws IOException {
        long max = maxBytes(context);
        if (max == MAX_BODY_BYTES) {
            return context.bodyAsBytes();
        }
        byte[] before = context.attribute(LARGE_BODY);
        if (before != null) {
            return before;
        }
        byte[] body = context.bodyInputStream().readNBytes(Math.toIntExact(max + 1));
        if (body.length > max) {
            throw tooLarge(max);
        }
        context.attribute(LARGE_BODY, body);
        return body;
    }

    private static long maxBytes(Context context) {
        return LARGER_BODIES.getOrDefault(RequiredRole.withoutSlash(context.path()), MAX_BODY_BYTES);
    }

    private static HttpRefusal tooLarge(long max) {
        return new HttpRefusal(413, "The body is too large: at most " + max / MIB + " MiB.");
    }
}
