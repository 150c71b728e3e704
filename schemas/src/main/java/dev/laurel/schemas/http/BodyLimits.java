package dev.laurel.schemas.http;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/** How large the bodies of requests may be. */
public final class BodyLimits {

    private static final long MIB = 1024 * 1024;
    static final long MAX_BODY_BYTES = MIB;

    /** Routes that take more, with how much; they read it by {@link #read}. */
    private static final Map<String, Long> LARGER_BODIES = Map.of("/admin/v1/metrics/events", 10 * MIB,
            "/internal/ask", 4 * MIB);

    /**
     * A body that is too large is read to its end up to this size, else the connection closes while the client still sends,
     * and the client sees a reset instead of the answer. What announces more is refused at once.
     */
    private static final long MAX_DISCARDED_BYTES = 16 * MIB;

    private BodyLimits() {}

    /** Refuses what announces that it is too large. @throws HttpRefusal 413 */
    static void check(Context context) throws IOException {
        long announced = context.req().getContentLengthLong();
        long max = maxBytes(context);
        if (announced > max) {
            if (announced <= MAX_DISCARDED_BYTES) {
                context.req().getInputStream().transferTo(OutputStream.nullOutputStream());
            }
            throw tooLarge(max);
        }
    }

    /** The body of a route that takes more than others do. @throws HttpRefusal 413 if it is even larger */
    public static byte[] read(Context context) throws IOException {
        long max = maxBytes(context);
        byte[] body = context.bodyInputStream().readNBytes(Math.toIntExact(max + 1));
        if (body.length > max) {
            throw tooLarge(max);
        }
        return body;
    }

    private static long maxBytes(Context context) {
        return LARGER_BODIES.getOrDefault(Reception.withoutSlash(context.path()), MAX_BODY_BYTES);
    }

    private static HttpRefusal tooLarge(long max) {
        return new HttpRefusal(413, "The body is too large: at most " + max / MIB + " MiB.");
    }
}
