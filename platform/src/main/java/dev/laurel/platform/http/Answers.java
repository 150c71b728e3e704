package dev.laurel.platform.http;

import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.ErrorBody;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Sends answers: JSON, refusals, pages and files. To be called on the thread of the request. */
public final class Answers {

    static final String RETRY_AFTER = "Retry-After";

    /** The time from which requests are accepted again, in seconds since 1970. */
    static final String RATE_LIMIT_RESET = "X-RateLimit-Reset";

    /** An answer of this length fits into the server's buffer, so that writing it cannot fail. */
    private static final int MAX_BUFFERED_BYTES = 16 * 1024;

    private Answers() {}

    /**
     * Adds the headers that say when the client may send the request again. Some client libraries know the one, some the other.
     *
     * @param afterS seconds; 0 for no headers
     */
    public static void setRetry(Context context, int status, int afterS) {
        if (afterS > 0) {
            context.header(RETRY_AFTER, Integer.toString(afterS));
            if (status == 429) {
                long nowS = Math.ceilDiv(
                        System.currentTimeMillis(), 1000L); // clients compare it with their own time of day
                context.header(RATE_LIMIT_RESET, Long.toString(nowS + afterS));
            }
        }
    }

    /** Sends the status, the message and the headers of a refusal. */
    public static void refuse(Context context, HttpRefusal refusal) {
        setRetry(context, refusal.status(), refusal.retryAfterS());
        error(context, refusal.status(), refusal.getMessage());
    }

    static void error(Context context, int status, @Nullable String message) {
        json(context, status, new ErrorBody(message));
    }

    /** Sends an object as JSON. */
    public static void json(Context context, int status, Object body) {
        answer(context, status, Json.write(body));
    }

    /** Sends serialized JSON. Writes a short answer directly, since Javalin would copy it through three streams. */
    public static void answer(Context context, int status, byte[] body) {
        byte[] json = KnownNames.addTo(context, status, body);
        AccessLog.setSize(context, json.length);
        context.status(status);
        HttpServletResponse response = context.res();
        response.setContentType("application/json");
        if (json.length > MAX_BUFFERED_BYTES) {
            context.result(json);
            return;
        }
        // Without a length: the server would send a complete answer at once, and headers could no longer be added.
        try {
            response.getOutputStream().write(json);
        } catch (IOException e) {
            throw new UncheckedIOException("the buffer of an answer takes no bytes", e);
        }
    }

    /** Sends an HTML page in UTF-8. */
    public static void answerPage(Context context, int status, byte[] html) {
        AccessLog.setSize(context, html.length);
        context.status(status).contentType("text/html; charset=utf-8").result(html);
    }

    /** Sends a file. @param type its media type, with the charset if it is a text */
    public static void answerFile(Context context, String type, byte[] file) {
        AccessLog.setSize(context, file.length);
        context.res().setCharacterEncoding(null); // one is preset
        context.res().setContentType(type);
        context.result(file);
    }
}
