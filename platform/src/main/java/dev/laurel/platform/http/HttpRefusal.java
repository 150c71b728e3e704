package dev.laurel.platform.http;

import dev.laurel.schemas.input.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * Ends a request with a status and {@code {"error": message}}. Has no stack trace, because a refusal is not a fault.
 */
public final class HttpRefusal extends RuntimeException {

    /** Seconds after which a client may retry a request that got 503. */
    public static final int BUSY_RETRY_AFTER_S = 1;

    private final int status;
    private final int retryAfterS;

    private HttpRefusal(int status, @Nullable String message, int retryAfterS) {
        super(message, null, false, false);
        this.status = status;
        this.retryAfterS = retryAfterS;
    }

    public HttpRefusal(int status, @Nullable String message) {
        this(status, message, 0);
    }

    public static HttpRefusal of(Refusal refusal) {
        return new HttpRefusal(refusal.kind().status(), refusal.message());
    }

    /** 503: nothing was stored, and the client may retry after {@link #BUSY_RETRY_AFTER_S}. */
    public static HttpRefusal busy(String message) {
        return new HttpRefusal(503, message, BUSY_RETRY_AFTER_S);
    }

    /** 429: nothing was stored, and the client may retry after {@code retryAfterS} seconds. */
    public static HttpRefusal tooMany(String message, int retryAfterS) {
        return new HttpRefusal(429, message, retryAfterS);
    }

    public int status() {
        return status;
    }

    /** Seconds for the Retry-After header, 0 for none. */
    public int retryAfterS() {
        return retryAfterS;
    }
}
