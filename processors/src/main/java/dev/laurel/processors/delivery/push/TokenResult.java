package dev.laurel.processors.delivery.push;

import org.jspecify.annotations.Nullable;

/** The outcome of a message for one device token. */
sealed interface TokenResult {

    /** The service has the message. */
    record Accepted() implements TokenResult {}

    /** The token no longer exists, says the service. */
    record Dead() implements TokenResult {}

    /** The service refuses the message, and will refuse it again. */
    record Refused(String reason) implements TokenResult {}

    /** The message was certainly not sent; another attempt may succeed. */
    record NotSent(String reason) implements TokenResult {}

    /** The message was sent and got no response. */
    record Lost(String reason) implements TokenResult {}

    /**
     * The result of a status that says nothing about the token. A 502 or 504 comes from a proxy that got no response from the
     * service, so it is unknown whether the service has the message; other 5xx mean that it has not.
     *
     * @param code of the service; null: none
     */
    static TokenResult ofStatus(String service, int status, @Nullable String code) {
        String reason = service + " answers " + status + (code == null ? "" : " " + code);
        if (status == 502 || status == 504) {
            return new Lost(reason);
        }
        return status == 429 || status >= 500 ? new NotSent(reason) : new Refused(reason);
    }
}
