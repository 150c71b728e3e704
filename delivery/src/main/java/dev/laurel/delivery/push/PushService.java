package dev.laurel.delivery.push;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A push service with the credentials of one tenant. Blocks; thread-safe. */
interface PushService extends AutoCloseable {

    /** The most tokens of one request. */
    int maxTokens();

    /** @return the result of each token, in their order */
    List<TokenResult> push(PushNotification note, List<String> tokens) throws InterruptedException;

    /** Closes connections; requests in flight still get their answers. */
    @Override
    default void close() {}

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

    /** A service that cannot be used. */
    record Unusable(TokenResult result) implements PushService {

        @Override
        public int maxTokens() {
            return Integer.MAX_VALUE;
        }

        @Override
        public List<TokenResult> push(PushNotification note, List<String> tokens) {
            return Collections.nCopies(tokens.size(), result);
        }
    }
}
