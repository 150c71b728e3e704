package dev.laurel.processors.delivery.push;

import java.util.Collections;
import java.util.List;

/** One service with the credentials of one tenant. Thread-safe; blocks. */
interface PushService extends AutoCloseable {

    /** How many tokens it takes at once. */
    int maxTokens();

    /** @return what became of each, in the order of the tokens */
    List<TokenFate> push(PushNote note, List<String> tokens) throws InterruptedException;

    /** Ends connections; what is under way is ended properly. */
    @Override
    default void close() {}

    /** A service that cannot be used. */
    record Unusable(TokenFate fate) implements PushService {

        @Override
        public int maxTokens() {
            return Integer.MAX_VALUE;
        }

        @Override
        public List<TokenFate> push(PushNote note, List<String> tokens) {
            return Collections.nCopies(tokens.size(), fate);
        }
    }
}
