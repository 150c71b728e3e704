package dev.laurel.processors.delivery.push;

import java.util.Collections;
import java.util.List;

/** A push service with the credentials of one tenant. Blocks; thread-safe. */
interface PushService extends AutoCloseable {

    /** The most tokens of one request. */
    int maxTokens();

    /** @return the result of each token, in their order */
    List<TokenResult> push(PushNotification note, List<String> tokens) throws InterruptedException;

    /** Closes connections; requests in flight still get their answers. */
    @Override
    default void close() {}

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
